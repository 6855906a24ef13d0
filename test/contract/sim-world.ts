import { type AgentName, makeIds } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { VirtualClock } from '../../src/kernel/virtual-clock.ts'
import type { Caller } from '../../src/sim/person.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import type { Heard } from '../../src/sim/sim-ear.ts'
import { SimPbx, type SimPbxOptions } from '../../src/sim/sim-pbx.ts'
import { EventRecord, type PbxWorld, type WorldAgent, type WorldCaller } from './pbx-world.ts'

const MISSING = '/missing'

/** The simulated switch. Waiting for a fact means running virtual time until it is told. */
export async function simWorld(seed: number, options: Partial<SimPbxOptions> = {}): Promise<PbxWorld> {
  const clock = new VirtualClock()
  const random = seededRandom(seed)
  const isPlayable = ({ file }: { file: string }) => file !== MISSING
  const pbx = new SimPbx({ clock, random, isPlayable, ...options })
  const record = new EventRecord(pbx)
  await pbx.start()

  const until = async (what: string, isTrue: () => boolean) => {
    if (!clock.runUntil(isTrue)) throw new Error(`${what} did not come; told: ${JSON.stringify(record.events)}`)
  }

  return {
    pbx,
    ids: makeIds(clock, random),
    events: record.events,
    missingSound: { file: MISSING, text: 'nothing', durationMs: 500 },
    sound: (text, durationMs) => ({ file: `/sounds/${text}`, text, durationMs }),
    close: () => pbx.stop(),
    async event(type, fields) {
      await until(`${type} ${JSON.stringify(fields)}`, () => record.find(type, fields) !== undefined)
      return record.find(type, fields)!
    },
    callIn: (call: { called: string; caller?: string; person: Caller }) =>
      Promise.resolve(simCaller(pbx.callIn(call), clock, until)),
    async agentPhone(agent: AgentName, person): Promise<WorldAgent> {
      const phone = pbx.agentPhone(agent, person)
      return { hearsCaller: () => until('the caller at the agent', () => phone.heard.some(isPerson)) }
    },
  }
}

type Until = (what: string, isTrue: () => boolean) => Promise<void>

function simCaller(caller: SimCaller, clock: VirtualClock, until: Until): WorldCaller {
  const soundMs = () => caller.heard.reduce((sum, { fromMs, untilMs = clock.nowMs() }) => sum + (untilMs - fromMs), 0)
  return {
    soundMs,
    press: (keys) => caller.press(keys),
    async answered() {
      await until('an answer', () => caller.isUp || caller.result !== undefined)
      return caller.isUp || caller.result?.outcome === 'connected'
    },
    async result() {
      await until('the end', () => caller.result !== undefined)
      return caller.result!
    },
    hearsAgent: () => until('the agent', () => caller.heard.some(isPerson)),
    // Time passes in steps of events; something must happen for a while of music to be over.
    async hears(ms) {
      await until('any sound', () => caller.heard.length > 0)
      clock.run(Math.max(0, ms - soundMs()))
    },
  }
}

const isPerson = ({ what }: Heard) => what === 'person'
