/** The shipped debtor flow on simulated phones and virtual time: engine and flow as in service, the doors simulated. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FlowRegistry } from '../src/engine/flow-registry.ts'
import { Engine } from '../src/engine/loop/engine.ts'
import type { CallRecord } from '../src/flow/model/call-messages.ts'
import { readFlow } from '../src/flow/read/read-flow.ts'
import { makeIds } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { seededRandom } from '../src/kernel/random.ts'
import type { Journal } from '../src/ports/journal.ts'
import type { Caller } from '../src/sim/person.ts'
import { SimPbx } from '../src/sim/sim-pbx.ts'
import { simSpeech } from '../src/sim/sim-speech.ts'
import { SimSms } from '../test/sim/sim-sms.ts'
import { SimWeb } from '../test/sim/sim-web.ts'
import { VirtualClock } from '../test/support/virtual-clock.ts'
import { talkative } from '../test/worlds/set-up.ts'

/** Callers, the switch they reach, and the clock that moves both. */
export interface World {
  readonly clock: VirtualClock
  readonly pbx: SimPbx
  /** A caller phones in, each from a different number. */
  callIn(person: Caller): void
}

/** A world that is served. */
interface DebtorWorld extends World {
  readonly engine: Engine
  onCallEnded(listener: (record: CallRecord) => void): void
}

/** A journal that keeps nothing. */
export const noJournal: Journal = { append: () => {}, flush: () => Promise.resolve(), read: () => Promise.resolve([]) }

const NUMBER = '+4570001000'
const FLOW = fileURLToPath(new URL('../flows/debtor-self-service.yaml', import.meta.url))
const OPEN_CASE = {
  caseNumber: '4711',
  closedDate: null,
  caseCategory: 'consumer',
  remainingAmount: 125.5,
  paymentAccount: 'DK5000400440116243',
  paymentReference: '471147',
  paymentUrl: 'https://pay.example/4711',
}

/** A switch and people, without agents. */
export async function emptyWorld(): Promise<World> {
  const clock = new VirtualClock()
  const pbx = new SimPbx({ clock, random: seededRandom(1) })
  let count = 0
  const callIn = (person: Caller) => void pbx.callIn({ called: NUMBER, caller: `+4520${1_000_000 + count++}`, person })
  await pbx.start()
  return { clock, pbx, callIn }
}

/** The same world, with the engine in it. */
export async function debtorWorld(journal: Journal): Promise<DebtorWorld> {
  const world = await emptyWorld()
  const { clock, pbx } = world
  const { flow, problems } = readFlow(FLOW, talkative(readFileSync(FLOW, 'utf8')))
  if (!flow) throw new Error(problems.map(({ message }) => message).join('\n'))
  const parts = {
    clock,
    journal,
    pbx,
    log: silentLog,
    ids: makeIds(clock, seededRandom(2)),
    random: seededRandom(3),
    speech: simSpeech(),
    sms: new SimSms(clock),
    flows: new FlowRegistry([flow]),
    web: new SimWeb(clock).on('GET /CaseInfo/4711', { body: OPEN_CASE }),
    env: { integrator: 'http://integrator.example' },
    secret: () => 'Bearer benchmark',
  }
  const numbers = new Map([[NUMBER, { flow: flow.name, language: 'en' }]])
  const engine = new Engine(parts, { numbers, staff: { teams: new Map(), agents: new Map() } })
  return { ...world, engine, onCallEnded: (listener) => engine.onCallEnded(listener) }
}
