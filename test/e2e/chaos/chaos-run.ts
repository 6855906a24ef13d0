/** A campaign on a real switch, with killed processes and cut lines at random moments; then its traces are compared. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { freePort } from '../../../asterisk/ports.ts'
import { openCarrier, type SipCarrier } from '../../../demo/sip/sip-carrier.ts'
import type { OpenDatabase } from '../../../src/app/repositories.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { type Random, randomInt, seededRandom } from '../../../src/kernel/random.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { testRedis } from '../../support/redis.ts'
import {
  agentsAtWork,
  becomesTrue,
  importTasks,
  integratorOf,
  isAllDelivered,
  isSwitchQuiet,
  leftOn,
  makeCampaign,
  makeSystem,
  pause,
  type Receiver,
  silentPhone,
  startReceiver,
} from '../campaign-live.ts'
import { makePlace, type Place } from '../campaign-place.ts'
import { judge, type Kill, type Truth } from '../campaign-truth.ts'
import { type EngineProcess, startEngine } from '../engine-process.ts'
import { FAULTS, type FaultName, type FaultScene } from './chaos-faults.ts'

/** The size of a run. */
export interface ChaosPlan {
  readonly calls: number
  readonly engineKills: number
  readonly asteriskKills: number
  readonly cuts: number
  /** How often each of the others happens. */
  readonly others?: Readonly<Partial<Record<FaultName, number>>>
  readonly seed: number
  readonly agents?: number
  /** The pacing mode; progressive by default. */
  readonly mode?: 'progressive' | 'predictive'
}

/** The result of a run. */
export interface ChaosResult extends Truth {
  readonly tookMs: number
}

/** Where it happens. */
export interface ChaosKit {
  readonly treeDirectory: string
  readonly onLine: (line: string) => void
  /** Keeps the folder for inspection. */
  readonly isKept?: boolean
}

const AGENTS = 8
/** Until agents' phones are on the line again, and every call is found. */
const HEALS_AFTER_MS = 10_000
/** Nothing starts or ends for so long: the run stands still. */
const STALLED_MS = 90_000
/** Room for the database and the journal of a run. */
const DISK_MEGABYTES = 1_536
const FIRST_NUMBER = 22_100_000
const clock = new RealClock()

/** Runs it. Rejects only if it cannot start. */
export async function runChaos(plan: ChaosPlan, kit: ChaosKit): Promise<ChaosResult> {
  const names = Array.from({ length: plan.agents ?? AGENTS }, (_, index) => `agent-${index + 1}`)
  const receiver = await startReceiver(clock)
  const { host } = new URL(receiver.url)
  const { others = {} } = plan
  const redis = others.redis ? await testRedis() : undefined
  const intakePort = others.mails ? await freePort('tcp', '127.0.0.1') : undefined
  const place = await makePlace({
    agents: names,
    treeDirectory: kit.treeDirectory,
    allowedHosts: [host],
    ...(redis && { env: { REDIS_URL: redis.url } }),
    ...(others.disk && { megabytes: DISK_MEGABYTES }),
    ...(intakePort !== undefined && { more: mailOf(intakePort) }),
  })
  const opened = await place.openDatabaseFor()
  const phones = await Promise.all([...place.phones.values()].map((at) => silentPhone(clock, at)))
  const stage = new Stage(plan, kit, place, opened, receiver, { redisUrl: redis?.url, intakePort })
  try {
    return await stage.play()
  } finally {
    await stage.end()
    await Promise.all(phones.map((phone) => phone.close()))
    await receiver.close()
    await opened.database.close()
    await redis?.end()
    if (kit.isKept) kit.onLine(`kept: ${place.directory}`)
    else await place.remove()
  }
}

/** Most callees talk shortly; a few behave as the magic numbers say. */
function personOf(random: Random): Contact {
  const kind = randomInt(random, 0, 99)
  const answers = { does: 'answer', ringsAfterMs: randomInt(random, 0, 100) } as const
  // Most talk for more than a second: a campaign whose callees hang up at once pauses itself (F-F7).
  const hangsUpAfterMs = randomInt(random, 1_100, 2_500)
  if (kind < 60) return { ...answers, afterMs: randomInt(random, 100, 900), hangsUpAfterMs }
  if (kind < 68) return { ...answers, afterMs: randomInt(random, 0, 20), hangsUpAfterMs }
  if (kind < 73) return { ...answers, afterMs: 200, hangsUpAfterMs: randomInt(random, 0, 30) }
  if (kind < 82) return { does: 'busy', afterMs: randomInt(random, 0, 300) }
  if (kind < 89) return { does: 'reject', ringsAfterMs: 50, afterMs: randomInt(random, 100, 600) }
  if (kind < 94) return { does: 'fail', code: 404, afterMs: 50 }
  if (kind < 98) return { does: 'fail', code: 503, afterMs: 50 }
  return { does: 'ignore', ringsAfterMs: 50, afterMs: 0 }
}

interface Fault {
  readonly what: Kill['what']
  /** Happens after so many dialed numbers … */
  readonly afterInvites: number
  /** … and so much later. */
  readonly delayMs: number
}

/** A mailbox that strangers may write to. */
function mailOf(intakePort: number): string[] {
  return [
    'mail:',
    '  mailboxes: { help: { address: help@ours.example, title: Help, opensCases: true } }',
    `  intake: { protocol: smtp, host: 127.0.0.1, port: ${intakePort} }`,
  ]
}

/** Mutable state with a lifetime, hence a class. */
class Stage {
  readonly #plan: ChaosPlan
  readonly #kit: ChaosKit
  readonly #place: Place
  readonly #database: OpenDatabase
  readonly #receiver: Receiver
  readonly #pool: Pool
  readonly #random: Random
  readonly #kills: Kill[] = []
  readonly #tooEarly: string[] = []
  readonly #looks: Promise<void>[] = []
  readonly #neighbours: Pick<FaultScene, 'redisUrl' | 'intakePort'>
  #carrier: SipCarrier | undefined
  #engine: EngineProcess
  #isOver = false

  constructor(
    plan: ChaosPlan,
    kit: ChaosKit,
    place: Place,
    opened: OpenDatabase,
    receiver: Receiver,
    neighbours: Pick<FaultScene, 'redisUrl' | 'intakePort'>,
  ) {
    this.#plan = plan
    this.#neighbours = neighbours
    this.#kit = kit
    this.#place = place
    this.#database = opened
    this.#receiver = receiver
    this.#pool = opened.database.pools.api
    this.#random = seededRandom(plan.seed)
    this.#engine = this.#startEngine()
  }

  async play(): Promise<ChaosResult> {
    const { calls } = this.#plan
    const { settings } = this.#place
    const beganAtMs = clock.nowMs()
    const carrier = await this.#openCarrier()
    this.#carrier = carrier
    await this.#engine.ready
    this.#keepEngine()
    const ssoUrl = `http://127.0.0.1:${settings.ssoPort}`
    const client = await integratorOf(this.#database, clock, ssoUrl)
    const itsyId = await makeSystem(client, this.#receiver)
    const callCode = await makeCampaign(client, itsyId, { dialMode: this.#plan.mode ?? 'progressive' })
    const agents = await agentsAtWork(this.#database, clock, ssoUrl, this.#place.phones.keys())
    this.#kit.onLine(`${agents.length} agents are ready; ${calls} call tasks are imported`)
    const tasks = Array.from({ length: calls }, (_, index) => ({
      numbers: [`+45${FIRST_NUMBER + 7 * index}`],
      caseNumber: `C-${index}`,
    }))
    await importTasks(client, callCode, tasks)
    const faults = this.#wreak(this.#faults())
    const isThrough = await this.#throughAll()
    this.#isOver = true
    await faults
    const isDelivered = await becomesTrue(clock, () => isAllDelivered(this.#pool), { everyMs: 200, limitMs: 60_000 })
    await Promise.all(agents.map((agent) => agent.leave()))
    await becomesTrue(clock, () => isSwitchQuiet(this.#place), { everyMs: 200, limitMs: 15_000 })
    await Promise.all(this.#looks)
    const truth = await judge({ ...this.#evidence(carrier), ...(await leftOn(this.#place)) })
    const violations = [
      ...(isThrough ? [] : ['the campaign stood still']),
      ...(isDelivered ? [] : ['events were not delivered within a minute']),
      ...truth.violations,
    ]
    return { ...truth, violations, tookMs: clock.nowMs() - beganAtMs }
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#engine.kill('SIGTERM')
    await this.#carrier?.close()
  }

  get #clockFile(): string {
    return join(this.#place.logsDirectory, 'clock-step')
  }

  #startEngine(): EngineProcess {
    const stepper = ['--import', join(import.meta.dirname, 'clock-stepper.ts')]
    const env = { ...this.#place.env, CLOCK_STEP_FILE: this.#clockFile }
    return startEngine({ ...this.#place, env }, stepper)
  }

  #evidence(carrier: SipCarrier) {
    const [pool, receiver, kills, tooEarly] = [this.#pool, this.#receiver, this.#kills, this.#tooEarly]
    return { pool, receiver, kills, tooEarly, invites: carrier.invites() }
  }

  #openCarrier(): Promise<SipCarrier> {
    const people = seededRandom(this.#plan.seed + 1)
    return openCarrier({
      clock,
      random: this.#random,
      ...this.#place.carrier,
      logFile: join(this.#place.logsDirectory, 'carrier.jsonl'),
      contactOf: (_, { callId, reference }) => {
        this.#looks.push(this.#lookAt(callId, reference))
        return personOf(people)
      },
    })
  }

  /** Whether the attempt is committed, now that its INVITE has arrived. */
  async #lookAt(callId: string, reference: string): Promise<void> {
    const text = `select 1 from attempts where id = $1`
    const ask = () => this.#pool.query(text, [Number(reference) || 0]).catch(() => undefined)
    let found = await ask()
    // While the database is away nobody can tell, but what was committed is there when it is back.
    const isTold = async () => {
      found ??= await ask()
      return found !== undefined
    }
    await becomesTrue(clock, isTold, { everyMs: 200, limitMs: 60_000 })
    if (found?.rowCount === 0) this.#tooEarly.push(callId)
  }

  #faults(): Fault[] {
    const { calls, engineKills, asteriskKills, cuts, others = {} } = this.#plan
    const of = (what: Fault['what'], count: number) =>
      Array.from({ length: count }, () => ({
        what,
        afterInvites: randomInt(this.#random, 3, Math.floor(calls * 0.85)),
        delayMs: randomInt(this.#random, 0, 700),
      }))
    const further = Object.entries(others).flatMap(([what, count]) => of(what as FaultName, count))
    const all = [...of('engine', engineKills), ...of('asterisk', asteriskKills), ...of('cut', cuts), ...further]
    return all.sort((one, other) => one.afterInvites - other.afterInvites)
  }

  async #wreak(faults: readonly Fault[]): Promise<void> {
    for (const { what, afterInvites, delayMs } of faults) {
      const dialed = () => this.#carrier?.invites().length ?? 0
      await becomesTrue(clock, () => dialed() >= afterInvites || this.#isOver, { everyMs: 20, limitMs: Infinity })
      if (this.#isOver) return
      await pause(clock, delayMs)
      this.#kit.onLine(`${dialed()} dialed: ${what}`)
      if (what === 'cut') this.#cutLine()
      else if (what === 'engine') await this.#killEngine()
      else if (what === 'asterisk') await this.#killAsterisk()
      else await this.#inflict(what)
    }
  }

  async #killEngine(): Promise<void> {
    const killed = this.#engine
    const healed = this.#fault('engine')
    await killed.kill('SIGKILL')
    await becomesTrue(clock, () => this.#engine !== killed, { everyMs: 5 })
    healed(HEALS_AFTER_MS)
  }

  async #inflict(what: FaultName): Promise<void> {
    const healed = this.#fault(what)
    const [place, random, enginePid, clockFile] = [this.#place, this.#random, this.#engine.pid, this.#clockFile]
    await FAULTS[what]({ place, clock, random, enginePid, clockFile, ...this.#neighbours })
    healed(HEALS_AFTER_MS)
  }

  #cutLine(): void {
    const healed = this.#fault('cut')
    this.#engine.cutLine()
    healed(HEALS_AFTER_MS)
  }

  /** Its answer is called when the service is whole again as far as can be seen; then it needs so much longer. */
  #fault(what: Kill['what']): (afterMs: number) => void {
    const kill: Kill = { what, atMs: clock.nowMs() }
    this.#kills.push(kill)
    return (afterMs) => {
      // A later fault may kill this engine before it is ready.
      void this.#engine.ready
        .catch(() => {})
        .then(() => {
          kill.healedAtMs = clock.nowMs() + afterMs
        })
    }
  }

  async #killAsterisk(): Promise<void> {
    const before = this.#asteriskPid()
    if (before === undefined) return
    const healed = this.#fault('asterisk')
    process.kill(before, 'SIGKILL')
    await becomesTrue(clock, () => (this.#asteriskPid() ?? before) !== before, { everyMs: 20, limitMs: 60_000 })
    healed(HEALS_AFTER_MS)
  }

  #asteriskPid(): number | undefined {
    try {
      const pid = Number(readFileSync(join(this.#place.directory, 'asterisk-run/run/asterisk.pid'), 'utf8'))
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '' ? undefined : pid
    } catch {
      return undefined
    }
  }

  /** A service that ends is started again at once, as a service manager does. */
  #keepEngine(): void {
    void this.#engine.exited.then(() => {
      if (this.#isOver) return
      this.#engine = this.#startEngine()
      this.#keepEngine()
    })
  }

  /** Every task was dialed, and nothing is open. False if the run stands still. */
  async #throughAll(): Promise<boolean> {
    let last = ''
    let sinceAtMs = clock.nowMs()
    let toldAtMs = sinceAtMs
    return becomesTrue(
      clock,
      async () => {
        const found = await this.#pool.query<Record<string, number>>(PROGRESS).catch(() => undefined)
        if (!found) return false
        const { left, open, attempts } = found.rows[0]!
        const shown = `${attempts} attempts, ${open} open, ${left} tasks left`
        if (shown !== last) sinceAtMs = clock.nowMs()
        last = shown
        if (clock.nowMs() - toldAtMs > 5_000) {
          toldAtMs = clock.nowMs()
          this.#kit.onLine(shown)
        }
        if (clock.nowMs() - sinceAtMs > STALLED_MS) throw new Error(`it stands still: ${shown}`)
        return left === 0 && open === 0
      },
      { everyMs: 200, limitMs: Infinity },
    ).catch((error: unknown) => {
      this.#kit.onLine(String(error))
      return false
    })
  }
}

/** A task whose only attempts left no trace is dialed again. */
const PROGRESS = `
select (select count(*)::int from attempts) as attempts,
       (select count(*)::int from attempts where ended_at_ms is null) as open,
       (select count(*)::int from call_tasks t where finished_at_ms is null and not exists
         (select 1 from attempts a where a.task_id = t.id and a.reach is distinct from 'nothing')) as left`

/** The result as a table. */
export function tableOf({ counts, results, violations, tookMs }: ChaosResult): string[] {
  const row = ([name, count]: readonly [string, number]) => `  ${name.padEnd(18)} ${String(count).padStart(7)}`
  return [
    'counted:',
    ...Object.entries(counts).map(row),
    'attempts by result:',
    ...Object.entries(results).map(row),
    `took ${(tookMs / 1_000).toFixed(1)} s; ${violations.length} violations`,
    ...violations.slice(0, 30).map((violation) => `  ✗ ${violation}`),
  ]
}
