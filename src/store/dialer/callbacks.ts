import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, CallTaskId, PhoneNumber } from '../../kernel/ids.ts'
import type { CallbackRequest, DialerRepository, DueCallback } from '../../ports/dialer-repository.ts'
import type { CallbackRefusal } from '../../ports/queue-place.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared, query } from '../db/transaction.ts'
import { followTask } from './follow-up-task.ts'
import { userOf } from './waiting-task.ts'

/** Stores a date for the next call, on the task or on its follow-up task. A repetition changes nothing. */
export const callbacks = {
  async setCallback({ control }, request) {
    return inTransaction(control, (transaction) => promiseCallback(transaction, request))
  },

  async dueCallbacks({ control }, campaigns, atMs) {
    const rows = await query<DueRow>(control, DUE, [campaigns, atMs, DUE_MAX])
    return rows.map(({ agent, place, ...due }) => ({
      ...due,
      ...(agent !== null && { agent }),
      ...(place && { place }),
    }))
  },
} satisfies Partial<In<DialerRepository>>

/** More than a team calls back in an hour: the oldest come first. */
const DUE_MAX = 1_000

type DueRow = Omit<DueCallback, 'agent' | 'place'> & {
  readonly agent: AgentName | null
  readonly place: DueCallback['place'] | null
}

const DUE: Prepared = {
  name: 'due-callbacks',
  text: `
select id as task, campaign_id as campaign, callback_at_ms as "atMs", callback_by as agent,
    -- The campaign has changed since the gate put it off (campaigns-39): its agent may call at once.
    case when put_off_version < (select c.settings_version from campaigns c where c.id = campaign_id)
      then callback_at_ms else next_call_at_ms end as "nextCallAtMs",
    (select jsonb_build_object('priority', p.priority, 'skills', p.skills, 'sinceAtMs', p.since_ms,
         'number', callback_number)
       from queue_places p where p.task_id = id) as place
  from call_tasks
 where campaign_id = any($1::bigint[]) and callback_at_ms <= $2 and finished_at_ms is null and status = 'callback'
 order by callback_at_ms, id limit $3`,
}

interface Carrier {
  readonly isOver: boolean
  readonly validToAtMs: AtMs | null
  readonly isClosed: boolean
  readonly isNoted: boolean
}

/** $2: when this promise was made. Once it is noted, or a later one, what became of it since stands. */
const LOCK = `select finished_at_ms is not null as "isOver", valid_to_ms as "validToAtMs",
    closed_at_ms is not null as "isClosed", coalesce(promise_noted_at_ms >= $2, false) as "isNoted"
  from call_tasks where id = $1 for no key update`
/** Or the one that lists the same case. A statement of its own: it sees what was made while the lock waited. */
const FOLLOWER = `select max(id) as id from call_tasks
  where follows_task_id = $1 or (finished_at_ms is null
    and (campaign_id, duplicate_key) = (select campaign_id, duplicate_key from call_tasks where id = $1))`
const NOTE_PROMISE = 'update call_tasks set promise_noted_at_ms = $2 where id = $1'

/** As `setCallback`, in a transaction that does more. */
export async function promiseCallback(
  transaction: Transaction,
  request: CallbackRequest,
): Promise<CallTaskId | CallbackRefusal> {
  const [task] = await ask<Carrier>(transaction, LOCK, [request.task, request.nowMs])
  if (!task) return 'no such call task'
  if (task.isNoted && task.isClosed) return 'task ended'
  if (task.isNoted) return task.isOver ? followerOf(transaction, request.task) : request.task
  if (task.validToAtMs !== null && request.atMs >= task.validToAtMs) return 'task ended'
  const carrier = task.isOver ? await followTask(transaction, request.task, request.atMs, request.nowMs) : request.task
  if (carrier === undefined) return 'task ended'
  const { number, endedAtMs } = await talkOf(transaction, request)
  const promisedAtMs = Math.max(request.nowMs, endedAtMs ?? 0)
  const agent = request.isForTeam ? null : request.agent
  await noteCallback(transaction, carrier, { ...request, agent, number, promisedAtMs }, request.nowMs)
  await transaction.query(NOTE_PROMISE, [request.task, request.nowMs])
  await notify(transaction, 'tasks')
  return carrier
}

async function followerOf(transaction: Transaction, task: CallTaskId): Promise<CallTaskId | 'task ended'> {
  return (await ask<{ id: CallTaskId | null }>(transaction, FOLLOWER, [task]))[0]?.id ?? 'task ended'
}

/** The date of a task that is finished now goes to the one that follows it: a promise ends with its call only. */
export async function carryCallback(transaction: Transaction, finished: CallTaskId, nowMs: AtMs): Promise<void> {
  const [promise] = await ask<Promised>(transaction, PROMISE, [finished])
  const carrier = promise && (await followTask(transaction, finished, promise.atMs, nowMs))
  if (carrier === undefined) return
  await noteCallback(transaction, carrier, promise!, nowMs)
  await notify(transaction, 'tasks')
}

interface Promised extends Pick<CallbackRequest, 'atMs' | 'askedByContact'> {
  readonly agent: AgentName | null
  readonly number: PhoneNumber | null
  readonly promisedAtMs: AtMs | null
}

const PROMISE = `select callback_at_ms as "atMs", callback_asked_by_contact as "askedByContact", callback_by as agent,
    callback_number as number, callback_promised_at_ms as "promisedAtMs"
  from call_tasks where id = $1 and callback_at_ms is not null`

interface Talk {
  readonly number: PhoneNumber | null
  readonly endedAtMs: AtMs | null
}

async function talkOf(transaction: Transaction, { attempt }: CallbackRequest): Promise<Talk> {
  const text = 'select number, ended_at_ms as "endedAtMs" from attempts where id = $1'
  const [talk] = attempt === undefined ? [] : await ask<Talk>(transaction, text, [attempt])
  return talk ?? { number: null, endedAtMs: null }
}

/** During a call the date is kept, and the task goes on from there when that is over. */
const NOTE = `
update call_tasks
   set callback_at_ms = $2, callback_asked_by_contact = $3, callback_by = $4::text,
       updated_at_ms = $5,
       assigned_user_id = case when $4::text is null then assigned_user_id
         else ${userOf('call_tasks', '$4::text')} end,
       callback_number = $6, callback_promised_at_ms = $7,
       status = case when status in ('new', 'waiting') then 'callback' else status end,
       next_call_at_ms = case when status in ('new', 'waiting', 'callback', 'reserved') then $2 else next_call_at_ms end
 where id = $1`

async function noteCallback(
  transaction: Transaction,
  task: CallTaskId,
  { atMs, askedByContact, agent, number, promisedAtMs }: Promised,
  nowMs: AtMs,
): Promise<void> {
  await transaction.query(NOTE, [task, atMs, askedByContact, agent, nowMs, number, promisedAtMs])
}
