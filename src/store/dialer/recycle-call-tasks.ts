import type { CallTaskId } from '../../kernel/ids.ts'
import type { DialerAdminRepository, RecycleOrder, RecycleSkip } from '../../ports/dialer-admin-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'
import { callersOf } from './due-tasks.ts'

/** Small enough not to keep an import or a claim waiting. */
const BATCH_MAX = 1_000

/** Makes followers of finished tasks, a batch at a time. A repetition finds the followers open and skips them. */
export const recycleCallTasks = {
  async recycleCallTasks(pools, order) {
    const found = await query<FoundTask>(pools.jobs, FIND, [
      order.campaign,
      order.corporations,
      order.results,
      order.fromAtMs ?? null,
      order.toAtMs ?? null,
      order.atMs,
      order.alsoTalked,
    ])
    const fit = found.filter(({ why }) => why === null)
    const made = order.isDryRun ? undefined : await follow(pools, order, fit)
    // Another request may have listed the case since the question.
    const skipOf = ({ id, why }: FoundTask) => why ?? (made === undefined || made.has(id) ? undefined : 'duplicate')
    const skipped = found.flatMap((task) => skipOf(task) ?? [])
    const taken = found.filter((task) => skipOf(task) === undefined).map(({ result }) => result)
    return { recycled: countsOf(taken), skipped: countsOf(skipped) }
  },
} satisfies Partial<In<DialerAdminRepository>>

interface FoundTask {
  readonly id: CallTaskId
  readonly result: RecycleOrder['results'][number]
  readonly why: RecycleSkip | null
}

/** The latest finished task of each case, by its last result. An agent's word about a machine is its result. */
const FIND = `
with finished as (
  select id, row_number() over (partition by duplicate_key order by id desc) as place
    from call_tasks where campaign_id = $1 and corporation_id = any($2) and finished_at_ms is not null
)
select t.id, last.result,
  case when t.status in ('endedBySystem', 'endedByUser', 'stopped') or t.closed_at_ms is not null or t.is_typed
      then 'ended'
    when t.status = 'expired' or t.valid_to_ms <= $6 then 'expired'
    when exists (select from call_tasks o where o.campaign_id = t.campaign_id
                    and o.duplicate_key = t.duplicate_key and o.finished_at_ms is null) then 'duplicate'
    when exists (select from stopped_persons s
                  where s.corporation_id = t.corporation_id and s.person_key = t.person_key)
      or not exists (select from call_task_numbers n where n.task_id = t.id and not exists (
           select from stopped_numbers s where s.corporation_id = t.corporation_id and s.number = n.number))
      then 'stopped'
    when not $7 and (
      exists (select from attempts a where a.corporation_id = t.corporation_id and a.result = 'answered'
                 and (a.task_id = t.id or a.person_key = t.person_key and a.claimed_at_ms >= t.created_at_ms)
                 and not exists (select from attempt_corrections c where c.attempt_id = a.id))
      or exists (select from call_task_numbers n join attempts a on a.number = n.number
                  where n.task_id = t.id and a.corporation_id = t.corporation_id and a.result = 'answered'
                    and a.claimed_at_ms >= t.created_at_ms
                    and not exists (select from attempt_corrections c where c.attempt_id = a.id))
      or exists (select from (${callersOf('t')}) n join call_activities i on i.caller = n.number
                  where i.corporation_id = t.corporation_id and i.direction = 'in'
                    and i.agent is not null and i.ended_at_ms >= t.created_at_ms)) then 'talked'
  end as why
  from finished f join call_tasks t on t.id = f.id
  cross join lateral (
    select case when c.attempt_id is null then a.result else 'voicemail' end as result
      from attempts a left join attempt_corrections c on c.attempt_id = a.id
     where a.task_id = t.id order by a.id desc limit 1) last
 where f.place = 1 and last.result = any($3) and t.finished_at_ms >= coalesce($4, t.finished_at_ms)
   and ($5::bigint is null or t.finished_at_ms < $5)
 order by t.id`

/** The lock is that of an end from outside, which ends the follower or forbids it (campaigns-45). */
const FOLLOW = `
with made as (
  insert into call_tasks (corporation_id, campaign_id, external_system_id, assigned_user_id, receiver_name,
    external_customer, external_case_number, duplicate_key, person_key, attempts_max, interval_ms, next_call_at_ms,
    valid_to_ms, priority, follows_task_id, created_at_ms, updated_at_ms)
  select t.corporation_id, t.campaign_id, t.external_system_id, t.assigned_user_id, t.receiver_name,
    t.external_customer, t.external_case_number, t.duplicate_key, t.person_key, coalesce($2, t.attempts_max),
    coalesce($3, t.interval_ms), greatest($4::bigint, t.last_call_at_ms + coalesce($3, t.interval_ms)),
    t.valid_to_ms, t.priority, t.id, $4, $4
    from call_tasks t where t.id = any($1::bigint[]) and t.closed_at_ms is null and t.erased_at_ms is null order by t.id
     for no key update of t
  on conflict (campaign_id, duplicate_key) where finished_at_ms is null do nothing
  returning id, follows_task_id
), numbers as (
  insert into call_task_numbers (task_id, position, given, number)
  select m.id, n.position, n.given, n.number from made m join call_task_numbers n on n.task_id = m.follows_task_id
), properties as (
  insert into call_task_properties (task_id, position, field_id, value)
  select m.id, p.position, p.field_id, p.value
    from made m join call_task_properties p on p.task_id = m.follows_task_id
)
select follows_task_id as id from made`

async function follow(
  { jobs }: Pick<Pools, 'jobs'>,
  { attemptsMax, intervalMs, atMs }: RecycleOrder,
  tasks: readonly FoundTask[],
): Promise<ReadonlySet<CallTaskId>> {
  const made = new Set<CallTaskId>()
  for (let first = 0; first < tasks.length; first += BATCH_MAX) {
    const ids = tasks.slice(first, first + BATCH_MAX).map(({ id }) => id)
    const rows = await inTransaction(jobs, async (transaction: Transaction) => {
      const values = [ids, attemptsMax ?? null, intervalMs ?? null, atMs]
      const followed = await ask<{ id: CallTaskId }>(transaction, FOLLOW, values)
      await notify(transaction, 'tasks')
      return followed
    })
    for (const { id } of rows) made.add(id)
  }
  return made
}

function countsOf<Word extends string>(words: readonly Word[]): Readonly<Partial<Record<Word, number>>> {
  const counts: Partial<Record<Word, number>> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
