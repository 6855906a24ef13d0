import type { CallTaskId } from '../../kernel/ids.ts'
import type { TypedNumber } from '../../ports/call-task.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'

/** Call tasks of numbers that agents type (campaigns-111, campaigns-112, campaigns-113). */
export const typedNumbers = {
  /** Two agents who type the same number at once get the same call task. */
  async taskOfNumber({ control }, request) {
    return inTransaction(control, async (transaction) => {
      // No stop list changes between the look and the call task.
      await transaction.query('select pg_advisory_xact_lock_shared($1)', [LOCKS.orders])
      const { corporation, campaign, number } = request
      if ((await ask(transaction, STOPPED, [corporation, number])).length > 0) return 'stopped'
      if ((await ask(transaction, ALLOWED, [campaign, corporation])).length === 0) return 'not allowed'
      const [open] = await ask<{ id: CallTaskId }>(transaction, OPEN, [campaign, number])
      if (open) return { task: open.id, isNew: false }
      const [made] = await ask<{ id: CallTaskId }>(transaction, MAKE, valuesOf(request))
      if (made) {
        await notify(transaction, 'tasks')
        return { task: made.id, isNew: true }
      }
      const [other] = await ask<{ id: CallTaskId }>(transaction, OPEN, [campaign, number])
      return other ? { task: other.id, isNew: false } : 'not allowed'
    })
  },

  /** A claim that runs is waited for: what it dials is not taken back. */
  async takeBackTask({ control }, task, reason, atMs) {
    await query(control, TAKE_BACK, [task, reason, atMs])
  },
} satisfies Partial<In<DialerRepository>>

const STOPPED = 'select from stopped_numbers where corporation_id = $1 and number = $2'

/** By what the database says now, not by what the engine heard of it last. */
const ALLOWED = `
select from campaigns where id = $1 and corporation_id = $2 and active
   and settings->>'agentsDialNumbers' = 'true' and settings->>'dialMode' = 'manual' for share`

const OPEN = `
select t.id from call_task_numbers n join call_tasks t on t.id = n.task_id
 where n.number = $2 and t.campaign_id = $1 and t.finished_at_ms is null order by t.id limit 1`

const MAKE = `
with made as (
  insert into call_tasks (corporation_id, campaign_id, external_system_id, receiver_name, duplicate_key, attempts_max,
    interval_ms, next_call_at_ms, created_at_ms, updated_at_ms, is_typed)
  values ($2, $1, $5, $4, $4, 1, 0, $6, $6, $6, true)
  on conflict (campaign_id, duplicate_key) where finished_at_ms is null do nothing
  returning id
), numbers as (
  insert into call_task_numbers (task_id, position, given, number) select id, 0, $3, $4 from made
)
select id from made`

function valuesOf({ campaign, corporation, given, number, externalSystem, atMs }: TypedNumber): unknown[] {
  return [campaign, corporation, given, number, externalSystem ?? null, atMs]
}

const TAKE_BACK = `
update call_tasks t
   set status = 'endedBySystem', finish_reason = $2, finished_at_ms = $3, closed_at_ms = $3, next_call_at_ms = null,
       updated_at_ms = $3
 where id = $1 and finished_at_ms is null and status in ('new', 'waiting')
   and not exists (select from attempts a where a.task_id = t.id)`
