import type { ActivityId, AttemptId, CallTaskId } from '../../kernel/ids.ts'
import type { CallTaskStatus, FinishedStatus } from '../../ports/call-task.ts'
import type { DialerRepository, EndCallTask, EndCallTaskResult } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'

/**
 * Waits for a claim: no attempt starts after the answer (D-13, INV-D4). Ringing ones are listed. Twice is harmless.
 * Whatever follows the task ends with it, and nothing can follow it from now on (campaigns-45).
 */
export const endCallTask = {
  async endCallTask({ api }, command) {
    return inTransaction(api, (transaction) => endTask(transaction, command))
  },
} satisfies Partial<In<DialerRepository>>

/** As `endCallTask`, in a transaction that does more; also as answered. */
export async function endTask(
  transaction: Transaction,
  command: Omit<EndCallTask, 'status'> & { readonly status: FinishedStatus },
): Promise<EndCallTaskResult> {
  const task = await lockTask(transaction, command)
  if (!task) return { outcome: 'no such call task' }
  const followers = await lockFollowers(transaction, command.task)
  const chain = [task, ...followers]
  const isOpen = (one: TaskRow) => one.finished_at_ms === null
  await transaction.query(END, [idsOf(chain), command.status, command.atMs, command.reason ?? null])
  if (chain.some(isOpen)) await notify(transaction, 'tasks')
  const open = await openAttempts(transaction, idsOf(chain))
  return {
    outcome: chain.some(isOpen) ? 'ended' : 'already finished',
    status: isOpen(task) ? command.status : (task.status as FinishedStatus),
    answered: task.answered,
    finishedAtMs: task.finished_at_ms ?? command.atMs,
    activeCall: open.find(({ connected }) => connected)?.activity ?? null,
    cancel: open.filter(({ connected }) => !connected).map(({ id }) => id),
    followers: idsOf(followers.filter(isOpen)),
  }
}

interface TaskRow {
  readonly id: CallTaskId
  readonly status: CallTaskStatus
  readonly answered: boolean
  readonly finished_at_ms: number | null
}

const END = `
update call_tasks
   set status = case when finished_at_ms is null then $2 else status end,
       finish_reason = case when finished_at_ms is null then $4 else finish_reason end,
       finished_at_ms = coalesce(finished_at_ms, $3), closed_at_ms = coalesce(closed_at_ms, $3),
       updated_at_ms = case when closed_at_ms is null then $3 else updated_at_ms end,
       next_call_at_ms = null, reserved_by = null, reserved_fence = null
 where id = any($1::bigint[])`

function idsOf(tasks: readonly TaskRow[]): CallTaskId[] {
  return tasks.map(({ id }) => id)
}

const TASK = 'select id, status, answered, finished_at_ms from call_tasks'

async function lockTask(
  transaction: Transaction,
  { task, corporations }: Pick<EndCallTask, 'task' | 'corporations'>,
): Promise<TaskRow | undefined> {
  const text = `${TASK} where id = $1 and corporation_id = any($2) for no key update`
  return (await ask<TaskRow>(transaction, text, [task, corporations]))[0]
}

/** A task and then its followers, each in a statement of its own: it sees what was made while the last lock waited. */
async function lockFollowers(transaction: Transaction, task: CallTaskId): Promise<TaskRow[]> {
  const text = `${TASK} where follows_task_id = any($1::bigint[]) order by id for no key update`
  const found: TaskRow[] = []
  for (let last = [task]; last.length > 0; ) {
    const next = await ask<TaskRow>(transaction, text, [last])
    found.push(...next)
    last = idsOf(next)
  }
  return found
}

/** A new statement, so that it sees the attempts of a claim that the lock waited for. */
async function openAttempts(transaction: Transaction, tasks: readonly CallTaskId[]) {
  const text = `select id, activity_id as activity, connected_at_ms is not null as connected from attempts
                 where task_id = any($1::bigint[]) and ended_at_ms is null order by id`
  return ask<{ id: AttemptId; activity: ActivityId; connected: boolean }>(transaction, text, [tasks])
}
