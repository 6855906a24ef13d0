import type { AtMs } from '../../kernel/clock.ts'
import type { CallTaskId } from '../../kernel/ids.ts'
import { isFinished } from '../../ports/call-task.ts'
import type { CallbackChange, DialerAdminRepository, KeptCallback } from '../../ports/dialer-admin-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { countOf } from '../db/criteria.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { seenBy } from '../db/seen-by.ts'
import { joined, type Sql, sql, written } from '../db/sql.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'
import { newOrWaiting, userOf } from './waiting-task.ts'

const COLUMNS = sql`t.id as task, t.follows_task_id as follows, t.corporation_id as corporation,
  t.campaign_id as campaign, t.status,
  t.receiver_name as "receiverName", t.callback_at_ms as "atMs", t.callback_promised_at_ms as "promisedAtMs",
  t.next_call_at_ms as "nextCallAtMs", t.last_call_at_ms as "lastCallAtMs", t.callback_by as agent,
  t.callback_number as number, t.callback_asked_by_contact as "askedByContact"`

export const callbackAdmin = {
  async listCallbacks({ api }, { corporations, seenBy: user, campaigns, agent, beforeAtMs, page, rowsMax }) {
    const conditions: Sql[] = [
      sql`t.callback_at_ms is not null and t.finished_at_ms is null`,
      sql`t.corporation_id = any(${[...corporations]})`,
      ...seenBy(user, 'task'),
      ...(campaigns === undefined ? [] : [sql`t.campaign_id = any(${[...campaigns]})`]),
      ...(agent === undefined ? [] : [sql`t.callback_by = ${agent}`]),
      ...(beforeAtMs === undefined ? [] : [sql`t.callback_at_ms <= ${beforeAtMs}`]),
    ]
    const from = sql`from call_tasks t where ${joined(conditions, ' and ')}`
    const rows = sql`select ${COLUMNS} ${from} order by t.callback_at_ms, t.id
      limit ${rowsMax} offset ${page * rowsMax}`
    const callbacks = await query<KeptCallback>(api, ...written(rows))
    return { foundRows: await countOf(api, ...written(from)), callbacks }
  },

  async changeCallback({ api }, change) {
    return inTransaction(api, async (transaction) => {
      const found = await lockCallback(transaction, change)
      if (!found || isFinished(found.status)) return 'no such callback'
      // A call that is under way keeps the promise; what it comes to is not known yet.
      if (found.status === 'dialing' || found.status === 'inCall') return 'under way'
      const { validToAtMs } = found
      if (change.what === 'move' && validToAtMs !== null && (change.atMs ?? 0) >= validToAtMs) return 'over by then'
      await transaction.query(CHANGE[change.what], valuesOf(change))
      await notify(transaction, 'tasks')
      return 'changed'
    })
  },
} satisfies Partial<In<DialerAdminRepository>>

interface Locked extends Pick<KeptCallback, 'status'> {
  readonly task: CallTaskId
  readonly atMs: AtMs
  readonly validToAtMs: AtMs | null
}

async function lockCallback(transaction: Transaction, change: CallbackChange): Promise<Locked | undefined> {
  const text = `select id as task, status, callback_at_ms as "atMs", valid_to_ms as "validToAtMs" from call_tasks
                 where id = $1 and corporation_id = any($2) and callback_at_ms is not null for no key update`
  return (await ask<Locked>(transaction, text, [change.task, change.corporations]))[0]
}

const NO_CALLBACK = `callback_at_ms = null, callback_by = null, callback_number = null,
  callback_promised_at_ms = null, callback_asked_by_contact = false`

const MADE_FOR_IT = `(follows_task_id is not null
  or exists (select from queue_places p where p.task_id = call_tasks.id))`

/** A reserved task is free again: its agent looks at what is not so any more. */
const CHANGE = {
  move: `update call_tasks set callback_at_ms = coalesce($2::bigint, callback_at_ms),
           callback_by = case when $3::boolean then $4::text else callback_by end,
           assigned_user_id = case when $3::boolean then ${userOf('call_tasks', '$4::text')}
             when reserved_by is not null then ${userOf('call_tasks', 'call_tasks.callback_by')}
             else assigned_user_id end,
           next_call_at_ms = coalesce($2::bigint, next_call_at_ms, callback_at_ms), status = 'callback',
           reserved_by = null, reserved_fence = null, updated_at_ms = $5::bigint where id = $1`,
  // A task that only follows, or keeps a place, was made for the callback, and ends with it (campaigns-50).
  cancel: `update call_tasks set ${NO_CALLBACK}, assigned_user_id = null, reserved_by = null, reserved_fence = null,
             updated_at_ms = $2::bigint,
             status = case when ${MADE_FOR_IT} then $3::text else ${newOrWaiting('call_tasks')} end,
             finished_at_ms = case when ${MADE_FOR_IT} then $2::bigint end,
             closed_at_ms = case when ${MADE_FOR_IT} then $2::bigint end,
             next_call_at_ms = case when not ${MADE_FOR_IT} then $2::bigint end
            where id = $1`,
} as const

/** The task of the call that goes on loses its date alone: the end of the call says where it goes on. */
const FORGET = `update call_tasks set ${NO_CALLBACK}, updated_at_ms = $2::bigint where id = $1`

/** Takes a promise back, for its agent; the task is locked. */
export async function takeBackCallback(
  transaction: Transaction,
  { task, isInCall }: { readonly task: CallTaskId; readonly isInCall: boolean },
  nowMs: AtMs,
): Promise<void> {
  if (isInCall) await transaction.query(FORGET, [task, nowMs])
  else await transaction.query(CHANGE.cancel, [task, nowMs, 'endedByUser'])
  await notify(transaction, 'tasks')
}

function valuesOf(change: CallbackChange): unknown[] {
  if (change.what === 'cancel') return [change.task, change.nowMs, change.status]
  return [change.task, change.atMs ?? null, change.agent !== undefined, change.agent ?? null, change.nowMs]
}
