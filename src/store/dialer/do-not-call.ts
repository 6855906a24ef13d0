import type { CallTaskId } from '../../kernel/ids.ts'
import type { DialerRepository, DoNotCall } from '../../ports/dialer-repository.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { storable } from '../db/storable-json.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { endTask } from './end-call-task.ts'

export const doNotCall = {
  /** No attempt at the number or the person begins after this returns (INV-D5). A repetition changes nothing. */
  async doNotCall({ control }, given) {
    // Flows and agents write reasons; what other systems put into them must not keep anybody from being stopped.
    const request = { ...given, reason: storable(given.reason) }
    return inTransaction(control, async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.orders])
      const { corporation, number, task = null, call, activity = null, by, reason, atMs } = request
      const evidence = [corporation, atMs, by, reason, call, activity]
      await transaction.query(STOP_NUMBER, [...evidence, number])
      await transaction.query(STOP_PERSON, [...evidence, task])
      const ended = await endTasks(transaction, request)
      await notify(transaction, 'tasks')
      return ended
    })
  },
} satisfies Partial<In<DialerRepository>>

const STOP_NUMBER = `
insert into stopped_numbers (corporation_id, number, created_at_ms, added_by, reason, call_id, activity_id)
values ($1, $7, $2, $3, $4, $5, $6) on conflict do nothing`

const STOP_PERSON = `
insert into stopped_persons (corporation_id, person_key, created_at_ms, added_by, reason, call_id, activity_id)
select $1, t.person_key, $2, $3, $4, $5, $6 from call_tasks t
 where t.id = $7 and t.corporation_id = $1 and t.person_key is not null
on conflict do nothing`

/** The dialed task, also when it is over, those of its person, and those that have no number left to dial. */
const LOCK = `
with theirs as materialized (
  select t.id from call_tasks t where t.id = $3
  union
  select t.id from call_tasks t
   where t.corporation_id = $1 and t.person_key = (select person_key from call_tasks where id = $3)
     and t.finished_at_ms is null
  union
  select n.task_id from call_task_numbers n
   where n.number = $2 and not exists (
     select from call_task_numbers o left join stopped_numbers s on s.corporation_id = $1 and s.number = o.number
      where o.task_id = n.task_id and s.number is null)
)
select id, finished_at_ms is null as "isOpen" from call_tasks
 where id in (select id from theirs) and corporation_id = $1 and (finished_at_ms is null or id = $3)
 order by id for no key update`

const END = `
update call_tasks set status = 'stopped', finished_at_ms = $2, updated_at_ms = $2, finish_reason = $3,
  next_call_at_ms = null, reserved_by = null, reserved_fence = null where id = any($1)`

async function endTasks(
  transaction: Transaction,
  { corporation, number, task, reason, atMs }: DoNotCall,
): Promise<CallTaskId[]> {
  const found = await ask<{ id: CallTaskId; isOpen: boolean }>(transaction, LOCK, [corporation, number, task ?? null])
  const ids = found.filter(({ isOpen }) => isOpen).map(({ id }) => id)
  if (ids.length > 0) await transaction.query(END, [ids, atMs, reason])
  if (task === undefined) return ids
  // What was promised in that talk may have nothing else in common with it, and nothing may follow it any more.
  const end = { task, corporations: [corporation], status: 'stopped', reason, atMs } as const
  const chain = await endTask(transaction, end)
  const followers = chain.outcome === 'no such call task' ? [] : chain.followers
  return [...ids, ...followers].sort((one, other) => one - other)
}
