import type { FinishedCall } from '../../ports/dialer-repository.ts'
import type { CallTraffic } from '../../ports/flows/flow-traffic.ts'
import { storableJson } from '../db/storable-json.ts'

/** The part of a statement that reads the call of a JSON text. */
export const givenCall = (text: '$1' | '$2') => `given_call as materialized (
  select row.*, coalesce(row.external_system_id, s.id) as external_system
    from jsonb_to_record(${text}::jsonb) as row(activity bigint, call text, leg text, corporation bigint,
      direction text, caller text, called text, created_at_ms bigint, ringing_at_ms bigint, answered_at_ms bigint,
      ended_at_ms bigint, talk_ms bigint, wait_ms bigint, result text, agent text, external_system_id bigint,
      external_system_code text, external_case_number text, attempt bigint, hangup_cause integer, hung_up_by text,
      team text, recordings jsonb, traffic jsonb, transfers jsonb)
    left join external_systems s on s.code = row.external_system_code and s.corporation_id = row.corporation
)`

/** Stores the recordings of the given call for the row of this part. */
export const recordingsOf = (activity: 'activity' | 'amended') => `
  insert into recordings (activity_id, file, started_at_ms, ended_at_ms, state, why, transcription_decided,
    is_message, file_id)
  select a.id, r.file, r.started_at_ms, r.ended_at_ms, r.state, r.why, r.is_excluded,
    coalesce(r.is_message, false), coalesce(r.file_id, nextval('file_ids'))
    from ${activity} a cross join given_call g
    cross join jsonb_to_recordset(g.recordings) as r(file text, started_at_ms bigint, ended_at_ms bigint, state text,
      why text, is_excluded boolean, is_message boolean, file_id bigint)`

/**
 * Nobody saw the end of such a call: it was settled without its node. A caller who is still there when that node is
 * started anew is served under another name, and it is the same call (calls-and-flows-104). Told twice, it has the end
 * that was told.
 */
export const settledBefore = (leg: string, caller: string, called: string, endedAtMs: string) =>
  `s.leg = ${leg} and s.caller = ${caller} and s.called = ${called} and s.attempt_id is null
     and (s.hung_up_by is null or s.ended_at_ms = ${endedAtMs})`

/** Whether a recording of the given call can be played. */
export const HAS_RECORDING = `jsonb_path_exists(coalesce(g.recordings, '[]'), '$[*] ? (@.state == "ready")')`

/** The JSON text of a call. */
export function callText(call: FinishedCall): string {
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

/** One call as the fold adds it: a row for each count, with the columns of the sums. */
function countsOf({ flow, revision, atMs, outcome, marks, ends, canary }: CallTraffic) {
  const counts = [
    row('call', '', '', 1),
    row('outcome', outcome, '', 1),
    ...marks.map((mark) => row('mark', mark, '', 1)),
    ...Object.entries(ends).flatMap(([step, ended]) => {
      const times = Object.values(ended).reduce((sum, count) => sum + count, 0)
      return [
        row('step', step, '', times),
        ...Object.entries(ended).map(([end, count]) => row('end', step, end, count)),
      ]
    }),
  ]
  const trial = canary && {
    id: canary.id,
    is_new: canary.isNew,
    counts: canary.steps.flatMap(({ step, risks }) => ['calls', ...risks].map((what) => ({ step, what }))),
  }
  return { flow, revision, at_ms: atMs, counts, canary: trial }
}

function row(what: string, name: string, ended: string, times: number) {
  return { what, name, ended, times }
}
