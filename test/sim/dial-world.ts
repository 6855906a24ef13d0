/** A simulated switch with one person behind its trunk, and what its engine was told. */
import type { AgentName, BridgeId, LegId, PhoneNumber, RecordingId } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { DialOptions, PbxEvent } from '../../src/ports/pbx.ts'
import type { Contact } from '../../src/sim/person.ts'
import { SimPbx, type SimPbxOptions } from '../../src/sim/sim-pbx.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

export const ANNA = 'anna' as AgentName
export const NUMBER = '+4571000001' as PhoneNumber
export const BRIDGE = 'sb-bridge-1' as BridgeId
export const LEG = 'sb-leg-1' as LegId
export const TAPE = 'sb-tape-1' as RecordingId
export const OPTIONS: DialOptions = { number: NUMBER, callerId: '+4570001000', ringTimeoutMs: 20_000, reference: 'a7' }
export const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000 }
export const sound = (text: string, durationMs = 1_000) => ({ file: `/${text}`, text, durationMs })

export async function world(contact: Contact = ANSWERS, options: Partial<SimPbxOptions> = {}) {
  const clock = new VirtualClock(0)
  const carrier = { contactOf: () => contact, ...options.carrier }
  const pbx = new SimPbx({ clock, random: seededRandom(1), latencyMs: [5, 5], ...options, carrier })
  const events: PbxEvent[] = []
  pbx.onEvent((event) => events.push(event))
  await pbx.start()
  return { clock, pbx, events, ends: () => events.filter(({ type }) => type === 'leg.ended') }
}

/** A callee who talks to Anna in the bridge in which she waited. */
export async function talking(contact: Contact = ANSWERS, options: Partial<SimPbxOptions> = {}) {
  const made = await world(contact, options)
  const { clock, pbx } = made
  const phone = pbx.agentPhone(ANNA, { does: 'answer', afterMs: 0 })
  const agentLeg = 'sb-leg-anna' as LegId
  pbx.ringAgent(agentLeg, ANNA, OPTIONS)
  clock.run(100)
  pbx.bridge(BRIDGE, [agentLeg])
  pbx.dial(LEG, OPTIONS)
  clock.run(3_100)
  pbx.join(BRIDGE, LEG)
  clock.run(100)
  return { ...made, phone, agentLeg, person: pbx.carrier.calls[0]! }
}
