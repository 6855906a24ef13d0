import type { AtMs } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import type { CallTaskId, PhoneNumber } from '../ports/call-task.ts'
import type { ActivityId, AttemptId, Claim, ClaimedAttempt, ClaimResult, DueTask, Verdict } from '../ports/records.ts'
import type { Pools } from './pools.ts'
import { STOP_LISTS_LOCK } from './stop-lists.ts'
import { inTransaction, type Transaction } from './transaction.ts'

/**
 * Claims due tasks: locks them, asks the gate about each, and writes the attempts, in one transaction. When this
 * returns, the attempts are committed and may be dialed (R2). A task that somebody else is claiming is passed over;
 * one whose number or person is being dialed stays due, and is found again when that is over (INV-D3).
 */
export async function claimDueTasks({ control }: Pools, claim: Claim): Promise<ClaimResult> {
  return inTransaction(control, async (transaction) => {
    // Shared: whoever takes the lease away waits for this transaction, and finds its attempts (INV-D12).
    const lease = await transaction.query(
      'select 1 from node_leases where node = $1 and fence = $2 and expires_at > clock_timestamp() for share',
      [claim.lease.node, claim.lease.fence],
    )
    if (lease.rowCount === 0) return { outcome: 'no lease' }
    // No stop is committed between our reading of the stop lists and the commit of the attempts (INV-D5).
    await transaction.query('select pg_advisory_xact_lock_shared($1)', [STOP_LISTS_LOCK])
    const due = await lockDueTasks(transaction, claim)
    const judged = due.map((task) => ({ task, verdict: claim.decide(task) }))
    for (const { task, verdict } of judged) await putOff(transaction, task, verdict, claim.atMs)
    const wanted = judged.flatMap(({ task, verdict }) =>
      verdict.verdict === 'dial' ? verdict.numbers.map((number, lane) => ({ task, number, lane })) : [],
    )
    return { outcome: 'claimed', attempts: await writeAttempts(transaction, claim, wanted) }
  })
}

/** A number of a task that shall be dialed now. */
interface Wanted {
  readonly task: DueTask
  readonly number: PhoneNumber
  readonly lane: number
}

const DUE = `
with due as materialized (
  select t.* from call_tasks t join campaigns c on c.id = t.campaign_id and c.active
   where t.campaign_id = $1 and t.status in ('new', 'waiting', 'callback') and t.next_call_at_ms <= $2
     and not exists (select from attempts a where a.person_key = t.person_key and a.holds_person)
     and not exists (select from call_task_numbers n join attempts a on a.number = n.number and a.ended_at_ms is null
                      where n.task_id = t.id)
     and not exists (select from stopped_persons s
                      where s.corporation_id = t.corporation_id and s.person_key = t.person_key)
   order by t.next_call_at_ms, t.id limit $3
   for update of t skip locked
)
select d.id, d.corporation_id, d.status, d.receiver_name, d.external_customer, d.external_case_number,
  d.attempts_counted, d.attempts_max, d.interval_ms,
  (select jsonb_agg(jsonb_build_object('number', n.number, 'position', n.position, 'stopped', s.number is not null)
           order by n.position)
     from call_task_numbers n
     left join stopped_numbers s on s.number = n.number and s.corporation_id = d.corporation_id
    where n.task_id = d.id) as numbers,
  array(select a.claimed_at_ms from attempts a
         where a.person_key = d.person_key and a.claimed_at_ms >= $4 and a.result is distinct from 'blocked'
         order by a.claimed_at_ms desc limit 100) as dialed_at_ms
  from due d order by d.next_call_at_ms, d.id`

async function lockDueTasks(transaction: Transaction, claim: Claim): Promise<DueTask[]> {
  const values = [claim.campaign, claim.atMs, claim.tasksMax, claim.dialedSinceAtMs]
  const { rows } = await transaction.query(DUE, values)
  return (rows as DueRow[]).map((row) => ({
    id: row.id,
    corporation: row.corporation_id,
    status: row.status,
    receiverName: row.receiver_name,
    numbers: row.numbers ?? [],
    ...(row.external_customer === null ? {} : { externalCustomer: row.external_customer }),
    ...(row.external_case_number === null ? {} : { externalCaseNumber: row.external_case_number }),
    attemptsCounted: row.attempts_counted,
    attemptsMax: row.attempts_max,
    intervalMs: row.interval_ms,
    dialedAtMs: row.dialed_at_ms,
  }))
}

interface DueRow {
  readonly id: CallTaskId
  readonly corporation_id: DueTask['corporation']
  readonly status: DueTask['status']
  readonly receiver_name: string
  readonly external_customer: string | null
  readonly external_case_number: string | null
  readonly attempts_counted: number
  readonly attempts_max: number
  readonly interval_ms: number
  readonly numbers: DueTask['numbers'] | null
  readonly dialed_at_ms: AtMs[]
}

async function putOff(transaction: Transaction, { id }: DueTask, verdict: Verdict, atMs: AtMs): Promise<void> {
  if (verdict.verdict === 'later') {
    const text = 'update call_tasks set next_call_at_ms = $2, updated_at_ms = $3 where id = $1'
    await transaction.query(text, [id, verdict.nextCallAtMs, atMs])
  } else if (verdict.verdict === 'finish') {
    const text = `update call_tasks set status = $2, finished_at_ms = $3, updated_at_ms = $3, next_call_at_ms = null
                   where id = $1`
    await transaction.query(text, [id, verdict.status, atMs])
  }
}

/**
 * The first numbers of all tasks come before the second ones: a task whose first number cannot be had is not dialed
 * at all, and it has been counted when its second one comes. Where another claim was quicker with the number or the
 * person since the tasks were read, the unique indexes let nothing through.
 */
const WRITE = `
with wanted as materialized (
  select * from jsonb_to_recordset($1::jsonb) as row(task bigint, number text, lane integer)
), made as (
  insert into attempts (task_id, campaign_id, corporation_id, attempt_number, number, person_key, lane, fence,
    claimed_at_ms)
  select t.id, t.campaign_id, t.corporation_id, t.attempts_made + greatest(w.lane, 1), w.number, t.person_key,
    w.lane, $2, $3
    from wanted w join call_tasks t on t.id = w.task
   where w.lane = 0 or exists (select from attempts a where a.task_id = t.id and a.lane = 0 and a.holds_person)
   order by w.number
  on conflict do nothing
  returning *
), marked as (
  update call_tasks t
     set status = 'dialing', attempts_made = greatest(attempts_made, m.attempt_number), last_call_at_ms = $3,
         next_call_at_ms = null, callback_at_ms = null, updated_at_ms = $3
    from (select task_id, max(attempt_number) as attempt_number from made group by task_id) m where m.task_id = t.id
)
select id, task_id, number, lane, leg, activity_id, attempt_number from made order by id`

async function writeAttempts(transaction: Transaction, claim: Claim, wanted: readonly Wanted[]) {
  const tasks = new Map(wanted.map(({ task }) => [task.id, task]))
  const lanes = [wanted.filter(({ lane }) => lane === 0), wanted.filter(({ lane }) => lane > 0)]
  const attempts: ClaimedAttempt[] = []
  for (const rows of lanes.filter(({ length }) => length > 0)) {
    const json = JSON.stringify(rows.map(({ task, number, lane }) => ({ task: task.id, number, lane })))
    const made = await transaction.query(WRITE, [json, claim.lease.fence, claim.atMs])
    for (const row of made.rows as AttemptRow[]) {
      attempts.push({
        id: row.id,
        task: tasks.get(row.task_id)!,
        number: row.number,
        attemptNumber: row.attempt_number,
        leg: row.leg,
        activity: row.activity_id,
      })
    }
  }
  return attempts
}

interface AttemptRow {
  readonly id: AttemptId
  readonly task_id: CallTaskId
  readonly number: PhoneNumber
  readonly leg: LegId
  readonly activity_id: ActivityId
  readonly attempt_number: number
}
