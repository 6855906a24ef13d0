import type { DispatcherLease, KeptSubscription, Outbox } from '../../ports/outbox.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { storableJson } from '../db/storable-json.ts'
import { inTransaction, query } from '../db/transaction.ts'
import {
  DELIVERY_COLUMNS,
  type DeliveryRecord,
  deliveryOf,
  type OutboxPools,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRecord,
  subscriptionOf,
} from './outbox-rows.ts'

/** Maximum of endpoints per dispatcher: bounds its memory, and is more than any installation has. */
const SUBSCRIPTIONS_MAX = 5_000

/** The outbox for webhook dispatchers. The database's clock times their leases, because all dispatchers share it. */
export const dispatcherLeases = {
  async takeLease({ jobs }, dispatcher, lifeMs) {
    const rows = await query<DispatcherLease>(
      jobs,
      `insert into courier_leases (courier, fence, expires_at)
       values ($1, nextval('fences'), clock_timestamp() + $2 * interval '1 ms')
       on conflict (courier) do update set fence = excluded.fence, expires_at = excluded.expires_at
       returning courier, fence`,
      [dispatcher, lifeMs],
    )
    return rows[0]!
  },

  async dropLease({ jobs }, { courier: dispatcher, fence }) {
    await query(jobs, 'delete from courier_leases where courier = $1 and fence = $2', [dispatcher, fence])
  },

  async hold({ jobs }, { courier: dispatcher, fence }, lifeMs, healths) {
    return inTransaction(jobs, async (transaction) => {
      // Otherwise two dispatchers at once would not see each other's new lease and take the same subscriptions.
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.dispatchers])
      const { rowCount } = await transaction.query(RENEW, [dispatcher, fence, lifeMs])
      if (rowCount === 0) return undefined
      await transaction.query('delete from courier_leases where expires_at <= clock_timestamp()')
      if (healths.length > 0) await transaction.query(LEARN, [fence, storableJson(healths)])
      await transaction.query(TAKE, [fence, SUBSCRIPTIONS_MAX])
      return heldBy(transaction, fence)
    })
  },

  async due({ jobs, environment }, { fence }, { atMs, rooms, without }) {
    const subscriptions = rooms.map(({ subscription }) => subscription)
    const versions = rooms.map(({ version }) => version)
    const rowsMax = rooms.map((room) => room.rowsMax)
    const rows = await query<DeliveryRecord>(jobs, DUE, [fence, subscriptions, versions, rowsMax, atMs, without])
    return rows.map((row) => deliveryOf(row, environment))
  },

  async keep({ jobs }, { fence }, kept) {
    const rows = kept.map(({ row: { id, subscription, state, nextAtMs, why, saved }, attempt }) => {
      return { id, subscription, state, nextAtMs, why, saved, ...attempt }
    })
    await query(jobs, KEEP, [fence, storableJson(rows)])
  },

  async disable({ jobs }, { id, disabled }, version) {
    const rows = await query(
      jobs,
      `update webhook_subscriptions
          set disabled_because = $3, disabled_at_ms = $4, updated_at_ms = $4, version = version + 1
        where id = $1 and version = $2 and disabled_because is null returning id`,
      [id, version, disabled?.because, disabled?.sinceAtMs],
    )
    return rows.length > 0 ? 'disabled' : 'overtaken'
  },

  async sweep({ jobs }, nowMs, olderThanMs, rowsMax) {
    return (await query(jobs, SWEEP, [nowMs, olderThanMs, rowsMax])).length
  },
} satisfies Partial<In<Outbox, OutboxPools>>

const RENEW = `update courier_leases set expires_at = clock_timestamp() + $3 * interval '1 ms'
 where courier = $1 and fence = $2`

const LEARN = `
update webhook_subscriptions s set health = k.health
  from json_to_recordset($2::json) as k(subscription bigint, version bigint, health jsonb)
 where s.id = k.subscription and s.version = k.version and s.courier_fence = $1`

const TAKE = `
update webhook_subscriptions s set courier_fence = $1
 where s.id in (
   select id from webhook_subscriptions o
    where o.courier_fence is null
       or not exists (select from courier_leases l where l.fence = o.courier_fence)
    order by o.id limit greatest(0, $2 - (select count(*) from webhook_subscriptions m where m.courier_fence = $1)))`

async function heldBy(transaction: Transaction, fence: number): Promise<KeptSubscription[]> {
  const text = `select ${SUBSCRIPTION_COLUMNS} from webhook_subscriptions s where s.courier_fence = $1 order by s.id`
  const { rows } = await transaction.query(text, [fence])
  return (rows as SubscriptionRecord[]).map(subscriptionOf)
}

/** A receiver refuses what was signed in its future, and the next try would wait for that time (storage-13). */
const AHEAD_MAX_MS = 60_000

/** A few rows per subscription, by the index: the backlog of one does not slow the others. */
const DUE = `
select ${DELIVERY_COLUMNS}
  from unnest($2::bigint[], $3::bigint[], $4::int[]) as wish(subscription_id, version, rows_max)
  join webhook_subscriptions s on s.id = wish.subscription_id and s.version = wish.version and s.courier_fence = $1
 cross join lateral (
   select * from deliveries o
    where o.subscription_id = s.id and o.next_at_ms <= $5 and o.id <> all($6::bigint[])
      and $5 <= (extract(epoch from clock_timestamp()) * 1000)::bigint + ${AHEAD_MAX_MS}
    order by o.next_at_ms, o.id limit wish.rows_max) d
  join events e on e.id = d.event_id
 order by d.next_at_ms, d.id`

/** Locks the subscriptions against `hold`: a replaced dispatcher cannot overwrite rows of its successor. */
const KEEP = `
with kept as materialized (
  select * from json_to_recordset($2::json) as k(id bigint, subscription bigint, state text, "nextAtMs" bigint,
    why text, saved jsonb, "atMs" bigint, "tookMs" bigint, outcome text, status integer, excerpt text)
), ours as materialized (
  select s.id from webhook_subscriptions s
   where s.id in (select subscription from kept) and s.courier_fence = $1 order by s.id for share
), written as (
  update deliveries d set state = k.state, next_at_ms = k."nextAtMs", why = k.why, saved = k.saved
    from kept k join ours o on o.id = k.subscription
   where d.id = k.id and d.subscription_id = k.subscription
  returning d.id
)
insert into delivery_attempts (delivery_id, at_ms, took_ms, outcome, status, excerpt)
select k.id, k."atMs", k."tookMs", k.outcome, k.status, k.excerpt
  from kept k join written w on w.id = k.id where k."atMs" is not null
on conflict do nothing`

/** Removes events with their deliveries and attempts. A pending delivery keeps its event. */
const SWEEP = `
delete from events where id in (
  select e.id from events e
   where e.at_ms < $1::bigint - $2::bigint
     and $1 <= (extract(epoch from clock_timestamp()) * 1000)::bigint + ${AHEAD_MAX_MS}
     and not exists (select from deliveries d where d.event_id = e.id and d.next_at_ms is not null)
   order by e.at_ms limit $3) returning id`
