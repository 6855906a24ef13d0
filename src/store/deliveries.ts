import type { ClaimedDelivery, DeliveryClaim, Settlement } from '../ports/records.ts'
import type { Pools } from './pools.ts'
import { query } from './transaction.ts'

/** For each subscriber its own few, oldest first; those that somebody is trying count towards its maximum. */
const CLAIM = `
with chosen as materialized (
  select d.id from webhook_subscriptions s cross join lateral (
    select o.id, o.due_at_ms from deliveries o
     where o.subscription_id = s.id and o.outcome is null and o.due_at_ms <= $1
       and (o.claimed_until_ms is null or o.claimed_until_ms <= $1)
     order by o.due_at_ms, o.id
     limit greatest(0, $3 - (select count(*) from deliveries b
                              where b.subscription_id = s.id and b.outcome is null and b.claimed_until_ms > $1))
       for update skip locked
  ) d where s.active order by d.due_at_ms limit $4
), claimed as (
  update deliveries d set claimed_until_ms = $2, tries = tries + 1 from chosen c where c.id = d.id returning d.*
)
select c.id, c.tries as "tryNumber", s.id as subscription, s.url, s.secret,
  json_build_object('id', e.id, 'type', e.type, 'activity', e.activity_id, 'corporation', e.corporation_id,
    'atMs', e.created_at_ms) as event
  from claimed c join webhook_subscriptions s on s.id = c.subscription_id join events e on e.id = c.event_id
 order by c.due_at_ms, c.id`

/**
 * Takes deliveries to be tried now; each is left alone by others until its lease runs out. Two who claim at the same
 * instant may together go over `perSubscriptionMax` for a moment: a courtesy to the subscriber, not a rule.
 */
export async function claimDeliveries({ jobs }: Pools, claim: DeliveryClaim): Promise<readonly ClaimedDelivery[]> {
  const { atMs, leaseMs, perSubscriptionMax, deliveriesMax } = claim
  return query<ClaimedDelivery>(jobs, CLAIM, [atMs, atMs + leaseMs, perSubscriptionMax, deliveriesMax])
}

/** Writes how a try ended. Only the newest try of a delivery may settle it. */
export async function settleDelivery({ jobs }: Pools, settlement: Settlement): Promise<'settled' | 'overtaken'> {
  const { delivery, tryNumber, atMs, result } = settlement
  const isOver = result.kind !== 'again'
  const rows = await query(
    jobs,
    `update deliveries
        set claimed_until_ms = null, last_status = $3, outcome = $4, settled_at_ms = $5,
            due_at_ms = coalesce($6, due_at_ms)
      where id = $1 and tries = $2 and outcome is null returning 1`,
    [
      delivery,
      tryNumber,
      result.status ?? null,
      isOver ? result.kind : null,
      isOver ? atMs : null,
      isOver ? null : result.nextTryAtMs,
    ],
  )
  return rows.length > 0 ? 'settled' : 'overtaken'
}
