import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, AttemptId, CallTaskId, Fence } from '../../kernel/ids.ts'
import { type AttemptEnd, type AttemptWrite, PROMISE_STANDS_AFTER } from '../../ports/attempt.ts'
import { isFinished } from '../../ports/call-task.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared } from '../db/transaction.ts'
import { carryCallback } from './callbacks.ts'
import { followAfterMachine } from './corrections.ts'

/** A call that reached nobody keeps no promise: the callback is tried again. */
const KEEPS_PROMISE = `'{${PROMISE_STANDS_AFTER.join(',')}}'::text[]`

/** The `finishReason` of a typed number, before the result of its call (campaigns-113). */
export const ONCE = 'dialed once, by hand'

/** Ends an attempt, and says what follows for its task. The first end stands (INV-O2). */
export const endAttempt = {
  async endAttempt({ control }, end) {
    return inTransaction(control, async (transaction) => {
      const standing = await lockAttempt(transaction, end.attempt, end.fence)
      if (standing !== 'open') return standing
      const [ended] = await ask<EndedAttempt>(transaction, END_ALONE, [endText(end)])
      await goOn(transaction, ended, end.atMs)
      return 'written'
    })
  },
} satisfies Partial<In<DialerRepository>>

/**
 * The parts of a statement that ends the attempt of its first value, a JSON text. The task and the attempt are locked
 * already, so that of two numbers that end together the later one sees the earlier. The promise of a callback stands
 * until an attempt that was placed at or after its date has ended: one that an agent gives in a conversation is not
 * forgotten with its end, and one whose call reached nobody is tried again. A finished task stays as it is, except that
 * it may have been answered after all. A typed number is dialed once: without a promise its task ends (campaigns-113).
 */
export const END = `
given_end as materialized (
  select * from jsonb_to_record($1::jsonb) as row(attempt bigint, result text, reach text, counts boolean,
    at_ms bigint, dialed_at_ms bigint, ringing_at_ms bigint, answered_at_ms bigint, agent text, sip_status integer,
    hangup_cause integer, is_ring_cut_short boolean, wait_ms bigint, next_status text, is_final boolean,
    next_call_at_ms bigint, heard text, greeting_id bigint, is_greeting_known boolean)
), ending as materialized (
  select g.*, a.task_id, o.still_rings,
    g.counts or c.attempt_id is not null as is_counted,
    t.finished_at_ms is null and (g.is_final or not o.still_rings) as settles,
    p.is_promised, t.is_typed and not p.is_promised as is_once,
    t.is_typed and not (p.is_promised or g.is_final or o.still_rings) as is_cut,
    c.attempt_id is not null as is_corrected, t.changed_in_call,
    coalesce(t.callback_promised_at_ms >= a.claimed_at_ms, false) as is_given_now
    from given_end g join attempts a on a.id = g.attempt join call_tasks t on t.id = a.task_id
    left join attempt_corrections c on c.attempt_id = a.id
    cross join lateral (select exists (select from attempts o
      where o.task_id = a.task_id and o.id <> a.id and o.ended_at_ms is null) as still_rings) o
    cross join lateral (select t.callback_at_ms is not null
      and (g.reach = 'nothing' or a.claimed_at_ms < t.callback_at_ms
           or g.result = any(${KEEPS_PROMISE})) as is_promised) p
), ended as (
  update attempts a
     set ended_at_ms = e.at_ms, result = e.result, reach = e.reach, counts = e.is_counted,
         dialed_at_ms = e.dialed_at_ms, ringing_at_ms = e.ringing_at_ms, answered_at_ms = e.answered_at_ms,
         agent = coalesce(e.agent, a.agent), sip_status = e.sip_status, hangup_cause = e.hangup_cause,
         is_ring_cut_short = coalesce(e.is_ring_cut_short, false), wait_ms = e.wait_ms, holds_person = e.still_rings,
         heard = e.heard, greeting_id = coalesce(e.greeting_id, a.greeting_id),
         is_greeting_known = e.is_greeting_known, transfers = null
    from ending e where a.id = e.attempt
), freed as (
  -- The person is free when the last of the numbers dialed together has ended.
  update attempts a set holds_person = false
    from ending e where a.task_id = e.task_id and a.id <> e.attempt and a.holds_person and not e.still_rings
), moved as (
  update call_tasks t
     set attempts_counted = t.attempts_counted + e.is_counted::int,
         answered = t.answered or e.result = 'answered',
         updated_at_ms = e.at_ms,
         status = case when not e.settles then t.status when e.is_cut then 'endedBySystem'
                       when e.is_promised and not e.is_final then 'callback' else e.next_status end,
         finished_at_ms = case when e.settles and (e.is_final or e.is_cut) then e.at_ms else t.finished_at_ms end,
         finish_reason = case when e.settles and e.is_cut
           then case e.reach when 'nothing' then 'not dialed: ' else '${ONCE}: ' end || e.result
           else t.finish_reason end,
         next_call_at_ms = case when not e.settles then t.next_call_at_ms when e.is_final or e.is_cut then null
           when e.next_status = 'callback' or not e.is_promised then e.next_call_at_ms
           -- Only what the contact asked for comes before the interval is over (D-12).
           when t.callback_asked_by_contact and t.callback_at_ms > e.at_ms then t.callback_at_ms
           else greatest(t.callback_at_ms, e.next_call_at_ms) end,
         callback_at_ms = case when not e.settles or e.is_promised then t.callback_at_ms
                               when e.next_status = 'callback' then e.next_call_at_ms end,
         callback_by = case when not e.settles or e.is_promised then t.callback_by end,
         callback_number = case when not e.settles or e.is_promised then t.callback_number end,
         -- One that was given in this very call: the quiet of its own talk does not hold it (campaigns-46).
         callback_promised_at_ms = case when not e.settles or e.is_promised then greatest(
           t.callback_promised_at_ms, case when e.is_given_now then e.at_ms end) end,
         callback_asked_by_contact = t.callback_asked_by_contact and (not e.settles or e.is_promised)
    from ending e where t.id = e.task_id
), ended_attempt as (
  select task_id as task, settles and is_promised
      -- A talk that was marked as a machine may use up the attempts: what was promised in it stays.
      and (next_status = 'answered' or (next_status = 'maxAttempts' and is_given_now)) as "leavesPromise",
    settles and next_status = 'answered' and is_corrected as "leavesMachine",
    settles and changed_in_call and not is_once
      and next_status in ('new', 'waiting', 'maxAttempts', 'noCallableNumber') as "isOutdated"
    from ending
)`

const END_ALONE: Prepared = { name: 'end-attempt', text: `with ${END} select * from ended_attempt` }

export interface EndedAttempt {
  readonly task: CallTaskId
  /** The task is finished, and a callback is promised. */
  readonly leavesPromise: boolean
  /** The task is finished by a call that an agent marked as a machine before its end was written. */
  readonly leavesMachine: boolean
  /** The engine decided by the task as it was before a change during the call. */
  readonly isOutdated: boolean
}

/** The first value of `END`. */
export function endText({ next, ...end }: AttemptEnd): string {
  return JSON.stringify({
    attempt: end.attempt,
    result: end.result,
    reach: end.reach,
    counts: end.counts,
    at_ms: end.atMs,
    dialed_at_ms: end.dialedAtMs,
    ringing_at_ms: end.ringingAtMs,
    answered_at_ms: end.answeredAtMs,
    agent: end.agent,
    sip_status: end.sipStatus,
    hangup_cause: end.hangupCause,
    is_ring_cut_short: end.isRingCutShort,
    wait_ms: end.waitMs,
    heard: end.heard,
    greeting_id: end.greeting?.id,
    is_greeting_known: end.greeting?.isKnown,
    next_status: next.status,
    is_final: isFinished(next.status),
    next_call_at_ms: 'nextCallAtMs' in next ? next.nextCallAtMs : undefined,
  })
}

/** In the transaction of the end, so the task was finished for nobody. The gate decides by what the task is now. */
const JUDGE_ANEW = `
update call_tasks
   set status = case when callback_at_ms is null then 'waiting' else 'callback' end, finished_at_ms = null,
       next_call_at_ms = greatest(callback_at_ms, $2::bigint), changed_in_call = false
 where id = $1`

/** A finished task stays finished; a callback or remaining attempts create a follow-up task (INV-O3). */
export async function goOn(transaction: Transaction, ended: EndedAttempt | undefined, atMs: AtMs): Promise<void> {
  if (ended?.isOutdated) await transaction.query(JUDGE_ANEW, [ended.task, atMs])
  else if (ended?.leavesPromise) await carryCallback(transaction, ended.task, atMs)
  else if (ended?.leavesMachine) await followAfterMachine(transaction, ended.task, atMs)
}

/** An attempt as it stands, locked. */
export interface LockedAttempt {
  readonly fence: Fence
  readonly isOver: boolean
  readonly connectedAtMs: AtMs | null
  readonly agent: AgentName | null
}

/** Locks the task before its attempt, as every writer does: this prevents deadlocks. */
export async function lockedAttempt(transaction: Transaction, attempt: AttemptId): Promise<LockedAttempt | undefined> {
  return (await ask<LockedAttempt>(transaction, LOCK, [attempt]))[0]
}

/** The same, for whoever has this fence. */
export async function lockAttempt(
  transaction: Transaction,
  attempt: AttemptId,
  fence: Fence,
): Promise<Exclude<AttemptWrite, 'written'> | 'open'> {
  const row = await lockedAttempt(transaction, attempt)
  if (!row) return 'no such attempt'
  if (row.fence !== fence) return 'fenced off'
  return row.isOver ? 'already ended' : 'open'
}

const LOCK: Prepared = {
  name: 'lock-attempt',
  text: `
with task as materialized (
  select id from call_tasks where id = (select task_id from attempts where id = $1) for no key update
)
select a.fence, a.ended_at_ms is not null as "isOver", a.connected_at_ms as "connectedAtMs", a.agent
  from task join attempts a on a.task_id = task.id where a.id = $1 for update of a`,
}
