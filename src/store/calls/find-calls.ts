import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, CallId, PhoneNumber } from '../../kernel/ids.ts'
import type { Pools } from '../db/pools.ts'
import { query } from '../db/transaction.ts'

/** What an operator knows of a call. */
export type CallClue =
  | { readonly by: 'activity'; readonly id: ActivityId }
  | { readonly by: 'number'; readonly number: PhoneNumber }
  | { readonly by: 'time'; readonly fromMs: AtMs; readonly toMs: AtMs }

/** A call that is up (without an activity) or over. */
export interface FoundCall {
  readonly call: CallId
  readonly activity: ActivityId | null
  readonly direction: 'in' | 'out'
  readonly caller: string
  readonly called: string
  readonly createdAtMs: AtMs
  readonly endedAtMs: AtMs | null
  readonly result: string | null
}

/** Calls of all corporations that fit, the newest first: for the operator of the machine, never for a client. */
export function findCalls({ api }: Pick<Pools, 'api'>, clue: CallClue, countMax: number): Promise<FoundCall[]> {
  switch (clue.by) {
    case 'activity':
      return query(api, `${FOUND} where activity = $1 limit $2`, [clue.id, countMax])
    case 'number':
      // Networks write a caller with 00, without a prefix, or as it is.
      return query(api, `${FOUND} where caller = any($1) or called = any($1) order by "createdAtMs" desc limit $2`, [
        [clue.number, clue.number.slice(1), `00${clue.number.slice(1)}`],
        countMax,
      ])
    case 'time':
      return query(
        api,
        `${FOUND} where "createdAtMs" < $2 and coalesce("endedAtMs", $2) >= $1 order by "createdAtMs" desc limit $3`,
        [clue.fromMs, clue.toMs, countMax],
      )
  }
}

const FOUND = `
select * from (
  select call, id as activity, direction, caller, called, created_at_ms as "createdAtMs", ended_at_ms as "endedAtMs",
    result from call_activities
  union all
  select call, null, 'in', caller, called, created_at_ms, null, null from open_calls
) as found`
