import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, AttemptId, CallTaskId, LegId, PhoneNumber } from '../../kernel/ids.ts'
import type { Claim, ClaimedAttempt, ClaimResult } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared, query } from '../db/transaction.ts'
import { type DecidedTask, judgeDueTasks, NOT_TYPED, WAS_PLACED } from './due-tasks.ts'
import { EXPIRED_REASON } from './expire-tasks.ts'
import { holdLease } from './node-leases.ts'
import { UNRESERVED, userOf, waitingStatus } from './waiting-task.ts'

/**
 * No stop and no kill switch is committed between our reading of them and the commit of the attempts (INV-D5, D13).
 * Planning the question about due tasks takes longer than answering it, and no value of it asks for another plan.
 */
const BEGIN = `begin; set local plan_cache_mode = force_generic_plan;
select pg_advisory_xact_lock_shared(${LOCKS.orders})`

export const claimDueTasks = {
  /**
   * Claims due tasks: locks them, asks the gate about each, and writes the attempts, in one transaction. When this
   * returns, the attempts are committed and may be dialed (R2). The claim skips tasks that another claim has locked. A
   * task whose number or person is being dialed stays due, and a later claim finds it again (INV-D3).
   */
  async claimDueTasks({ control }, claim) {
    const work = async (transaction: Transaction): Promise<ClaimResult> => {
      const moment = await holdLease(transaction, claim.lease, claim.earlier)
      if (!moment) return { outcome: 'no lease' }
      // Before a number is given: the lost attempts have the next ones.
      if (moment.isBehind) return { outcome: 'behind' }
      const judged = await judgeDueTasks(transaction, claim, moment)
      await putOff(transaction, judged, claim)
      if (judged.length === 0 && claim.only === undefined) {
        return { outcome: 'claimed', attempts: [], nextDueAtMs: await nextDueAtMs(transaction, claim) }
      }
      return { outcome: 'claimed', attempts: await writeAttempts(transaction, claim, judged) }
    }
    return inTransaction(control, work, BEGIN)
  },

  /** Offers an agent the first task that the gate permits. Returns the task as it was before. */
  async reserveTask({ control }, command) {
    const work = async (transaction: Transaction) => {
      const moment = await holdLease(transaction, command.lease)
      if (!moment) return 'no lease'
      const judged = await judgeDueTasks(transaction, { ...command, tasksMax: 1 }, moment)
      await putOff(transaction, judged, command)
      const chosen = judged.find(({ verdict }) => verdict.verdict === 'dial')
      if (!chosen) return 'nothing due'
      const text = `update call_tasks set status = 'reserved', reserved_by = $2::text, reserved_fence = $3,
                       assigned_user_id = ${userOf('call_tasks', '$2::text')}, updated_at_ms = $4 where id = $1`
      await transaction.query(text, [chosen.task.id, command.agent, command.lease.fence, command.atMs])
      return chosen.task
    }
    return inTransaction(control, work, BEGIN)
  },

  async releaseTask({ control }, task, nextCallAtMs, waitsFor) {
    const text = `update call_tasks set ${UNRESERVED}, next_call_at_ms = $2, waits_for = $3, put_off_version = null
                   where id = $1 and status = 'reserved'`
    await query(control, text, [task, nextCallAtMs, waitsFor ?? null])
  },
} satisfies Partial<In<DialerRepository>>

const NEXT_DUE: Prepared = {
  name: 'next-due',
  text: `select t.next_call_at_ms as "atMs" from call_tasks t
          where t.campaign_id = $1 and t.status in ('new', 'waiting', 'callback')
            and (t.status = 'callback' or ${NOT_TYPED}) order by t.next_call_at_ms limit 1`,
}

async function nextDueAtMs(transaction: Transaction, { campaign }: Claim): Promise<AtMs | null> {
  const [next] = await ask<{ atMs: AtMs }>(transaction, NEXT_DUE, [campaign])
  return next?.atMs ?? null
}

/** Stores both kinds of refusals: the next date of a task, or its end. A reserved task is free again. */
const PUT_OFF = `
update call_tasks t
   set status = coalesce(o.final_status, ${waitingStatus('t')}),
       finished_at_ms = case when o.final_status is not null then $2::bigint end,
       finish_reason = case o.final_status when 'expired' then '${EXPIRED_REASON}' else t.finish_reason end,
       next_call_at_ms = o.next_call_at_ms, waits_for = o.waits_for,
       put_off_version = case when o.waits_for is not null
         then coalesce($3::bigint, (select c.settings_version from campaigns c where c.id = t.campaign_id)) end,
       assigned_user_id = case when t.reserved_by is null then t.assigned_user_id
         else ${userOf('t', 't.callback_by')} end,
       reserved_by = null, reserved_fence = null, updated_at_ms = $2
  from jsonb_to_recordset($1::jsonb) as o(task bigint, final_status text, next_call_at_ms bigint,
    waits_for text)
 where t.id = o.task`

async function putOff(
  transaction: Transaction,
  judged: readonly DecidedTask[],
  { atMs, settingsVersion }: Pick<Claim, 'atMs' | 'settingsVersion'>,
): Promise<void> {
  const rows = judged.flatMap(({ task, verdict }): object[] => {
    if (verdict.verdict === 'later') {
      return [{ task: task.id, next_call_at_ms: verdict.nextCallAtMs, waits_for: verdict.why }]
    }
    return verdict.verdict === 'finish' ? [{ task: task.id, final_status: verdict.status }] : []
  })
  if (rows.length > 0) await transaction.query(PUT_OFF, [JSON.stringify(rows), atMs, settingsVersion ?? null])
}

/** A call of another task that the gate did not know: it began, and may have ended, since the look (campaigns-115). */
const IS_UNSEEN = `a.claimed_at_ms >= w.since_ms and a.id <> all(w.known) and a.task_id <> t.id
       and a.corporation_id = t.corporation_id and ${WAS_PLACED}`

/** First numbers come first: a task whose first number is taken is not dialed. Unique indexes stop slower claims. */
const WRITE: Prepared = {
  name: 'write-attempts',
  text: `
with wanted as materialized (
  select * from jsonb_to_recordset($1::jsonb) as row(task bigint, number text, lane integer, permit jsonb,
    since_ms bigint, known bigint[])
), made as (
  insert into attempts (task_id, campaign_id, corporation_id, attempt_number, number, person_key, lane, fence,
    claimed_at_ms, made_for, permit)
  select t.id, t.campaign_id, t.corporation_id, t.attempts_made + greatest(w.lane, 1), w.number, t.person_key,
    -- The gate has seen the date of the callback by the database's clock: the engine's may not have reached it.
    w.lane, $2, greatest($3, t.callback_at_ms), $4::text, w.permit
    from wanted w join call_tasks t on t.id = w.task
   where (w.lane = 0 or exists (select from attempts a where a.task_id = t.id and a.lane = 0 and a.holds_person))
     -- Another claim may have dialed a number of the task since this one looked.
     and not exists (select from call_task_numbers n join attempts a on a.number = n.number and a.ended_at_ms is null
                      where n.task_id = t.id and a.task_id <> t.id offset 0)
     and not exists (select from attempts a where a.person_key = t.person_key and ${IS_UNSEEN} offset 0)
     and not exists (select from call_task_numbers n join attempts a on a.number = n.number
                      where n.task_id = t.id and ${IS_UNSEEN} offset 0)
   order by w.number
  on conflict do nothing
  returning id, task_id, number, leg, activity_id, attempt_number
), marked as (
  update call_tasks t
     set status = 'dialing', attempts_made = greatest(attempts_made, m.attempt_number), last_call_at_ms = $3,
         next_call_at_ms = null, waits_for = null, put_off_version = null,
         assigned_user_id = case when $4::text is null then t.assigned_user_id else ${userOf('t', '$4::text')} end,
         reserved_by = null, reserved_fence = null, updated_at_ms = $3
    from (select task_id, max(attempt_number) as attempt_number from made group by task_id) m where m.task_id = t.id
)
select id, task_id as task, number, leg, activity_id as activity, attempt_number as "attemptNumber" from made
 order by id`,
}

async function writeAttempts(
  transaction: Transaction,
  { lease, atMs, agent, dialedSinceAtMs }: Claim,
  judged: readonly DecidedTask[],
): Promise<ClaimedAttempt[]> {
  const rowsOf = ({ task, verdict }: DecidedTask) => {
    if (verdict.verdict !== 'dial') return []
    // Any other call to them is later than the newest that the gate knows: a minute lies between two (D-12).
    const since_ms = task.touches[0]?.claimedAtMs ?? dialedSinceAtMs - task.intervalMs
    const known = task.touches.flatMap(({ id, claimedAtMs }) => (claimedAtMs >= since_ms ? [id] : []))
    return verdict.numbers.map((number, lane) => ({ task: task.id, lane, ...number, since_ms, known }))
  }
  const tasks = new Map(judged.map(({ task }) => [task.id, task]))
  const wanted = judged.flatMap(rowsOf)
  const lanes = [wanted.filter(({ lane }) => lane === 0), wanted.filter(({ lane }) => lane > 0)]
  const attempts: ClaimedAttempt[] = []
  for (const rows of lanes.filter(({ length }) => length > 0)) {
    const made = await ask<MadeRow>(transaction, WRITE, [JSON.stringify(rows), lease.fence, atMs, agent ?? null])
    for (const row of made) {
      // Every attempt was requested for a task of this claim.
      const { permit } = rows.find(({ task, number }) => task === row.task && number === row.number)!
      attempts.push({ ...row, task: tasks.get(row.task)!, permit })
    }
  }
  return attempts
}

interface MadeRow {
  readonly id: AttemptId
  readonly task: CallTaskId
  readonly number: PhoneNumber
  readonly leg: LegId
  readonly activity: ActivityId
  readonly attemptNumber: number
}
