/** The SQL of every field of a call task, of its lists, and of attempts. The tables are called t, c and a. */
import { type Expression, sql } from 'kysely'
import type { AtMs } from '../../kernel/clock.ts'
import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { AttemptField, CallTaskField, TaskNumberField, TaskPropertyField } from '../../ports/call-task.ts'
import type { Columns } from '../db/json-rows.ts'

/** What is read off the clock and the campaign is worked out here: `ready` and `paused` are stored nowhere (D-10). */
export function callTaskColumns(atMs: AtMs): Columns<CallTaskField> {
  const lastAttempt = (column: string) =>
    sql`(select ${sql.ref(column)} from attempts a where a.task_id = t.id order by a.id desc limit 1)`
  return {
    id: sql.ref('t.id'),
    campaign: sql.ref('t.campaign_id'),
    receiverName: sql.ref('t.receiver_name'),
    externalCustomer: sql.ref('t.external_customer'),
    externalCaseNumber: sql.ref('t.external_case_number'),
    status: shownStatus(atMs),
    finished: sql`(t.finished_at_ms is not null)`,
    answered: sql.ref('t.answered'),
    attemptsCounted: sql.ref('t.attempts_counted'),
    nextCallAtMs: sql.ref('t.next_call_at_ms'),
    lastCallAtMs: sql.ref('t.last_call_at_ms'),
    callbackAtMs: sql.ref('t.callback_at_ms'),
    createdAtMs: sql.ref('t.created_at_ms'),
    updatedAtMs: sql.ref('t.updated_at_ms'),
    corporation: sql.ref('t.corporation_id'),
    externalSystem: sql.ref('t.external_system_id'),
    externalSystemCode: sql`(select s.code from external_systems s where s.id = t.external_system_id)`,
    attemptsMax: sql.ref('t.attempts_max'),
    intervalHours: sql`(t.interval_ms / 3600000)`,
    assignedUser: sql.ref('t.assigned_user_id'),
    assignedUserName: sql`(select u.name from users u where u.id = t.assigned_user_id)`,
    lastAttempt: lastAttempt('a.id'),
    lastAttemptResult: sql`(select ${RESULT} from attempts a where a.task_id = t.id order by a.id desc limit 1)`,
    finishedAtMs: sql.ref('t.finished_at_ms'),
    finishReason: sql.ref('t.finish_reason'),
    // A piece of a large import has the import's name and its own after a #.
    importId: sql`split_part(t.import_id, '#', 1)`,
    importIndex: sql.ref('t.import_index'),
  }
}

const RESULT = sql`coalesce(a.result, 'inProgress')`

/** The numbers of a task, from `call_task_numbers n`. */
export const TASK_NUMBER_COLUMNS: Columns<TaskNumberField> = {
  given: sql.ref('n.given'),
  number: sql.ref('n.number'),
  position: sql.ref('n.position'),
  stopped: sql`exists (
    select from stopped_numbers s where s.corporation_id = t.corporation_id and s.number = n.number)`,
}

/** The properties of a task, from `call_task_properties p`. */
export const TASK_PROPERTY_COLUMNS: Columns<TaskPropertyField> = {
  field: sql.ref('p.field_id'),
  name: sql`(select f.name from property_fields f where f.id = p.field_id)`,
  value: sql.ref('p.value'),
}

/** An agent's name is their user name; somebody of another corporation may have the same one. */
const AGENTS_USER = sql`from users u where u.user_name = a.agent and u.corporation_id = ${FIRST_CORPORATION}`

/** Attempts, from `attempts a`. */
export const ATTEMPT_FIELD_COLUMNS: Columns<AttemptField> = {
  id: sql.ref('a.id'),
  task: sql.ref('a.task_id'),
  campaign: sql.ref('a.campaign_id'),
  activity: sql.ref('a.activity_id'),
  attemptNumber: sql.ref('a.attempt_number'),
  number: sql.ref('a.number'),
  dialedAtMs: sql.ref('a.dialed_at_ms'),
  ringingAtMs: sql.ref('a.ringing_at_ms'),
  answeredAtMs: sql.ref('a.answered_at_ms'),
  endedAtMs: sql.ref('a.ended_at_ms'),
  result: RESULT,
  hangupCause: sql.ref('a.hangup_cause'),
  sipStatus: sql.ref('a.sip_status'),
  agent: sql.ref('a.agent'),
  agentUser: sql`(select u.id ${AGENTS_USER})`,
  agentTitle: sql`coalesce((select u.name ${AGENTS_USER}), a.agent)`,
  ringMs: sql`greatest(0, coalesce(a.answered_at_ms, a.ended_at_ms) - a.ringing_at_ms)`,
  talkMs: sql`coalesce(a.ended_at_ms - a.connected_at_ms, 0)`,
}

function shownStatus(atMs: AtMs): Expression<unknown> {
  return sql`case when t.status in ('new', 'waiting', 'callback') and not c.active then 'paused'
    when t.status = 'waiting' and t.next_call_at_ms <= ${atMs} then 'ready' else t.status end`
}
