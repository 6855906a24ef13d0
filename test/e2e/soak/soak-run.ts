/** Ordinary life on a real switch for a while: callers, a campaign, agents who come and go, a webhook that fails. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { openCarrier, type SipCarrier } from '../../../demo/sip/sip-carrier.ts'
import { callIn } from '../../../demo/sip/sipp-phone.ts'
import type { OpenDatabase } from '../../../src/app/repositories.ts'
import type { Client } from '../../../src/client/client.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { type Random, randomInt, seededRandom } from '../../../src/kernel/random.ts'
import type { Contact } from '../../../src/sim/person.ts'
import {
  becomesTrue,
  credentialOf,
  integratorOf,
  isAllDelivered,
  isSwitchQuiet,
  leftOn,
  makeCampaign,
  makeSystem,
  pause,
  type Receiver,
  sendTasks,
  silentPhone,
  startReceiver,
} from '../campaign-live.ts'
import { makePlace, type Place } from '../campaign-place.ts'
import { judge } from '../campaign-truth.ts'
import { type EngineProcess, startEngine } from '../engine-process.ts'
import { FLOW, LINE } from '../service-line.ts'
import { type SteadyAgent, steadyAgent } from '../steady-agent.ts'
import { growthOf } from './soak-growth.ts'

/** The size of a run. */
export interface SoakPlan {
  readonly lengthMs: number
  readonly agents: number
  readonly seed: number
  /** Calls of the campaign in a second, most of them to busy lines; absent: as people answer and talk. */
  readonly rate?: number
  /** So many calls of a hundred end in a fault of the network, and events in one of the receiver. */
  readonly faultPercent?: number
}

interface SoakKit {
  readonly treeDirectory: string
  readonly onLine: (line: string) => void
}

/** The accounting of a run; it holds when there are no violations. */
export interface SoakResult {
  readonly counts: Readonly<Record<string, number>>
  readonly results: Readonly<Record<string, number>>
  /** Of the engine, after a collection of garbage, in the order of time. */
  readonly probes: readonly Probe[]
  readonly violations: readonly string[]
}

interface Probe {
  readonly heapBytes: number
  /** Sockets, timers and files that keep the process alive. */
  readonly handles: number
  /** How many of each kind. */
  readonly kinds: Readonly<Record<string, number>>
  readonly openFiles: number
}

/** Every seventh number from here is in use in its country: 557,143 of them. */
const FIRST_NUMBER = 25_100_004
const TASKS_AHEAD = 40
/** Between two calls of one sort: a caller, an agent who goes, a look at the engine. */
const CALLER_EVERY_MS = 6_000
const LEAVES_EVERY_MS = 20_000
const AWAY_MS = 4_000
const PROBES = 10
const clock = new RealClock()

/** Runs it. Rejects only if it cannot start. */
export async function runSoak(plan: SoakPlan, kit: SoakKit): Promise<SoakResult> {
  const names = Array.from({ length: plan.agents }, (_, index) => `agent-${index + 1}`)
  const { rate, faultPercent = 10 } = plan
  const receiver = await startReceiver(clock, { failsFirst: Math.round(100 / faultPercent) })
  const place = await makePlace({
    agents: names,
    treeDirectory: kit.treeDirectory,
    ...(rate !== undefined && { callsPerSecond: rate, lines: 4 * plan.agents }),
    allowedHosts: [new URL(receiver.url).host],
    numbers: [`"${LINE}": { flow: service-line, language: en, externalSystem: DEBT }`],
    flows: { 'service-line': FLOW },
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  const database = await place.openDatabaseFor()
  const phones = await Promise.all([...place.phones.values()].map((at) => silentPhone(clock, at)))
  const soak = new Soak(plan, kit, place, database, receiver)
  try {
    return await soak.live()
  } finally {
    await soak.close()
    await Promise.all(phones.map((phone) => phone.close()))
    await receiver.close()
    await database.database.close()
    await place.remove()
  }
}

/** Most answer and talk for some seconds. */
function personOf(random: Random): Contact {
  const kind = randomInt(random, 0, 99)
  const answers = { does: 'answer', ringsAfterMs: 50, afterMs: randomInt(random, 200, 3_000) } as const
  if (kind < 70) return { ...answers, hangsUpAfterMs: randomInt(random, 1_500, 12_000) }
  if (kind < 82) return { does: 'busy', afterMs: 200 }
  if (kind < 90) return { does: 'reject', ringsAfterMs: 50, afterMs: 800 }
  if (kind < 95) return { does: 'fail', code: 404, afterMs: 50 }
  return { does: 'ignore', ringsAfterMs: 50, afterMs: 0 }
}

/** Who is called where calls are many: few talk, so that few agents are enough. */
function quickPersonOf(random: Random, faultPercent: number): Contact {
  const kind = randomInt(random, 0, 999)
  const fault = 10 * faultPercent
  if (kind < fault) {
    return [
      { does: 'fail', code: 503, afterMs: 50 } as const,
      { does: 'fail', code: 480, afterMs: 500 } as const,
      { does: 'answer', afterMs: 100, hangsUpAfterMs: 20 } as const,
    ][kind % 3]!
  }
  if (kind < fault + 60) return { does: 'answer', afterMs: 200, hangsUpAfterMs: randomInt(random, 1_500, 4_000) }
  if (kind < fault + 120) return { does: 'reject', ringsAfterMs: 50, afterMs: 300 }
  return { does: 'busy', afterMs: 100 }
}

/** Mutable state with a lifetime, hence a class. */
class Soak {
  readonly #plan: SoakPlan
  readonly #kit: SoakKit
  readonly #place: Place
  readonly #database: OpenDatabase
  readonly #receiver: Receiver
  readonly #pool: Pool
  readonly #random: Random
  readonly #engine: EngineProcess
  readonly #probes: Probe[] = []
  readonly #wrong: string[] = []
  readonly #agents = new Map<string, SteadyAgent>()
  #carrier: SipCarrier | undefined
  #endsAtMs = 0
  #tasks = 0
  #callers = 0
  #asked = 0

  constructor(plan: SoakPlan, kit: SoakKit, place: Place, database: OpenDatabase, receiver: Receiver) {
    this.#plan = plan
    this.#kit = kit
    this.#place = place
    this.#database = database
    this.#receiver = receiver
    this.#pool = database.database.pools.api
    this.#random = seededRandom(plan.seed)
    this.#engine = startEngine(place, ['--expose-gc', '--import', join(import.meta.dirname, '../heap-probe.ts')])
  }

  async live(): Promise<SoakResult> {
    const { rate, faultPercent = 0 } = this.#plan
    const people = seededRandom(this.#plan.seed + 1)
    const logFile = join(this.#place.logsDirectory, 'carrier.jsonl')
    const at = this.#place.carrier
    const carrier = await openCarrier({
      clock,
      random: this.#random,
      ...at,
      logFile,
      contactOf: () => (rate === undefined ? personOf(people) : quickPersonOf(people, faultPercent)),
    })
    this.#carrier = carrier
    await this.#engine.ready
    const client = await integratorOf(this.#database, clock, this.#ssoUrl)
    const callCode = await makeCampaign(client, await makeSystem(client, this.#receiver))
    await Promise.all([...this.#place.phones.keys()].map((name) => this.#comes(name)))
    this.#endsAtMs = clock.nowMs() + this.#plan.lengthMs
    await Promise.all([
      this.#again(1_000, () => this.#keepTasks(client, callCode)),
      this.#again(CALLER_EVERY_MS, () => this.#call()),
      this.#again(LEAVES_EVERY_MS, () => this.#leaveAndReturn()),
      this.#again(250, () => this.#ask(client, callCode)),
      this.#again(this.#plan.lengthMs / PROBES, () => this.#probe()),
    ])
    await client.ask('POST /dialer/callcode', { body: { callCode, active: false } })
    return this.#account(carrier)
  }

  async close(): Promise<void> {
    await this.#engine.kill('SIGTERM')
    await this.#carrier?.close()
  }

  get #ssoUrl(): string {
    return `http://127.0.0.1:${this.#place.settings.ssoPort}`
  }

  /** Until the end. What throws is a violation, and life goes on. */
  async #again(everyMs: number, what: () => Promise<void>): Promise<void> {
    while (clock.nowMs() < this.#endsAtMs) {
      await what().catch((error: unknown) => this.#wrong.push(String(error)))
      await pause(clock, everyMs)
    }
  }

  async #comes(name: string): Promise<void> {
    const credential = await credentialOf(this.#database, clock, name)
    this.#agents.set(name, await steadyAgent(name, this.#ssoUrl, credential, clock))
  }

  async #leaveAndReturn(): Promise<void> {
    const names = [...this.#agents.keys()]
    const name = names[randomInt(this.#random, 0, names.length - 1)]!
    await this.#agents.get(name)!.leave()
    await pause(clock, AWAY_MS)
    await this.#comes(name)
  }

  async #keepTasks(client: Client, callCode: number): Promise<void> {
    const { rows } = await this.#pool.query<{ left: number }>(LEFT)
    const ahead = TASKS_AHEAD * Math.max(1, (this.#plan.rate ?? 0) / 2)
    const missing = ahead - rows[0]!.left
    if (missing < ahead / 2) return
    const tasks = Array.from({ length: missing }, () => {
      const place = this.#tasks++
      return { numbers: [`+45${FIRST_NUMBER + 7 * place}`], caseNumber: `C-${place}` }
    })
    await sendTasks(client, callCode, tasks)
  }

  /** A caller names a case, waits for an agent, and hangs up after some seconds. */
  async #call(): Promise<void> {
    const caller = `+4599${100_000 + this.#callers++}`
    const sipp = join(this.#place.treeDirectory, 'bin/sipp')
    const phone = await callIn({
      kit: { sipp, clock, random: this.#random },
      target: this.#place.sip,
      from: this.#place.carrier.host,
      called: LINE,
      caller,
      person: { presses: [{ afterMs: 1_000, keys: '4714' }], hangsUpAfterMs: randomInt(this.#random, 4_000, 15_000) },
    })
    void phone.result.then(({ outcome }) => {
      if (outcome !== 'connected') this.#wrong.push(`the call of ${caller} was ${outcome}`)
    })
  }

  async #ask(client: Client, callCode: number): Promise<void> {
    this.#asked++
    await client.ask('POST /dialer/calltaskget', { body: { callCodes: [callCode], limit: 100 } })
    await client.ask('GET /dialer/board')
  }

  async #probe(): Promise<void> {
    const before = this.#told().length
    process.kill(this.#engine.pid, 'SIGPWR')
    await becomesTrue(clock, () => this.#told().length > before)
    const told = this.#told().at(-1)
    if (!told) throw new Error('the engine does not say how large it is')
    const openFiles = readdirSync(`/proc/${this.#engine.pid}/fd`).length
    const size = JSON.parse(told) as Pick<Probe, 'heapBytes' | 'kinds'>
    const handles = Object.values(size.kinds).reduce((sum, count) => sum + count, 0)
    this.#probes.push({ ...size, handles, openFiles })
    const { invites, heard } = { invites: this.#carrier!.invites().length, heard: this.#receiver.heard.size }
    const heap = `${(size.heapBytes / 2 ** 20).toFixed(1)} MiB heap, ${openFiles} open files`
    this.#kit.onLine(`${invites} INVITEs, ${this.#callers} callers, ${heard} events heard, ${heap}`)
  }

  #told(): string[] {
    const log = readFileSync(join(this.#place.logsDirectory, 'engine.log'), 'utf8')
    return [...log.matchAll(/^probe (\{.*\})$/gm)].map((match) => match[1]!)
  }

  async #isOver(): Promise<boolean> {
    return (await this.#pool.query(OPEN)).rows.length === 0
  }

  async #account(carrier: SipCarrier): Promise<SoakResult> {
    const waits = { everyMs: 500, limitMs: 120_000 }
    const isOver = await becomesTrue(clock, () => this.#isOver(), waits)
    await Promise.all([...this.#agents.values()].map((agent) => agent.leave()))
    const isDelivered = await becomesTrue(clock, () => isAllDelivered(this.#pool), waits)
    await becomesTrue(clock, () => isSwitchQuiet(this.#place), waits)
    const evidence = { pool: this.#pool, receiver: this.#receiver, kills: [], tooEarly: [], invites: carrier.invites() }
    const truth = await judge({ ...evidence, ...(await leftOn(this.#place)) })
    const { rows } = await this.#pool.query<{ inbound: number }>(INBOUND)
    const inbound = rows[0]!.inbound
    const calls = truth.counts['invites']! + this.#callers
    return {
      counts: { ...truth.counts, callers: this.#callers, inbound, requests: 2 * this.#asked },
      results: truth.results,
      probes: this.#probes,
      violations: [
        ...(isOver ? [] : ['calls are still open two minutes after the end']),
        ...(isDelivered ? [] : ['events were not delivered within two minutes']),
        ...(inbound === this.#callers ? [] : [`${this.#callers} callers have ${inbound} activities with an event`]),
        ...(this.#receiver.heard.size === calls ? [] : [`${this.#receiver.heard.size} events for ${calls} calls`]),
        ...truth.violations,
        ...this.#wrong,
        ...growthOf(this.#probes),
      ],
    }
  }
}

const LEFT = `select count(*)::int as left from call_tasks t where finished_at_ms is null
  and not exists (select from attempts a where a.task_id = t.id)`
const OPEN = `select 1 from attempts where ended_at_ms is null union all select 1 from open_calls limit 1`
const INBOUND = `select count(*)::int as inbound from call_activities c where c.direction = 'in'
  and (select count(*) from events e where e.activity_id = c.id and e.type = 'phone-call.ended') = 1`

/** The accounting as lines of text. */
export function accountOf({ counts, results, probes, violations }: SoakResult): string[] {
  const row = ([name, count]: readonly [string, number]) => `  ${name.padEnd(18)} ${String(count).padStart(7)}`
  const size = ({ heapBytes, handles, kinds, openFiles }: Probe) => {
    const each = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`)
    const heap = `${(heapBytes / 2 ** 20).toFixed(1)} MiB heap`
    return `  ${heap}, ${openFiles} open files, ${handles} handles: ${each.join(', ')}`
  }
  return [
    'counted:',
    ...Object.entries(counts).map(row),
    'attempts by result:',
    ...Object.entries(results).map(row),
    'the engine, after a collection of garbage:',
    ...probes.map(size),
    violations.length === 0 ? 'the accounting holds' : `${violations.length} violations:`,
    ...violations.slice(0, 30).map((violation) => `  ✗ ${violation}`),
  ]
}
