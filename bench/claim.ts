import { RealClock } from '../src/kernel/clock.ts'
import type { AgentName, CampaignId } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import type { DueTask, Verdict } from '../src/ports/attempt.ts'
import { type Database, openDatabase } from '../src/store/db/open-database.ts'
import { postgresDialerRepository } from '../src/store/dialer/dialer-repository.ts'
import type { Benchmark, Kit, Plan, Result } from './benchmark.ts'
import { figure } from './report.ts'
import { quantile } from './statistics.ts'

const WAITING = 1_000_000
const DUE = 10_000
const CALLBACKS = 2_000
/** Tasks of one claim. */
const LINES = 10
const PART = 100_000
const PARTS = [0.5, 0.95, 0.99, 1]
const DAY_MS = 86_400_000
/** Both have the same due tasks; only the first has tasks that are not due. */
const FULL = 7 as CampaignId
const BARE = 8 as CampaignId

/** How fast the next call tasks are claimed among a million. */
export const claim: Benchmark = {
  name: 'claim',
  about: 'claims of 10 call tasks each among 1,000,000 that wait, 1 % due, 2,000 promised callbacks',
  defaults: { rounds: 3 },
  async run({ rounds }: Plan, kit: Kit): Promise<Result> {
    const database = await openHouse(kit)
    try {
      await fill(database, kit)
      const full: number[] = []
      const bare: number[] = []
      for (let round = 0; round <= rounds; round++) {
        kit.onLine(`claim: round ${round} of ${rounds}; round 0 is not counted`)
        const times = [await claimAll(database, FULL), await claimAll(database, BARE)] as const
        if (round === 0) continue
        full.push(...times[0])
        bare.push(...times[1])
      }
      return resultOf(full, bare)
    } finally {
      await database.close()
    }
  },
}

async function openHouse({ directory, onLine }: Kit): Promise<Database> {
  const opened = await openDatabase({ dataDirectory: directory, clock: new RealClock(), log: silentLog, onLine })
  if (!opened.ok) throw new Error(`${opened.why}; ${opened.remedy}`)
  return opened
}

/** Once: the directory of the benchmark keeps the tasks. */
async function fill({ pools }: Database, { onLine }: Kit): Promise<void> {
  await pools.jobs.query(`
    insert into corporations (id, name, created_at_ms) values (1, 'Collectors', 0) on conflict do nothing;
    insert into external_systems (id, corporation_id, code, name) values (3, 1, 'DEBT', 'Debts') on conflict do nothing;
    insert into campaigns (id, corporation_id, external_system_id, name, active, settings, created_at_ms, updated_at_ms)
      select id, 1, 3, 'Campaign ' || id, true, '{}', 0, 0 from unnest(array[${FULL}, ${BARE}]) id
      on conflict do nothing`)
  const { rows } = await pools.jobs.query<{ count: number }>('select count(*) as count from call_tasks')
  if (rows[0]?.count === WAITING + DUE) return
  await pools.jobs.query('truncate call_tasks cascade')
  for (let first = 0; first < WAITING; first += PART) {
    onLine(`claim: ${figure(first)} of ${figure(WAITING)} call tasks are there`)
    await insert(pools, FULL, first, first + PART - 1)
  }
  // The places of those that are due, a hundred apart.
  await insert(pools, BARE, 0, WAITING - 1, 100)
}

/** One of a hundred is due, and of those every fifth is a callback. */
async function insert(pools: Database['pools'], campaign: number, from: number, to: number, step = 1): Promise<void> {
  await pools.jobs.query(
    `with made as (
       insert into call_tasks (corporation_id, campaign_id, external_system_id, receiver_name, external_customer,
         external_case_number, duplicate_key, person_key, attempts_max, interval_ms, next_call_at_ms, created_at_ms,
         updated_at_ms)
       select 1, c.id, 3, 'Jane Doe ' || n, c.id || '-' || n, 'CASE-' || n, 'key-' || n, '3:' || c.id || '-' || n, 3,
         14400000, 4000000000000 + n, n, n
         from generate_series($2::int, $3::int, $4::int) n, campaigns c
          where c.id = $1::bigint returning id, created_at_ms)
     insert into call_task_numbers (task_id, position, given, number)
     select id, 0, number, number
       from (select id, '+45' || $1::bigint::text || lpad(created_at_ms::text, 7, '0') as number from made) numbered`,
    [campaign, from, to, step],
  )
}

/** As on the first morning: nothing was dialed, one of a hundred is due. */
async function reset({ pools }: Database, campaign: CampaignId): Promise<void> {
  await pools.jobs.query('delete from attempts where campaign_id = $1', [campaign])
  await pools.jobs.query(
    `update call_tasks
        set status = case when created_at_ms % 500 = 0 then 'callback' else 'new' end, attempts_made = 0,
            last_call_at_ms = null, callback_at_ms = case when created_at_ms % 500 = 0 then $2::bigint end,
            callback_by = case when created_at_ms % 1000 = 0 then 'anna' end,
            next_call_at_ms = $2::bigint
      where campaign_id = $1 and created_at_ms % 100 = 0`,
    [campaign, Date.now() - 3_600_000],
  )
  await pools.jobs.query('vacuum analyze call_tasks, call_task_numbers, attempts')
}

/** Claims all that is due, ten at a time; the time of each claim, with the writing of its attempts. */
async function claimAll(database: Database, campaign: CampaignId): Promise<number[]> {
  await reset(database, campaign)
  const repository = postgresDialerRepository(database.pools)
  const lease = await repository.takeLease('bench', DAY_MS)
  const agents = ['ben' as AgentName]
  const timesMs: number[] = []
  let callbacks = 0
  const decide = ({ numbers, status }: DueTask): Verdict => {
    if (status === 'callback') callbacks++
    return { verdict: 'dial', numbers: [{ number: numbers[0]!.number, permit: { rules: 'bench' } }] }
  }
  for (let count = 0; count < DUE; count += LINES) {
    const atMs = Date.now()
    const kept = { agents, sinceAtMs: atMs - 600_000 }
    const beganAtMs = performance.now()
    const result = await repository.claimDueTasks({
      lease,
      campaign,
      tasksMax: LINES,
      atMs,
      dialedSinceAtMs: atMs - 7 * DAY_MS,
      kept,
      decide,
    })
    timesMs.push(performance.now() - beganAtMs)
    if (result.outcome !== 'claimed' || result.attempts.length !== LINES) throw new Error('a claim found too little')
    if (count + LINES === CALLBACKS && callbacks !== CALLBACKS) throw new Error('callbacks did not come first')
  }
  return timesMs
}

function resultOf(full: readonly number[], bare: readonly number[]): Result {
  const p99 = quantile(full, 0.99)
  const ratio = quantile(full, 0.5) / quantile(bare, 0.5)
  return {
    bars: [
      { what: 'claim of 10 call tasks, p99', measured: p99, unit: 'ms', limit: { atMost: 20 } },
      {
        what: 'median beside the same without tasks that are not due',
        measured: ratio,
        unit: 'times',
        limit: { atMost: 1.2 },
      },
    ],
    tables: [
      {
        head: ['call tasks', 'due', 'claims', 'p50', 'p95', 'p99', 'max, ms'],
        rows: (
          [
            [WAITING, full],
            [DUE, bare],
          ] as const
        ).map(([tasks, times]) => [
          figure(tasks),
          figure(DUE),
          figure(times.length),
          ...PARTS.map((part) => figure(quantile(times, part))),
        ]),
      },
    ],
    notes: [NOTE],
  }
}

const NOTE =
  'On the embedded PostgreSQL, by the port of the dialer: one claim locks ten call tasks, asks a gate that lets all ' +
  'pass, writes ten attempts and commits. The claims of a round take all 10,000 call tasks that are due; the 2,000 ' +
  'callbacks come first, which every round checks. Two campaigns take turns: one has 990,000 call tasks that are not ' +
  'due, the other has none.'
