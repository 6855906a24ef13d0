/** A backup during load, the loss of the database, and the restore: whom did the carrier see called, and how often? */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { OpenDatabase } from '../../src/app/repositories.ts'
import type { Client } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { type Random, randomInt, seededRandom } from '../../src/kernel/random.ts'
import type { Contact } from '../../src/sim/person.ts'
import { switchboard } from '../app/service-process.ts'
import {
  agentsAtWork,
  attemptsOf,
  becomesTrue,
  importTasks,
  integratorOf,
  makeCampaign,
  makeSystem,
  silentPhone,
} from './campaign-live.ts'
import { makePlace, type Place } from './campaign-place.ts'
import { startEngine } from './engine-process.ts'
import type { SteadyAgent } from './steady-agent.ts'

/** The size of a drill, in dialed people. */
export interface RestorePlan {
  /** Call tasks in the database. */
  readonly tasks: number
  /** Dialed before the backup begins, after it has ended and before the engine is killed, and after the restore. */
  readonly before: number
  readonly lost: number
  readonly after: number
  readonly seed: number
  readonly agents?: number
  /** The database is restored by other means than our command: nothing in it says so. */
  readonly isForeign?: boolean
}

/** What came out; empty lists are what is wanted. */
export interface RestoreResult {
  readonly dialed: number
  /** Attempts that the restored database lacked. */
  readonly imported: number
  /** Of those whom the lost engine had put through to an agent: all, and those whose task could still be dialed. */
  readonly talked: number
  readonly openAfterTalk: number
  /** Numbers that were called more often than once, and stopped ones that were called. */
  readonly tooOften: readonly string[]
  /** Dialed before anything was confirmed. */
  readonly tooEarly: number
  /** Recordings of before the backup that cannot be fetched any more. */
  readonly lostFiles: number
  readonly keptFiles: number
}

interface RestoreKit {
  readonly treeDirectory: string
  readonly onLine: (line: string) => void
}

const AGENTS = 4
const FIRST_NUMBER = 22_400_000
const LIMIT_MS = 180_000
const IMPORT_MAX = 10_000
const clock = new RealClock()

/** Everybody answers soon and talks shortly, or is busy. */
function personOf(random: Random): Contact {
  if (randomInt(random, 0, 99) < 20) return { does: 'busy', afterMs: 50 }
  const hangsUpAfterMs = randomInt(random, 1_100, 1_600)
  return { does: 'answer', ringsAfterMs: 0, afterMs: randomInt(random, 50, 300), hangsUpAfterMs }
}

/** Runs it. Rejects if a step of it fails. */
export async function runRestore(plan: RestorePlan, { treeDirectory, onLine }: RestoreKit): Promise<RestoreResult> {
  const names = Array.from({ length: plan.agents ?? AGENTS }, (_, index) => `agent-${index + 1}`)
  const place = await makePlace({ agents: names, treeDirectory, allowedHosts: [] })
  const people = seededRandom(plan.seed + 1)
  const logFile = join(place.directory, 'carrier.jsonl')
  const carrier = await openCarrier({
    clock,
    random: seededRandom(plan.seed),
    ...place.carrier,
    logFile,
    contactOf: () => personOf(people),
  })
  const phones = await Promise.all([...place.phones.values()].map((at) => silentPhone(clock, at)))
  try {
    return await drill(plan, place, carrier, onLine)
  } finally {
    await Promise.all([carrier, ...phones].map((one) => one.close()))
    await place.remove()
  }
}

async function drill(plan: RestorePlan, place: Place, carrier: SipCarrier, onLine: (line: string) => void) {
  const dialed = () => carrier.invites().length
  const until = async (what: string, isTrue: () => boolean | Promise<boolean>) => {
    if (!(await becomesTrue(clock, isTrue, { everyMs: 50, limitMs: LIMIT_MS }))) throw new Error(`not ${what} in time`)
  }
  const command = async (...args: string[]) => {
    const printed = await switchboard(args, place.env)
    for (const line of printed.trim().split('\n')) onLine(`  ${line}`)
    return printed
  }
  const ssoUrl = `http://127.0.0.1:${place.settings.ssoPort}`
  let engine = startEngine(place)
  await engine.ready
  const opened = await place.openDatabaseFor()
  let agents: SteadyAgent[] = []
  try {
    const client = await integratorOf(opened, clock, ssoUrl)
    const itsyId = await makeSystem(client, undefined)
    // The plan in the package has not so many numbers in a row.
    const settings = { recording: { mode: 'always' }, acceptPossibleNumbers: true }
    const callCode = await makeCampaign(client, itsyId, settings)
    const numbers = Array.from({ length: plan.tasks }, (_, index) => `+45${FIRST_NUMBER + 7 * index}`)
    const tasks = numbers.map((number) => ({ numbers: [number], caseNumber: number }))
    const ids: number[] = []
    for (let from = 0; from < tasks.length; from += IMPORT_MAX) {
      const part = tasks.slice(from, from + IMPORT_MAX)
      ids.push(...(await importTasks(client, callCode, part, { maxCallAttempts: 3, minCallIntervalHours: 4 })))
    }
    // Dialed in the order of their import.
    const first = ids.slice(0, plan.before)
    agents = await agentsAtWork(opened, clock, ssoUrl, place.phones.keys())
    await until('dialed before the backup', () => dialed() >= plan.before)
    onLine(`${dialed()} dialed: backup`)
    const archive = join(place.directory, 'backup.tar.gz')
    const kept = await recordingsOf(client, first)
    await command('backup', archive)
    const stopped = numbers.at(-1)!
    await client.ask('POST /dialer/stoplist/numbers', { body: { numbers: [stopped], reason: 'asked for' } } as never)
    const atBackup = dialed()
    await until('dialed after the backup', () => dialed() >= atBackup + plan.lost)
    await engine.kill('SIGKILL')
    onLine(`${dialed()} dialed: the engine was killed; the database, the recordings and the files are lost`)
    for (const folder of ['files', 'recordings', 'asterisk-run/spool/recording']) {
      rmSync(join(place.directory, folder), { recursive: true, force: true })
    }
    await command('restore', archive, '--replace')
    if (plan.isForeign) await unmark(place)
    const before = dialed()
    engine = startEngine(place)
    await engine.ready
    await Promise.all(agents.map((agent) => agent.is('ready')))
    const readiness = await fetch(`${ssoUrl}/readyz`)
    if (readiness.status !== 503) throw new Error('the service is ready, although its database was restored')
    const tooEarly = dialed() - before
    const imported = Number(/^(\d+) attempts/m.exec(await command('restore', 'confirm'))?.[1])
    const talks = (await opened.database.pools.jobs.query<{ talked: number; open: number }>(TALKS)).rows[0]!
    if (!plan.isForeign) await liftKillSwitch(client, await integratorOf(opened, clock, ssoUrl))
    await until('dialed after the restore', async () => {
      return dialed() >= before + plan.after || (await isAllDialed(opened.database))
    })
    const after = await recordingsOf(client, first)
    return {
      dialed: dialed(),
      imported,
      talked: talks.talked,
      openAfterTalk: talks.open,
      tooEarly,
      tooOften: tooOften(carrier, stopped),
      keptFiles: kept.length,
      lostFiles: kept.filter((one) => !after.includes(one)).length,
    }
  } finally {
    await Promise.all(agents.map((agent) => agent.leave()))
    await engine.kill('SIGTERM')
    await opened.database.close()
  }
}

/** As the backup was. */
const UNMARKED = 'update dial_state set to_confirm = null, backup_at_ms = null, kill_switch = false'

/** Everybody who may be called now was called. */
const LEFT = `select count(*)::int as left from call_tasks t where finished_at_ms is null
  and not exists (select from attempts a where a.task_id = t.id and a.reach is distinct from 'nothing')
  and not exists (select from call_task_numbers n join stopped_numbers s using (number) where n.task_id = t.id)`

/** Imported attempts belong to no engine. */
const TALKS = `select count(*)::int as talked, count(*) filter (where t.finished_at_ms is null)::int as open
  from attempts a join call_tasks t on t.id = a.task_id where a.agent is not null and a.fence = 0`

/** The command has stopped the server of the database, unless somebody else used it. */
async function unmark(place: Place): Promise<void> {
  const { database } = await place.openDatabaseFor()
  await database.pools.jobs.query(UNMARKED)
  await database.close()
}

async function isAllDialed({ pools }: OpenDatabase['database']): Promise<boolean> {
  return (await pools.jobs.query<{ left: number }>(LEFT)).rows[0]!.left === 0
}

function tooOften(carrier: SipCarrier, stopped: string): string[] {
  const counts = new Map<string, number>()
  for (const { number } of carrier.invites()) counts.set(number, (counts.get(number) ?? 0) + 1)
  const more = [...counts].filter(([, count]) => count > 1).map(([number, count]) => `${number}: ${count} calls`)
  return counts.has(stopped) ? [...more, `${stopped} is stopped, and was called`] : more
}

async function liftKillSwitch(client: Client, second: Client): Promise<void> {
  const { confirm } = await client.ask('PUT /dialer/killswitch', { body: { on: false } })
  const { on } = await second.ask('PUT /dialer/killswitch', { body: { on: false, confirm: confirm! } })
  if (on) throw new Error('the kill switch stays on')
}

/** The recordings of all calls that can be fetched, with their lengths. */
async function recordingsOf(client: Client, itcaIds: readonly number[]): Promise<string[]> {
  const eactIds = (await attemptsOf(client, itcaIds)).flatMap(({ eactId }) => eactId ?? [])
  if (eactIds.length === 0) return []
  const calls = await client.ask('POST /svcems/calls/search', { body: { eactIds } })
  const files = calls.flatMap(({ recordings }) => recordings.flatMap(({ cfreId }) => cfreId ?? []))
  const lengthOf = async (cfreId: number) => {
    const bytes = await client.ask('GET /rest/core/corefile', { query: { cfreId } }).catch(() => undefined)
    return bytes ? [`${cfreId}: ${bytes.length} bytes`] : []
  }
  return (await Promise.all(files.map(lengthOf))).flat()
}
