import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { BOTH_CLOCKS } from '../db/sql.ts'
import { query } from '../db/transaction.ts'

/** The `finishReason` that an integrator reads. */
export const EXPIRED_REASON = 'validTo is over'

/** The same, of a number that an agent typed. */
export const LEFT_REASON = 'not dialed: the service stopped before'

/** Small enough not to keep a claim waiting. */
const BATCH_MAX = 1_000

/**
 * Tasks whose validity is over by both clocks. A task that rings, talks or is on an agent's screen expires afterwards:
 * its line rings out, and the gate refuses the next one.
 */
const EXPIRE = `
with over as (
  select id from call_tasks
   where finished_at_ms is null and status in ('new', 'waiting', 'callback')
     and valid_to_ms <= ${BOTH_CLOCKS}
   order by valid_to_ms limit ${BATCH_MAX} for no key update skip locked
)
update call_tasks t
   set status = 'expired', finished_at_ms = $1, finish_reason = '${EXPIRED_REASON}', updated_at_ms = $1,
       next_call_at_ms = null, waits_for = null
  from over where t.id = over.id
returning t.id`

/** Longer than an agent waits for their order. */
const LEFT_AFTER_MS = 60_000

/** A typed number that a service which died has not dialed: nobody else does (campaigns-113). */
const END_LEFT = `
update call_tasks t
   set status = 'endedBySystem', finished_at_ms = $1, closed_at_ms = $1, finish_reason = '${LEFT_REASON}',
       updated_at_ms = $1, next_call_at_ms = null, waits_for = null
 where t.is_typed and t.status in ('new', 'waiting') and t.updated_at_ms < ${BOTH_CLOCKS} - ${LEFT_AFTER_MS}
returning t.id`

/** Each batch commits by itself. The next run handles tasks that another transaction has locked. */
export const expireTasks = {
  async expireTasks({ jobs }, atMs) {
    const left = await query(jobs, END_LEFT, [atMs])
    for (let expired = left.length; ; ) {
      const { length } = await query(jobs, EXPIRE, [atMs])
      expired += length
      if (length < BATCH_MAX) return expired
    }
  },
} satisfies Partial<In<DialerRepository>>
