import type { AtMs } from '../../kernel/clock.ts'
import type { CallTaskId } from '../../kernel/ids.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { followTask } from './follow-up-task.ts'
import { learnGreeting } from './greetings.ts'

/**
 * Records that a machine had answered. The attempt's own result stays (INV-O2); it counts from now on. If it finished
 * its task, a follow-up task is created while attempts are left. The first correction of an attempt stands.
 */
export const corrections = {
  async correctToMachine({ control }, attempt, agent, atMs, greeting) {
    return inTransaction(control, async (transaction) => {
      const [found] = await ask<Corrected>(transaction, LOCK, [attempt])
      if (!found) return 'no such attempt'
      const { rowCount } = await transaction.query(CORRECT, [attempt, agent, atMs])
      if (rowCount === 1 && greeting) await learnGreeting(transaction, attempt, greeting, atMs)
      // An attempt that goes on counts at its end, and its follow-up task is created then.
      if (rowCount === 0 || !found.isOver) return 'corrected'
      if (!found.counts) await transaction.query(COUNT, [attempt, atMs])
      await followAfterMachine(transaction, found.task, atMs)
      await notify(transaction, 'tasks')
      return 'corrected'
    })
  },
} satisfies Partial<In<DialerRepository>>

/** Creates the follow-up of a task that a machine finished, if attempts are left (D-12). */
export async function followAfterMachine(transaction: Transaction, task: CallTaskId, nowMs: AtMs): Promise<void> {
  const [next] = await ask<{ atMs: AtMs }>(transaction, GOES_ON, [task, FLOOR_MS])
  if (next) await followTask(transaction, task, next.atMs, nowMs)
}

/** Between any two attempts at a person, whatever the interval says (D-12). */
const FLOOR_MS = 60_000

/** Locks the task before its attempt, as every writer does. */
const LOCK = `
with task as materialized (
  select id from call_tasks where id = (select task_id from attempts where id = $1) for no key update
)
select a.task_id as task, a.ended_at_ms is not null as "isOver", a.counts
  from task join attempts a on a.task_id = task.id where a.id = $1 for update of a`

interface Corrected {
  readonly task: CallTaskId
  readonly isOver: boolean
  readonly counts: boolean | null
}

const CORRECT = `
insert into attempt_corrections (attempt_id, result_before, agent, created_at_ms)
select id, result, $2, $3 from attempts where id = $1
on conflict do nothing`

const COUNT = `
with counted as (update attempts set counts = true where id = $1 returning task_id)
update call_tasks t set attempts_counted = t.attempts_counted + 1, updated_at_ms = $2
  from counted c where t.id = c.task_id`

const GOES_ON = `
select max(a.ended_at_ms) + greatest(max(t.interval_ms), $2) as "atMs"
  from call_tasks t join attempts a on a.task_id = t.id left join attempt_corrections c on c.attempt_id = a.id
 where t.id = $1 and t.status = 'answered' and t.closed_at_ms is null and not t.is_typed
   and t.attempts_max > t.attempts_counted
having not bool_or(a.result = 'answered' and c.attempt_id is null)`
