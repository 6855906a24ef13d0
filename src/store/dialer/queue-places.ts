import type { CallTaskId } from '../../kernel/ids.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { KeepPlace } from '../../ports/queue-place.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { personKey } from './import-call-tasks.ts'

/** Places of callers who wait to be called back (calls-and-flows-53). */
export const queuePlaces = {
  /** A promised callback with a place. The same number has one open place in a campaign, and keeps the older one. */
  async keepPlace({ control }, request) {
    return inTransaction(control, async (transaction) => {
      // No stop list changes between the look and the place.
      await transaction.query('select pg_advisory_xact_lock_shared($1)', [LOCKS.orders])
      const person = personKey(request.externalSystem, request.externalCustomer)
      const [stopped] = await ask(transaction, STOPPED, [request.corporation, request.number, person ?? null])
      if (stopped) return 'stopped'
      const [task] = await ask<{ id: CallTaskId }>(transaction, KEEP, valuesOf(request, person))
      if (!task) return 'no such campaign'
      await transaction.query(PLACE, [task.id, request.call, request.priority, request.sinceAtMs, request.skills])
      await notify(transaction, 'tasks')
      return task.id
    })
  },
} satisfies Partial<In<DialerRepository>>

const STOPPED = `
select from stopped_numbers where corporation_id = $1 and number = $2
union all select from stopped_persons where corporation_id = $1 and person_key = $3`

/** A place that the same number has already is due again at once. While it is dialed, nothing of it changes. */
const KEEP = `
with kept as (
  insert into call_tasks as t (corporation_id, campaign_id, external_system_id, receiver_name, external_customer,
    external_case_number, duplicate_key, person_key, attempts_max, interval_ms, status, next_call_at_ms,
    callback_at_ms, callback_asked_by_contact, callback_number, callback_promised_at_ms, created_at_ms, updated_at_ms)
  select corporation_id, id, $4, $5, $6, $7, $3, $8, $9, 0, 'callback', $10, $10, true, $3, $10, $10, $10
    from campaigns where id = $1 and corporation_id = $2 and active
  on conflict (campaign_id, duplicate_key) where finished_at_ms is null do update
    set callback_at_ms = $10, callback_asked_by_contact = true, callback_by = null, callback_number = $3,
        assigned_user_id = case when t.status in ('dialing', 'inCall') then t.assigned_user_id end,
        callback_promised_at_ms = $10, updated_at_ms = $10,
        status = case when t.status in ('new', 'waiting') then 'callback' else t.status end,
        next_call_at_ms = case when t.status in ('dialing', 'inCall') then t.next_call_at_ms else $10 end
  returning t.id
), numbers as (
  insert into call_task_numbers (task_id, position, given, number) select id, 0, $3, $3 from kept
  on conflict (task_id, position) do nothing
)
select id from kept`

const PLACE = `
insert into queue_places as p (task_id, call, priority, since_ms, skills) values ($1, $2, $3, $4, $5)
on conflict (task_id) do update
  set call = $2, priority = greatest(p.priority, $3), since_ms = least(p.since_ms, $4), skills = $5`

function valuesOf(request: KeepPlace, person: string | undefined): unknown[] {
  const { campaign, corporation, number, externalSystem, receiverName, externalCustomer, externalCaseNumber } = request
  return [
    campaign,
    corporation,
    number,
    externalSystem ?? null,
    receiverName,
    externalCustomer ?? null,
    externalCaseNumber ?? null,
    person ?? null,
    request.attemptsMax,
    request.nowMs,
  ]
}
