/** A database that was restored from a backup: what it lacks, and that it does not dial before that is known. */
import type { AtMs } from '../../kernel/clock.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import type { ClaimWitness, WitnessedAttempt, WitnessedStop } from '../../ports/calls/witness.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import { intend } from '../db/audit-intent.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'

type Jobs = Pick<Pools, 'jobs'>

/** Whether the database waits for a confirmation, and from when on witnesses count. */
export interface Restored {
  /** Null: nothing is to be confirmed. */
  readonly toConfirm: string | null
  /** Null: it was not restored by `switchboard restore`. */
  readonly backupAtMs: AtMs | null
  readonly confirmedAtMs: AtMs
  /** The highest attempt that it ever gave a number. */
  readonly highestAttempt: number
}

const RESTORED = `
select d.to_confirm as "toConfirm", d.confirmed_at_ms as "confirmedAtMs", d.backup_at_ms as "backupAtMs",
       coalesce(pg_sequence_last_value(pg_get_serial_sequence('attempts', 'id')::regclass), 0) as "highestAttempt"
  from dial_state d`

/** What the database says of itself. */
export async function restoredState({ jobs }: Jobs): Promise<Restored> {
  // The migration made the row, and no statement removes it.
  return (await query<Restored>(jobs, RESTORED, []))[0]!
}

/** Those of the claims that the database does not know. */
export async function unknownClaims(
  { jobs }: Jobs,
  claims: readonly Pick<ClaimWitness, 'attempt' | 'task'>[],
): Promise<ReadonlySet<number>> {
  const rows = await query<{ attempt: number }>(
    jobs,
    // By the call task, not by the number: an erasure takes numbers away, and reaches the journal of one node only.
    `select c.attempt from jsonb_to_recordset($1::jsonb) as c(attempt bigint, task bigint)
      where not exists (select from attempts a where a.id = c.attempt and a.task_id = c.task)`,
    [JSON.stringify(claims.map(({ attempt, task }) => ({ attempt, task })))],
  )
  return new Set(rows.map(({ attempt }) => attempt))
}

/** From now on nothing is dialed; the first reason stands. */
export async function waitForConfirmation({ jobs }: Jobs, why: string): Promise<void> {
  await inTransaction(jobs, async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.orders])
    await transaction.query('update dial_state set to_confirm = coalesce(to_confirm, $1)', [why])
    await notify(transaction, 'orders')
  })
}

/** The kill switch is on as well: an operator lifts it when all else is as it should be. */
export async function markRestored({ jobs }: Jobs, backupAtMs: AtMs, nowMs: AtMs): Promise<void> {
  // Of engines that ended with the lost database: nobody waits for the end of their leases.
  await query(jobs, 'delete from node_leases', [])
  await query(
    jobs,
    `update dial_state set kill_switch = true, kill_switch_by = 'switchboard restore', kill_switch_at_ms = $2,
       to_confirm = $3, backup_at_ms = $1`,
    [backupAtMs, nowMs, `the database was restored from the backup of ${new Date(backupAtMs).toISOString()}`],
  )
}

export interface Confirmation {
  readonly attempts: readonly WitnessedAttempt[]
  readonly stops: readonly WitnessedStop[]
  /** The highest attempt of any witness, imported or not: numbers are not given twice. */
  readonly highestAttempt: number
  readonly nowMs: AtMs
}

/** How much was imported; `lost` could not be, because the database does not know their campaigns. */
export interface Imported {
  readonly attempts: number
  readonly stops: number
  readonly lost: readonly WitnessedAttempt[]
}

/** Their number; those of them that were talks; all that the database knows now. */
interface ImportedAttempts {
  readonly attempts: number
  readonly talked: readonly number[]
  readonly found: readonly number[]
}

/** Imports what the database lacks, and lets it dial again. In one transaction. */
export async function confirmRestored({ jobs }: Jobs, confirmation: Confirmation): Promise<Imported> {
  return inTransaction(jobs, async (transaction) => {
    const { nowMs } = confirmation
    await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.orders])
    await transaction.query('set local statement_timeout = 0')
    const given = JSON.stringify(confirmation.attempts.map((attempt) => shownAs(attempt, nowMs)))
    await transaction.query(TASKS, [given, nowMs])
    // A select without a table returns one row.
    const { attempts, talked, found } = (await ask<ImportedAttempts>(transaction, ATTEMPTS, [given]))[0]!
    await transaction.query(FINISH, [talked])
    const stops = await importStops(transaction, confirmation.stops)
    await transaction.query(NUMBERS, [confirmation.highestAttempt, MARGIN])
    const text = 'update dial_state set to_confirm = null, backup_at_ms = null, confirmed_at_ms = $1'
    await transaction.query(text, [nowMs])
    const { rows } = await transaction.query<{ id: never }>('select id from corporations order by id limit 1')
    await intend(
      transaction,
      rows.map(({ id }) => id),
      entryOf(attempts, nowMs),
      nowMs,
    )
    await notify(transaction, 'orders')
    const known = new Set(found)
    return { attempts, stops, lost: confirmation.attempts.filter(({ attempt }) => !known.has(attempt)) }
  })
}

/** Numbers of attempts and calls that the lost database may have given to others, unseen by any witness. Our choice. */
const MARGIN = 100_000

function shownAs(attempt: WitnessedAttempt, nowMs: AtMs): object {
  const { claimedAtMs, ringingAtMs, answeredAtMs, endedAtMs, attemptNumber, talkedWith, result, ...rest } = attempt
  return {
    ...rest,
    attempt_number: attemptNumber,
    claimed_at_ms: claimedAtMs,
    ringing_at_ms: ringingAtMs,
    answered_at_ms: answeredAtMs,
    // Nobody saw the end: the latest possible instant (INV-D2).
    ended_at_ms: endedAtMs ?? nowMs,
    agent: talkedWith,
    result: result ?? (talkedWith === undefined ? 'unknown' : 'answered'),
    counts: result !== 'blocked' && result !== 'withdrawn',
    reach: answeredAtMs ? 'answered' : ringingAtMs ? 'rang' : result === 'blocked' ? 'nothing' : 'sent',
  }
}

const GIVEN = `jsonb_to_recordset($1::jsonb) as g(attempt bigint, task bigint, campaign bigint, corporation bigint,
  number text, person text, attempt_number integer, activity bigint, claimed_at_ms bigint, ringing_at_ms bigint,
  answered_at_ms bigint, ended_at_ms bigint, agent text, result text, counts boolean,
  reach text)`

/** A task that was imported after the backup is known by its calls alone; it is over, and holds their rules. */
const TASKS = `
insert into call_tasks (id, corporation_id, campaign_id, receiver_name, duplicate_key, person_key, attempts_max,
  interval_ms, status, created_at_ms, updated_at_ms, finished_at_ms, finish_reason)
overriding system value
select distinct on (g.task) g.task, g.corporation, g.campaign, 'Unknown', 'restored:' || g.task, g.person, 1, 0,
  'stopped', g.claimed_at_ms, $2, $2, 'made after the backup from which the database was restored'
  from ${GIVEN} join campaigns c on c.id = g.campaign and c.corporation_id = g.corporation
 where not exists (select from call_tasks t where t.id = g.task)
 order by g.task, g.attempt`

const ATTEMPTS = `
with given as materialized (
  select g.*, a.id is not null as is_known from ${GIVEN}
    join call_tasks t on t.id = g.task and t.corporation_id = g.corporation and t.campaign_id = g.campaign
    left join attempts a on a.id = g.attempt and a.task_id = g.task
), made as (
  insert into attempts (id, task_id, campaign_id, corporation_id, activity_id, attempt_number, number, person_key,
    fence, claimed_at_ms, dialed_at_ms, ringing_at_ms, answered_at_ms, ended_at_ms, holds_person, agent, result, counts,
    reach)
  overriding system value
  select g.attempt, g.task, g.campaign, g.corporation, g.activity, g.attempt_number, g.number, g.person, 0,
    g.claimed_at_ms, case when g.reach <> 'nothing' then g.claimed_at_ms end, g.ringing_at_ms, g.answered_at_ms,
    g.ended_at_ms, false, g.agent, g.result, g.counts, g.reach
    from given g where not g.is_known
  on conflict do nothing
  returning id, task_id, attempt_number, ended_at_ms, claimed_at_ms, result, counts, reach
), counted as (
  update call_tasks t
     set attempts_counted = t.attempts_counted + m.count, attempts_made = greatest(t.attempts_made, m.number),
         last_call_at_ms = greatest(t.last_call_at_ms, m.claimed_at_ms), updated_at_ms = greatest(t.updated_at_ms,
           m.ended_at_ms), status = case when t.status = 'new' then 'waiting' else t.status end,
         next_call_at_ms = case when t.finished_at_ms is null then coalesce(t.next_call_at_ms, m.ended_at_ms) end,
         waits_for = null, put_off_version = null
    from (select task_id, (count(*) filter (where counts))::int as count, max(attempt_number) as number,
            max(claimed_at_ms) filter (where reach <> 'nothing') as claimed_at_ms, max(ended_at_ms) as ended_at_ms
            from made group by task_id) m
   where t.id = m.task_id
), corrected as (
  -- Under way at the backup: the engine that found them knew as little of them as the database.
  update attempts a
     set result = 'answered', reach = 'answered', agent = g.agent,
         answered_at_ms = coalesce(a.answered_at_ms, g.answered_at_ms)
    from given g where a.id = g.attempt and g.is_known and g.result = 'answered' and a.ended_at_ms is not null
     and a.result in ('unknown', 'dropped', 'lost')
  returning a.id
)
select (select count(*)::int from made) as attempts,
  (select coalesce(array_agg(id), '{}') from (
    select id from made where result = 'answered' union all select id from corrected) as talked) as talked,
  (select coalesce(array_agg(id), '{}') from (
    select id from made union all select attempt from given where is_known) as found) as found`

/** As a talk ends a task; what its agent noted of it is lost. A promise for later stands. */
const FINISH = `
update call_tasks t
   set status = 'answered', answered = true, finished_at_ms = m.ended_at_ms, next_call_at_ms = null,
       updated_at_ms = greatest(t.updated_at_ms, m.ended_at_ms), reserved_by = null, reserved_fence = null,
       finish_reason = 'talked after the backup from which the database was restored'
  from (select task_id, max(ended_at_ms) as ended_at_ms from attempts where id = any($1) group by task_id) m
 where t.id = m.task_id and t.finished_at_ms is null and not coalesce(t.callback_at_ms > m.ended_at_ms, false)`

/** Only ever added: whether a stop was taken away since is not known to every node. */
async function importStops(transaction: Transaction, stops: readonly WitnessedStop[]): Promise<number> {
  const { rows } = await transaction.query<{ count: number }>(STOPS, [JSON.stringify(stops)])
  // A select without a table returns one row.
  return rows[0]!.count
}

const STOPS = `
with given as materialized (
  select * from jsonb_to_recordset($1::jsonb) as g(corporation bigint, by text, reason text, number text, task bigint,
    "externalSystem" bigint, "externalCustomer" text, "atMs" bigint)
), numbers as (
  insert into stopped_numbers (corporation_id, number, created_at_ms, added_by, reason)
  select distinct on (corporation, number) corporation, number, "atMs", by, reason from given
   where number is not null and corporation in (select id from corporations) order by corporation, number, "atMs"
  on conflict do nothing returning 1
), persons as (
  insert into stopped_persons (corporation_id, person_key, created_at_ms, added_by, reason)
  select distinct on (g.corporation, p.key) g.corporation, p.key, g."atMs", g.by, g.reason from given g
    left join call_tasks t on t.id = g.task and t.corporation_id = g.corporation
    cross join lateral (
      select coalesce(t.person_key, g."externalSystem" || ':' || g."externalCustomer") as key) p
   where p.key is not null and g.corporation in (select id from corporations)
   order by g.corporation, p.key, g."atMs"
  on conflict do nothing returning 1
)
select (select count(*) from numbers)::int + (select count(*) from persons)::int as count`

/** The last value that the sequence of a table gave, also to what was rolled back. */
const lastOf = (table: string) =>
  `coalesce(pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')::regclass), 0)`

const NUMBERS = `
select setval(pg_get_serial_sequence('attempts', 'id'), greatest(${lastOf('attempts')}, $1::bigint,
         (select max(id) from attempts)) + $2::bigint),
       setval(pg_get_serial_sequence('call_tasks', 'id'), greatest(${lastOf('call_tasks')},
         (select max(id) from call_tasks)) + $2::bigint),
       setval('activity_ids', greatest((select last_value from activity_ids),
         (select max(activity_id) from attempts)) + $2::bigint)`

function entryOf(count: number, atMs: AtMs): AuditEntry {
  return {
    atMs,
    credential: 'restore',
    user: null,
    action: 'change',
    object: 'restored database',
    ids: [],
    count,
    operation: 'restore confirm',
    reason: null,
    address: '',
    traceId: '',
  }
}
