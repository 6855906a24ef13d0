import type { ActivityId, AttemptId } from '../../kernel/ids.ts'
import type { CallTaskStatus, FinishedStatus } from '../../ports/call-task.ts'
import type { DialerRepository, EndCallTask } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { inTransaction } from '../db/transaction.ts'

/** Waits for a claim: no attempt starts after the answer (D-13, INV-D4). Ringing ones are listed. Twice is harmless. */
export const endCallTask = {
  async endCallTask({ api }, command) {
    return inTransaction(api, async (transaction) => {
      const task = await lockTask(transaction, command)
      if (!task) return { outcome: 'no such call task' }
      const isOpen = task.finished_at_ms === null
      if (isOpen) {
        const text = `update call_tasks set status = $2, finished_at_ms = $3, updated_at_ms = $3, finish_reason = $4,
                        next_call_at_ms = null, reserved_by = null, reserved_fence = null where id = $1`
        await transaction.query(text, [command.task, command.status, command.atMs, command.reason ?? null])
        await notify(transaction, 'tasks')
      }
      const open = await openAttempts(transaction, command)
      return {
        outcome: isOpen ? 'ended' : 'already finished',
        status: isOpen ? command.status : (task.status as FinishedStatus),
        answered: task.answered,
        finishedAtMs: task.finished_at_ms ?? command.atMs,
        activeCall: open.find(({ connected }) => connected)?.activity ?? null,
        cancel: open.filter(({ connected }) => !connected).map(({ id }) => id),
      }
    })
  },
} satisfies Partial<In<DialerRepository>>

interface TaskRow {
  readonly status: CallTaskStatus
  readonly answered: boolean
  readonly finished_at_ms: number | null
}

async function lockTask(transaction: Transaction, { task, corporations }: EndCallTask): Promise<TaskRow | undefined> {
  const text = `select status, answered, finished_at_ms from call_tasks
                 where id = $1 and corporation_id = any($2) for no key update`
  const { rows } = await transaction.query(text, [task, corporations])
  return rows[0] as TaskRow | undefined
}

/** A new statement, so that it sees the attempts of a claim that the lock waited for. */
async function openAttempts(transaction: Transaction, { task }: EndCallTask) {
  const text = `select id, activity_id as activity, connected_at_ms is not null as connected from attempts
                 where task_id = $1 and ended_at_ms is null order by id`
  const { rows } = await transaction.query(text, [task])
  return rows as { id: AttemptId; activity: ActivityId; connected: boolean }[]
}
