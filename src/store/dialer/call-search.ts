import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { CallActivity } from '../../ports/call-activity.ts'
import type { DialerAdminRepository, RecordingFile } from '../../ports/dialer-admin-repository.ts'
import { countOf } from '../db/criteria.ts'
import { storedList } from '../db/json-rows.ts'
import type { In } from '../db/port-methods.ts'
import { streamRows } from '../db/row-stream.ts'
import { callSeenBy, seenBy } from '../db/seen-by.ts'
import { joined, type Sql, sql, written } from '../db/sql.ts'
import { type Prepared, query } from '../db/transaction.ts'
import { attemptColumns } from './call-task-columns.ts'

export const callSearch = {
  /** Attempts by their ids, tasks or activities, by id (D-11). */
  async streamAttempts(pools, search, shape) {
    const { corporations, seenBy: user, ids, tasks, activities, page, rowsMax } = search
    const among = (column: Sql, values: readonly number[] | undefined) =>
      values === undefined ? [] : [sql`${column} = any(${[...values]})`]
    const asked = [...among(sql`a.id`, ids), ...among(sql`a.task_id`, tasks), ...among(sql`a.activity_id`, activities)]
    const wanted = asked.length > 0 ? asked : [sql`false`]
    const conditions = [...among(sql`a.corporation_id`, corporations), ...wanted, ...seenBy(user, 'attempt')]
    const from = sql`from attempts a where ${joined(conditions, ' and ')}`
    const columns = attemptColumns(shape)
    const statement = sql`select ${storedList(columns)} ${from} order by a.id limit ${rowsMax} offset ${page * rowsMax}`
    const count = () => countOf(pools.api, ...written(from))
    return { rows: await streamRows(pools, statement, columns, rowsMax), count }
  },

  /** Calls that are over, by id, with what was recorded of them (D-15). */
  async calls({ api }, { corporations, boundTo }, ids) {
    return query<CallActivity>(api, CALLS, [corporations, ids, boundTo ?? null])
  },

  async recordingFile({ api }, { corporations, boundTo }, file) {
    return (await query<RecordingFile>(api, RECORDING_FILE, [corporations, file, boundTo ?? null]))[0]
  },
} satisfies Partial<In<DialerAdminRepository>>

const RECORDING_FILE: Prepared = {
  name: 'recording-file',
  text: `
select r.id as recording, r.file as name from recordings r join call_activities c on c.id = r.activity_id
 where r.file_id = $2 and c.corporation_id = any($1) and r.state = 'ready' and ${callSeenBy('$3')}`,
}

const CALLS: Prepared = {
  name: 'calls',
  text: `
select c.id, c.corporation_id as corporation, c.direction, c.caller, c.called, c.created_at_ms as "createdAtMs",
  c.ringing_at_ms as "ringingAtMs", c.answered_at_ms as "answeredAtMs", c.ended_at_ms as "endedAtMs",
  c.talk_ms as "talkMs", c.wait_ms as "waitMs", c.result, c.external_case_number as "externalCaseNumber",
  c.hangup_cause as "hangupCause", c.hung_up_by as "hungUpBy",
  case when c.agent is not null then json_build_object('name', c.agent, 'userId', u.id, 'title', u.name) end as agent,
  case when c.team is not null then json_build_object('name', c.team, 'id', t.id) end as team,
  case when s.id is not null then json_build_object('id', s.id, 'code', s.code) end as "externalSystem",
  case when a.id is not null then json_build_object('id', a.id, 'task', a.task_id, 'campaign', a.campaign_id) end
    as attempt,
  (select coalesce(json_agg(json_build_object('id', r.id, 'file', r.file_id, 'startedAtMs', r.started_at_ms,
     'endedAtMs', r.ended_at_ms, 'state', r.state, 'isMessage', r.is_message) order by r.id), '[]'::json)
     from recordings r where r.activity_id = c.id) as recordings,
  (select coalesce(json_agg(json_build_object('feedbackType', f.feedback_type, 'isFinal', f.is_final, 'note', f.note,
     'agent', json_build_object('name', f.agent, 'userId', w.id, 'title', w.name), 'atMs', f.created_at_ms,
     'outcome', f.outcome_id, 'fields', coalesce(f.fields, '[]'), 'callbackAtMs', f.callback_at_ms,
     'isCallbackOwn', coalesce(not f.is_callback_for_team, false))
     order by f.created_at_ms, f.id), '[]'::json)
     from feedback f left join users w on w.user_name = f.agent and w.corporation_id = ${FIRST_CORPORATION}
    where f.activity_id = c.id) as feedback,
  c.transfers, c.extension_id as extension, m.state as summary
  from call_activities c
  left join users u on u.user_name = c.agent and u.corporation_id = ${FIRST_CORPORATION}
  left join teams t on t.corporation_id = c.corporation_id and t.name = c.team
  left join external_systems s on s.id = c.external_system_id
  left join attempts a on a.id = c.attempt_id
  left join summaries m on m.activity_id = c.id
 where c.corporation_id = any($1) and c.id = any($2) and ${callSeenBy('$3')}
 order by c.id`,
}
