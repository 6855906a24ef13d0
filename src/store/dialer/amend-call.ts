/**
 * What a node tells of a call that another one took over or has settled: it had the call, and knows (campaigns-123,
 * calls-and-flows-104). No second event is sent; whoever looks the call up reads what was.
 */
import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, AttemptId } from '../../kernel/ids.ts'
import type { AttemptConnected } from '../../ports/attempt.ts'
import type { FinishedCall } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'
import { endText } from './end-attempt.ts'
import { tellOutcomes } from './feedback.ts'
import { callText, givenCall, HAS_RECORDING, recordingsOf } from './finished-call-text.ts'

/** An agent talks to the callee of a lost attempt. Whoever settles it finds the talk, or it was settled without. */
export async function noteTalk(
  transaction: Transaction,
  { attempt, atMs, agent }: Omit<AttemptConnected, 'fence'>,
): Promise<void> {
  const [noted] = await ask<{ readonly isOver: boolean }>(transaction, TALKS, [attempt, atMs, agent])
  if (noted?.isOver) await finishTalkedTask(transaction, attempt, atMs)
}

/** The call has ended. What another node settled by what it knew becomes what was, unless it was erased since. */
export async function amendCall(transaction: Transaction, activity: ActivityId, call: FinishedCall): Promise<void> {
  const { attempt } = call
  if (attempt) {
    const amended = await ask(transaction, AMEND_ATTEMPT, [endText(attempt)])
    if (amended.length === 0) return
    if (attempt.result === 'answered') await finishTalkedTask(transaction, attempt.attempt, attempt.atMs)
  }
  const amended = await ask(transaction, AMEND_CALL, [callText(call), activity])
  if (amended.length > 0 && call.agent !== undefined) await tellOutcomes(transaction, activity)
}

const TALKS = `
with noted as (
  update attempts
     set connected_at_ms = coalesce(connected_at_ms, $2), agent = coalesce(agent, $3),
         answered_at_ms = case result when 'unknown' then coalesce(answered_at_ms, $2) else answered_at_ms end,
         reach = case result when 'unknown' then 'answered' else reach end,
         result = case result when 'unknown' then 'answered' else result end
   where id = $1 and (ended_at_ms is null or result = 'unknown')
  returning id, ended_at_ms is not null as is_over
), told as (
  update call_activities c set result = 'answered', answered_at_ms = coalesce(c.answered_at_ms, $2), agent = $3
    from noted n where n.is_over and c.attempt_id = n.id
)
select is_over as "isOver" from noted`

/** It counts as it did, and its call task goes on as was said: neither brings the next call nearer. */
const AMEND_ATTEMPT = `
update attempts a
   set result = g.result, reach = g.reach, ended_at_ms = g.at_ms, agent = coalesce(g.agent, a.agent),
       dialed_at_ms = coalesce(g.dialed_at_ms, a.dialed_at_ms),
       ringing_at_ms = coalesce(g.ringing_at_ms, a.ringing_at_ms),
       answered_at_ms = coalesce(g.answered_at_ms, a.answered_at_ms),
       sip_status = coalesce(g.sip_status, a.sip_status), wait_ms = coalesce(g.wait_ms, a.wait_ms)
  from jsonb_to_record($1::jsonb) as g(attempt bigint, result text, reach text, at_ms bigint, dialed_at_ms bigint,
    ringing_at_ms bigint, answered_at_ms bigint, agent text, sip_status integer, wait_ms bigint)
 where a.id = g.attempt and a.ended_at_ms is not null
   and (a.result = 'unknown' or a.result = 'answered' and g.result = 'answered')
returning a.id`

/** A call that came in, and whose end was seen, is told as it was. Its flow counts now (storage-18). */
const AMEND_CALL = `
with ${givenCall('$1')}, amended as (
  update call_activities c
     set ringing_at_ms = coalesce(g.ringing_at_ms, c.ringing_at_ms),
         answered_at_ms = coalesce(g.answered_at_ms, c.answered_at_ms), ended_at_ms = g.ended_at_ms,
         talk_ms = g.talk_ms, wait_ms = g.wait_ms, result = g.result, agent = coalesce(g.agent, c.agent),
         external_system_id = coalesce(g.external_system, c.external_system_id),
         external_case_number = coalesce(g.external_case_number, c.external_case_number),
         hangup_cause = coalesce(g.hangup_cause, c.hangup_cause), hung_up_by = coalesce(g.hung_up_by, c.hung_up_by),
         team = coalesce(g.team, c.team), transfers = coalesce(g.transfers, c.transfers),
         has_recording = c.has_recording or ${HAS_RECORDING}
    from given_call g
   where c.id = $2 and c.erased_at_ms is null and (c.attempt_id is not null or c.hung_up_by is null)
  returning c.id
), recorded as (
  ${recordingsOf('amended')}
   where not exists (select from recordings o where o.activity_id = a.id and o.file = r.file)
), counted as (
  insert into flow_ended_calls (traffic)
  select g.traffic from amended cross join given_call g where g.traffic is not null
)
select id from amended`

/** A task that is finished, or in its next call, stays so. A promised callback stands. */
async function finishTalkedTask(transaction: Transaction, attempt: AttemptId, atMs: AtMs): Promise<void> {
  await ask(transaction, ANSWERED, [attempt])
  await ask(transaction, FINISH, [attempt, atMs])
}

const ANSWERED = `
update call_tasks t set answered = true from attempts a where a.id = $1 and t.id = a.task_id and not t.answered`

const FINISH = `
update call_tasks t
   set status = 'answered', finished_at_ms = $2, updated_at_ms = $2, next_call_at_ms = null,
       waits_for = null, put_off_version = null, reserved_by = null, reserved_fence = null
  from attempts a
 where a.id = $1 and t.id = a.task_id and t.callback_at_ms is null and t.status in ('new', 'waiting', 'reserved')`
