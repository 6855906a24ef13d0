import { expect, onTestFinished } from 'vitest'
import { type AriPbx, ariPbx } from '../../src/ari/ari-pbx.ts'
import type { AgentName, BridgeId, LegId, PlaybackId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { PbxEvent } from '../../src/ports/pbx.ts'
import type { JoinSides } from '../../src/ports/recordings/join-channels.ts'
import type { KeepMessage } from '../../src/ports/recordings/keep-message.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { Facts } from './facts.ts'
import { FakeAri } from './fake-ari.ts'

export const CALLER = 'ast1-1.0' as LegId
export const AGENT = 'sb-leg-1' as LegId
export const ANNA = 'anna' as AgentName
export const PLAY = 'sb-play-1' as PlaybackId
export const BRIDGE = 'sb-bridge-1' as BridgeId
export const RING = { callerId: '+3725551234', ringTimeoutMs: 15_000 }
export const SOUNDS = [
  { file: '/sounds/hello', text: 'hello', durationMs: 1_000 },
  { file: '/sounds/a,b', text: 'a, b', durationMs: 500 },
]
export const PLAYED = `POST /channels/${CALLER}/play/${PLAY}`

export const channel = (id: string, state = 'Up') => ({
  id,
  state,
  caller: { number: '+3725551234' },
  dialplan: { exten: '+4570001000' },
})
export const arrival = { type: 'StasisStart', args: ['arrived', '+4570001000'], channel: channel(CALLER, 'Ring') }
export const callerEnds = { type: 'StasisEnd', channel: channel(CALLER) }

/** An engine's side of ARI on virtual time, against the stand-in; both go with the test that made them. */
export interface World {
  readonly fake: FakeAri
  readonly clock: VirtualClock
  readonly pbx: AriPbx
  readonly events: Facts<PbxEvent>
  /** Lets Asterisk tell something, and waits until it was understood. */
  told(...events: object[]): Promise<void>
  /** Lets time pass in steps so short that the line, which lives on real time, is not taken for dead. */
  pass(durationMs: number): Promise<void>
  /** Waits until Asterisk has got everything asked so far. */
  settled(): Promise<void>
}

/** Starts both sides and waits until the switch is up. */
export async function world(
  prepare: (fake: FakeAri) => void = () => undefined,
  prepareEngine: (pbx: AriPbx) => void = () => undefined,
  joinSides: JoinSides = () => Promise.resolve(undefined),
  keepMessage: KeepMessage = () => Promise.resolve({ result: 'stored', lengthMs: 1_000 }),
): Promise<World> {
  const fake = await FakeAri.start()
  onTestFinished(() => fake.stop())
  prepare(fake)
  const clock = new VirtualClock()
  const parts = { clock, random: seededRandom(1), log: silentLog }
  const pbx = ariPbx({ ...fake.access, firstTrunk: () => 'first', joinSides, keepMessage, ...parts })
  onTestFinished(() => pbx.stop())
  const events = new Facts<PbxEvent>()
  pbx.onEvent(events.add)
  prepareEngine(pbx)
  expect(await pbx.start()).toEqual({ kind: 'asterisk', version: '22.10.1' })
  let marks = 0
  // A leg of its own that arrives behind whatever was told: when it is here, so is all before it.
  const told = async (...tellings: object[]) => {
    const id = `mark-${++marks}`
    const mark = events.next((event) => event.type === 'leg.ended' && event.leg === id)
    for (const telling of tellings) fake.tell(telling)
    fake.tell({ type: 'StasisStart', args: ['arrived', 'mark'], channel: channel(id) })
    fake.tell({ type: 'StasisEnd', channel: channel(id) })
    await mark
  }
  const pass = async (durationMs: number) => {
    for (let leftMs = durationMs; leftMs > 0; leftMs -= 2_000) {
      clock.run(Math.min(leftMs, 2_000))
      await told()
    }
  }
  // Requests are worked off in order: when this harmless one is there, so are all before it, and their answers.
  const settled = async () => {
    const bridge = `sb-bridge-mark-${++marks}`
    const there = fake.requests.next(({ what }) => what === `DELETE /bridges/${bridge}`)
    pbx.closeBridge(bridge as BridgeId)
    await there
    await told()
  }
  return { fake, clock, pbx, events, told, pass, settled }
}

/** What was told about calls, without the marks. */
export const about = ({ events }: World) =>
  events.all.filter((event) => !('leg' in event && event.leg.startsWith('mark')))

export const ofLeg = (it: World, leg: LegId) => about(it).filter((event) => 'leg' in event && event.leg === leg)

export const asked = ({ fake }: World) =>
  fake.requests.all.map(({ what }) => what).filter((what) => !what.includes('-mark-') && !what.startsWith('GET'))

/** Cuts the line, lets time pass, and waits until the line is back. */
export async function gap({ fake, clock, events }: World, meanwhile: () => void = () => undefined): Promise<void> {
  const down = events.next(({ type }) => type === 'pbx.down')
  fake.cut()
  await down
  meanwhile()
  const up = events.next(({ type }) => type === 'pbx.up')
  clock.run(200)
  await up
}
