/** The SQL of every field of a call task, of its lists, and of attempts. The tables are called t, c and a. */
import type { AtMs } from '../../kernel/clock.ts'
import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import type {
  AttemptField,
  AttemptShape,
  CallTaskField,
  FeedbackField,
  TaskNumberField,
  TaskPropertyField,
} from '../../ports/call-task.ts'
import { type Columns, listOf, type NamedColumn, namedColumns } from '../db/json-rows.ts'
import { Sql, sql } from '../db/sql.ts'
import { deadSince } from './due-tasks.ts'

/** The states `ready` and `paused` follow from clock and campaign; they are stored nowhere (D-10). */
export function callTaskColumns(atMs: AtMs): Columns<CallTaskField> {
  const lastAttempt = (column: Sql) =>
    sql`(select ${column} from attempts a where a.task_id = t.id order by a.id desc limit 1)`
  const lastOutcome = (column: Sql) =>
    sql`(select ${column} from feedback f where f.task_id = t.id and f.outcome_id is not null
      order by f.created_at_ms desc, f.id desc limit 1)`
  return {
    id: sql`t.id`,
    campaign: sql`t.campaign_id`,
    receiverName: sql`t.receiver_name`,
    externalCustomer: sql`t.external_customer`,
    externalCaseNumber: sql`t.external_case_number`,
    status: shownStatus(atMs),
    finished: sql`(t.finished_at_ms is not null)`,
    answered: sql`t.answered`,
    attemptsCounted: sql`t.attempts_counted`,
    nextCallAtMs: sql`t.next_call_at_ms`,
    lastCallAtMs: sql`t.last_call_at_ms`,
    callbackAtMs: sql`t.callback_at_ms`,
    createdAtMs: sql`t.created_at_ms`,
    updatedAtMs: sql`t.updated_at_ms`,
    corporation: sql`t.corporation_id`,
    externalSystem: sql`t.external_system_id`,
    externalSystemCode: sql`(select s.code from external_systems s where s.id = t.external_system_id)`,
    attemptsMax: sql`t.attempts_max`,
    intervalHours: sql`(t.interval_ms / 3600000)`,
    priority: sql`t.priority`,
    validFromAtMs: sql`t.valid_from_ms`,
    validToAtMs: sql`t.valid_to_ms`,
    assignedUser: sql`t.assigned_user_id`,
    assignedUserName: sql`(select u.name from users u where u.id = t.assigned_user_id)`,
    lastAttempt: lastAttempt(sql`a.id`),
    lastAttemptResult: sql`(select ${RESULT} from attempts a where a.task_id = t.id order by a.id desc limit 1)`,
    finishedAtMs: sql`t.finished_at_ms`,
    finishReason: sql`t.finish_reason`,
    waitsFor: sql`case when t.finished_at_ms is null then t.waits_for end`,
    // A piece of a large import has the import's name, a # and a number.
    importId: sql`split_part(t.import_id, '#', 1)`,
    importIndex: sql`t.import_index`,
    follows: sql`t.follows_task_id`,
    // Only a finished task has followers.
    followedBy: sql`case when t.finished_at_ms is not null then
      (select f.id from call_tasks f where f.follows_task_id = t.id order by f.id desc limit 1) end`,
    lastOutcome: lastOutcome(sql`f.outcome_id`),
    lastOutcomeName: lastOutcome(sql`f.feedback_type`),
    lastOutcomeActivity: lastOutcome(sql`f.activity_id`),
    lastOutcomeAtMs: lastOutcome(sql`f.created_at_ms`),
  }
}

const RESULT = sql`coalesce(a.result, 'inProgress')`

/** The numbers of a task, from `call_task_numbers n`. */
export const TASK_NUMBER_COLUMNS: Columns<TaskNumberField> = {
  given: sql`n.given`,
  number: sql`n.number`,
  position: sql`n.position`,
  stopped: sql`exists (
    select from stopped_numbers s where s.corporation_id = t.corporation_id and s.number = n.number)`,
  deadSinceAtMs: new Sql([deadSince('t')]),
}

/** The properties of a task, from `call_task_properties p`. */
export const TASK_PROPERTY_COLUMNS: Columns<TaskPropertyField> = {
  field: sql`p.field_id`,
  name: sql`(select f.name from property_fields f where f.id = p.field_id)`,
  value: sql`p.value`,
}

/** An agent's name is their user name; a user of another corporation may have the same one. */
const usersOf = (agent: Sql) =>
  sql`from users u where u.user_name = ${agent} and u.corporation_id = ${FIRST_CORPORATION}`
const AGENTS_USER = usersOf(sql`a.agent`)
const SPEAKERS_USER = usersOf(sql`f.agent`)

/** Words of agents, from `feedback f`. */
const FEEDBACK_COLUMNS: Columns<FeedbackField> = {
  feedbackType: sql`f.feedback_type`,
  isFinal: sql`f.is_final`,
  note: sql`f.note`,
  agentUser: sql`(select u.id ${SPEAKERS_USER})`,
  agentTitle: sql`coalesce((select u.name ${SPEAKERS_USER}), f.agent)`,
  atMs: sql`f.created_at_ms`,
  outcome: sql`f.outcome_id`,
  fields: sql`coalesce(f.fields, '[]')`,
  callbackAtMs: sql`f.callback_at_ms`,
  isCallbackOwn: sql`coalesce(not f.is_callback_for_team, false)`,
}

/** The columns of `attempts a`, with the lists within them. */
export function attemptColumns(shape: AttemptShape): NamedColumn[] {
  const from = sql`from feedback f where f.activity_id = a.activity_id order by f.created_at_ms, f.id`
  return Object.entries(shape).flatMap(([name, entry]) =>
    'list' in entry
      ? [{ name, value: listOf(namedColumns(entry.of, FEEDBACK_COLUMNS), from) }]
      : namedColumns({ [name]: entry }, ATTEMPT_FIELD_COLUMNS),
  )
}

const ATTEMPT_FIELD_COLUMNS: Columns<AttemptField> = {
  id: sql`a.id`,
  task: sql`a.task_id`,
  campaign: sql`a.campaign_id`,
  // A blocked attempt is no call (campaigns-15): nothing would ever be found by the number that was kept for it.
  activity: sql`case when a.result = 'blocked' then null else a.activity_id end`,
  attemptNumber: sql`a.attempt_number`,
  number: sql`a.number`,
  dialedAtMs: sql`a.dialed_at_ms`,
  ringingAtMs: sql`a.ringing_at_ms`,
  answeredAtMs: sql`a.answered_at_ms`,
  endedAtMs: sql`a.ended_at_ms`,
  result: RESULT,
  hangupCause: sql`a.hangup_cause`,
  sipStatus: sql`a.sip_status`,
  agent: sql`a.agent`,
  agentUser: sql`(select u.id ${AGENTS_USER})`,
  agentTitle: sql`coalesce((select u.name ${AGENTS_USER}), a.agent)`,
  ringMs: sql`greatest(0, coalesce(a.answered_at_ms, a.ended_at_ms) - a.ringing_at_ms)`,
  talkMs: sql`coalesce(a.ended_at_ms - a.connected_at_ms, 0)`,
}

function shownStatus(atMs: AtMs): Sql {
  return sql`case when t.status in ('new', 'waiting', 'callback') and not c.active then 'paused'
    when t.status = 'waiting' and t.next_call_at_ms <= ${atMs} then 'ready' else t.status end`
}
