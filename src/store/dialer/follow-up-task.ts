import { AssertionError } from '../../kernel/assert.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CallTaskId } from '../../kernel/ids.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'

/** A user may finish or import the same case between two statements. The loop gives up after this many tries. */
const LOOKS_MAX = 5

/** Copies the task with its numbers, properties and remaining attempts; at least one, because a call is still owed. */
const FOLLOW = `
with made as (
  insert into call_tasks (corporation_id, campaign_id, external_system_id, assigned_user_id, receiver_name,
    external_customer, external_case_number, duplicate_key, person_key, attempts_max, interval_ms, next_call_at_ms,
    valid_from_ms, valid_to_ms, priority, follows_task_id, created_at_ms, updated_at_ms)
  select t.corporation_id, t.campaign_id, t.external_system_id, t.assigned_user_id, t.receiver_name,
    t.external_customer, t.external_case_number, t.duplicate_key, t.person_key,
    greatest(t.attempts_max - t.attempts_counted, 1), t.interval_ms, $2,
    t.valid_from_ms, t.valid_to_ms, t.priority, t.id, $3, $3
    from call_tasks t where t.id = $1
  on conflict (campaign_id, duplicate_key) where finished_at_ms is null do nothing
  returning id
), numbers as (
  insert into call_task_numbers (task_id, position, given, number)
  select m.id, n.position, n.given, n.number from made m join call_task_numbers n on n.task_id = $1
), properties as (
  insert into call_task_properties (task_id, position, field_id, value)
  select m.id, p.position, p.field_id, p.value from made m join call_task_properties p on p.task_id = $1
)
select id from made`

const TWIN = `
select id from call_tasks
 where (campaign_id, duplicate_key) = (select campaign_id, duplicate_key from call_tasks where id = $1)
   and finished_at_ms is null for no key update`

/** Only what the dialer finished itself, by a talk or a machine, and what was not ended, stopped or erased since. */
const MAY_BE_FOLLOWED = `
select from call_tasks t
 where t.id = $1 and t.status in ('answered', 'maxAttempts') and t.closed_at_ms is null and t.erased_at_ms is null
   and not exists (select from stopped_persons s
                    where s.corporation_id = t.corporation_id and s.person_key = t.person_key)`

/**
 * A finished task never reopens (INV-O3): another follows, or, locked, the one that lists the same case already.
 * Undefined: nothing may follow it. The caller has locked the finished task, and every lock after it is on a younger
 * task: an end from outside locks the same way, and so ends the follower or forbids it (campaigns-45).
 */
export async function followTask(
  transaction: Transaction,
  finished: CallTaskId,
  nextCallAtMs: AtMs,
  nowMs: AtMs,
): Promise<CallTaskId | undefined> {
  if ((await ask(transaction, MAY_BE_FOLLOWED, [finished])).length === 0) return undefined
  for (let look = 0; look < LOOKS_MAX; look++) {
    const [made] = await ask<{ id: CallTaskId }>(transaction, FOLLOW, [finished, nextCallAtMs, nowMs])
    const [found] = made ? [made] : await ask<{ id: CallTaskId }>(transaction, TWIN, [finished])
    if (found) return found.id
  }
  throw new AssertionError(`call task ${finished} is neither listed again nor can it be`)
}
