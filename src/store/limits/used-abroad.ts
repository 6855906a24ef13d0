/** Calls and minutes to other countries, counted from what is stored: no counter can be lost (campaigns-101). */
import type { AbroadUse } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { type Prepared, query } from '../db/transaction.ts'

const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
const SINCE_MS = `(${NOW_MS} - 24 * 3600000)`

/** Of a transfer in a JSON document `t.value`, whose call ends at this instant. */
const transferOf = (endsAtMs: string) => `t.value->>'abroad' as country,
  coalesce((t.value->>'connectedAtMs')::bigint, (t.value->>'endedAtMs')::bigint, (t.value->>'beganAtMs')::bigint),
  coalesce((t.value->>'endedAtMs')::bigint, ${endsAtMs})`

/** A call that goes on counts as answered when it was claimed: nobody has stored more of it. */
const CALLS = `
  select a.permit->>'country' as country,
    coalesce(a.answered_at_ms, case when a.ended_at_ms is null then a.claimed_at_ms else a.ended_at_ms end) as from_ms,
    coalesce(a.ended_at_ms, ${NOW_MS}) as to_ms
    from attempts a
   where a.permit ? 'abroad' and a.claimed_at_ms >= ${SINCE_MS} and a.reach is distinct from 'nothing'
  union all
  select ${transferOf('c.ended_at_ms')}
    from call_activities c cross join jsonb_array_elements(c.transfers) t
   where jsonb_path_exists(c.transfers, '$[*].abroad') and c.ended_at_ms >= ${SINCE_MS} and t.value ? 'abroad'
  union all
  select ${transferOf(NOW_MS)}
    from open_calls o cross join jsonb_each(o.progress->'transfers') t
   where o.progress ? 'transfers' and t.value ? 'abroad'`

/** One row for each country: `AbroadUse`. */
const USED = `select u.country, count(*)::int as calls,
  coalesce(sum(greatest(u.to_ms - u.from_ms, 0)), 0)::bigint as "talkMs" from (${CALLS}) u group by u.country`

/** A list for a statement that asks more. */
export const USED_ABROAD = `(select coalesce(jsonb_agg(used), '[]') from (${USED}) used)`

const ALONE: Prepared = { name: 'used-abroad', text: USED }

export const usedAbroad = {
  async usedAbroad({ control }) {
    return query<AbroadUse>(control, ALONE, [])
  },
} satisfies Partial<In<DialerRepository>>
