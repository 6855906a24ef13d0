import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, CallTaskId } from '../../kernel/ids.ts'
import type { CallbackRequest, DialerRepository } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { followTask } from './follow-up-task.ts'

/** Notes a date for the next call, on the task or on the one that follows it. Asked twice, it is noted once. */
export const callbacks = {
  async setCallback({ control }, request) {
    return inTransaction(control, async (transaction) => {
      const text = 'select finished_at_ms is not null as "isOver" from call_tasks where id = $1 for no key update'
      const [task] = await ask<{ isOver: boolean }>(transaction, text, [request.task])
      if (!task) return 'no such call task'
      const carrier = task.isOver
        ? await followTask(transaction, request.task, request.atMs, request.nowMs)
        : request.task
      await noteCallback(transaction, carrier, request, request.nowMs)
      await notify(transaction, 'tasks')
      return carrier
    })
  },
} satisfies Partial<In<DialerRepository>>

/** The date of a task that is finished now goes to the one that follows it: a promise ends with its call only. */
export async function carryCallback(transaction: Transaction, finished: CallTaskId, nowMs: AtMs): Promise<void> {
  const [promise] = await ask<Promised>(transaction, PROMISE, [finished])
  if (!promise) return
  const carrier = await followTask(transaction, finished, promise.atMs, nowMs)
  await noteCallback(transaction, carrier, promise, nowMs)
  await notify(transaction, 'tasks')
}

interface Promised extends Pick<CallbackRequest, 'atMs' | 'askedByContact'> {
  readonly agent: AgentName | null
}

const PROMISE = `select callback_at_ms as "atMs", callback_asked_by_contact as "askedByContact", callback_by as agent
  from call_tasks where id = $1 and callback_at_ms is not null`

/** During a call the date is kept, and the task goes on from there when that is over. */
const NOTE = `
update call_tasks
   set callback_at_ms = $2, callback_asked_by_contact = $3, callback_by = $4, updated_at_ms = $5,
       status = case when status in ('new', 'waiting') then 'callback' else status end,
       next_call_at_ms = case when status in ('new', 'waiting', 'callback', 'reserved') then $2 else next_call_at_ms end
 where id = $1`

async function noteCallback(
  transaction: Transaction,
  task: CallTaskId,
  { atMs, askedByContact, agent }: Promised,
  nowMs: AtMs,
): Promise<void> {
  await transaction.query(NOTE, [task, atMs, askedByContact, agent, nowMs])
}
