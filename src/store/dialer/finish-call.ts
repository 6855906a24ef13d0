import { assert } from '../../kernel/assert.ts'
import type { ActivityId, ExternalSystemId } from '../../kernel/ids.ts'
import type { DialerRepository, FinishCallResult, FinishedCall } from '../../ports/dialer-repository.ts'
import { CALL_OWNER } from '../contacts/call-owner.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { storableJson } from '../db/storable-json.ts'
import { ask, inTransaction, type Prepared } from '../db/transaction.ts'
import { writeEvent } from '../webhooks/write-event.ts'
import { lockAttempt } from './attempts.ts'
import { countsOf } from './call-traffic.ts'
import { END, type EndedAttempt, endText, goOn } from './end-attempt.ts'
import { tellOutcomes } from './feedback.ts'

/** End of the attempt, activity, recordings, event, deliveries: all or nothing (R7). Again changes nothing (F-D7). */
export const finishCall = {
  async finishCall({ control }, call) {
    assert(call.endedAtMs >= call.createdAtMs, 'a call does not end before it begins')
    return inTransaction(control, async (transaction) => {
      const { attempt } = call
      const standing = attempt ? await lockAttempt(transaction, attempt.attempt, attempt.fence) : 'no attempt'
      if (standing === 'fenced off' || standing === 'no such attempt') {
        if (attempt?.result === 'answered') await ask(transaction, TALKED_AFTER_ALL, [attempt.attempt, attempt.atMs])
        const earlier = await findByName(transaction, call)
        return earlier === undefined ? { outcome: 'refused', why: standing } : recorded(earlier)
      }
      // The attempt may have ended before; its call is still to be recorded.
      const written = await write(transaction, call, attempt && standing === 'open' ? endText(attempt) : undefined)
      if (written.activity === null) {
        // Another transaction wrote the call before, or while this one waited for its name.
        const earlier = await findByName(transaction, call)
        assert(earlier !== undefined, `call ${call.call} is in nobody's way`)
        return recorded(earlier)
      }
      await goOn(transaction, written.task === null ? undefined : written, call.endedAtMs)
      await writeEvent(transaction, {
        eventName: call.eventName,
        type: 'phone-call.ended',
        corporation: call.corporation,
        activity: written.activity,
        atMs: call.endedAtMs,
        ...(written.externalSystem === null ? {} : { externalSystem: written.externalSystem }),
      })
      if (call.agent !== undefined) await tellOutcomes(transaction, written.activity)
      return { outcome: 'recorded', activity: written.activity }
    })
  },
} satisfies Partial<In<DialerRepository>>

/**
 * Another node took the attempt over and could not know of the talk. What it told stays (calls-and-flows-74), but who
 * has talked is not called again (campaigns-118). A promised callback stands.
 */
const TALKED_AFTER_ALL = `
update call_tasks t
   set status = 'answered', answered = true, finished_at_ms = $2, updated_at_ms = $2, next_call_at_ms = null,
       waits_for = null, put_off_version = null, reserved_by = null, reserved_fence = null
  from attempts a
 where a.id = $1 and a.ended_at_ms is not null and t.id = a.task_id and t.callback_at_ms is null
   and t.status in ('new', 'waiting', 'reserved')`

/**
 * The node whose journal has the call: where the caller came in, or whose lease dialed it. The lease is gone where the
 * node was started anew meanwhile, or another one took its calls over: then it is not known.
 */
const SERVED_BY = `coalesce((select o.node from open_calls o where o.call = g.call),
    (select l.node from attempts t join node_leases l on l.fence = (t.permit ->> 'fence')::bigint
      where t.id = g.attempt))`

/** The parts of a statement that write the call of a JSON text. If a call of its name exists, nothing is written. */
const activityOf = (text: '$1' | '$2') => `
given_call as materialized (
  select row.*, coalesce(row.external_system_id, s.id) as external_system
    from jsonb_to_record(${text}::jsonb) as row(activity bigint, call text, leg text, corporation bigint,
      direction text, caller text, called text, created_at_ms bigint, ringing_at_ms bigint, answered_at_ms bigint,
      ended_at_ms bigint, talk_ms bigint, wait_ms bigint, result text, agent text, external_system_id bigint,
      external_system_code text, external_case_number text, attempt bigint, hangup_cause integer, hung_up_by text,
      team text, recordings jsonb, traffic jsonb, transfers jsonb)
    left join external_systems s on s.code = row.external_system_code and s.corporation_id = row.corporation
), activity as (
  insert into call_activities (id, call, leg, corporation_id, direction, caller, called, created_at_ms, ringing_at_ms,
    answered_at_ms, ended_at_ms, talk_ms, wait_ms, result, agent, external_system_id, external_case_number,
    attempt_id, hangup_cause, hung_up_by, team, transfers, extension_id, campaign_id, has_recording, node)
  select coalesce(g.activity, (select o.activity_id from open_calls o where o.call = g.call), nextval('activity_ids')),
    g.call, g.leg, g.corporation, g.direction, g.caller, g.called,
    g.created_at_ms, g.ringing_at_ms, g.answered_at_ms, g.ended_at_ms, g.talk_ms, g.wait_ms, g.result, g.agent,
    g.external_system, g.external_case_number, g.attempt, g.hangup_cause, g.hung_up_by, g.team,
    coalesce(g.transfers, '[]'), ${CALL_OWNER}, (select t.campaign_id from attempts t where t.id = g.attempt),
    jsonb_path_exists(coalesce(g.recordings, '[]'), '$[*] ? (@.state == "ready")'), ${SERVED_BY}
    from given_call g
  on conflict (call) do nothing
  returning id, external_system_id
), recorded as (
  insert into recordings (activity_id, file, started_at_ms, ended_at_ms, state, why, transcription_decided,
    is_message, file_id)
  select a.id, r.file, r.started_at_ms, r.ended_at_ms, r.state, r.why, r.is_excluded,
    coalesce(r.is_message, false), coalesce(r.file_id, nextval('file_ids'))
    from activity a cross join given_call g
    cross join jsonb_to_recordset(g.recordings) as r(file text, started_at_ms bigint, ended_at_ms bigint, state text,
      why text, is_excluded boolean, is_message boolean, file_id bigint)
), counted as (
  insert into flow_ended_calls (traffic)
  select g.traffic from activity cross join given_call g where g.traffic is not null
), is_open_no_more as (
  delete from open_calls o using given_call g where o.call = g.call
)`

const ACTIVITY = `select (select id from activity) as activity,
  (select external_system_id from activity) as "externalSystem"`

const ALONE: Prepared = {
  name: 'finish-call',
  text: `with ${activityOf('$1')} ${ACTIVITY}, null as task`,
}

const WITH_ATTEMPT: Prepared = {
  name: 'finish-call-and-attempt',
  text: `with ${END}, ${activityOf('$2')} ${ACTIVITY}, e.* from ended_attempt e`,
}

type Written = { readonly activity: ActivityId | null; readonly externalSystem: ExternalSystemId | null } & (
  | EndedAttempt
  | { readonly task: null }
)

async function write(transaction: Transaction, call: FinishedCall, end: string | undefined): Promise<Written> {
  const values = end === undefined ? [callText(call)] : [end, callText(call)]
  const [written] = await ask<Written>(transaction, end === undefined ? ALONE : WITH_ATTEMPT, values)
  // Both statements return one row, whatever they found.
  return written!
}

function callText(call: FinishedCall): string {
  return storableJson({
    activity: call.activity,
    call: call.call,
    leg: call.leg,
    corporation: call.corporation,
    direction: call.direction,
    caller: call.caller,
    called: call.called,
    created_at_ms: call.createdAtMs,
    ringing_at_ms: call.ringingAtMs,
    answered_at_ms: call.answeredAtMs,
    ended_at_ms: call.endedAtMs,
    talk_ms: call.talkMs,
    wait_ms: call.waitMs,
    result: call.result,
    agent: call.agent,
    external_system_id: call.externalSystem,
    external_system_code: call.externalSystemCode,
    external_case_number: call.externalCaseNumber,
    attempt: call.attempt?.attempt,
    hangup_cause: call.hangupCause,
    hung_up_by: call.hungUpBy,
    team: call.team,
    traffic: call.traffic && countsOf(call.traffic),
    transfers: call.transfers,
    recordings: call.recordings.map(
      ({ file, startedAtMs, endedAtMs, state, why, isTranscribed, isMessage, fileId }) => {
        const [is_excluded, is_message, file_id] = [isTranscribed === false, isMessage, fileId]
        return {
          file,
          started_at_ms: startedAtMs,
          ended_at_ms: endedAtMs,
          state,
          why,
          is_excluded,
          is_message,
          file_id,
        }
      },
    ),
  })
}

function recorded(activity: ActivityId): FinishCallResult {
  return { outcome: 'already recorded', activity }
}

async function findByName(transaction: Transaction, { call }: FinishedCall): Promise<ActivityId | undefined> {
  const [row] = await ask<{ id: ActivityId }>(transaction, 'select id from call_activities where call = $1', [call])
  return row?.id
}
