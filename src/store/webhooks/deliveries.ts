import type { DeliveryId } from '../../kernel/ids.ts'
import type { Outbox } from '../../ports/outbox.ts'
import type { DeliveryAttempt, DeliveryState } from '../../ports/webhook.ts'
import { countOf } from '../db/criteria.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { storableJson } from '../db/storable-json.ts'
import { inTransaction, query } from '../db/transaction.ts'
import { FRESH, FRESH_RUN } from './new-delivery.ts'
import { DELIVERY_COLUMNS, type DeliveryRecord, deliveryOf, type OutboxPools } from './outbox-rows.ts'

const WANTED = `
  from deliveries d join webhook_subscriptions s on s.id = d.subscription_id
 where d.subscription_id = $1 and s.corporation_id = any($2::bigint[])
   and ($3::text[] is null or d.state = any($3))
   and ($4::bigint is null or d.at_ms >= $4) and ($5::bigint is null or d.at_ms < $5)`

const LIST = `
with page as materialized (
  select d.* ${WANTED} order by d.at_ms desc, d.id desc offset $6 limit $7)
select ${DELIVERY_COLUMNS}, coalesce(a.attempts, '[]') as attempts
  from page d join events e on e.id = d.event_id
  left join lateral (
    select json_agg(json_strip_nulls(json_build_object('atMs', t.at_ms, 'tookMs', t.took_ms, 'outcome', t.outcome,
             'status', t.status, 'excerpt', t.excerpt)) order by t.at_ms) as attempts
      from delivery_attempts t where t.delivery_id = d.id) a on true
 order by d.at_ms desc, d.id desc`

export const deliveries = {
  async deliveries({ api, environment }, { subscription, corporations, states, at, offset, rowsMax }) {
    const command = [subscription, corporations, states ?? null, at?.from ?? null, at?.to ?? null]
    const rows = await query<DeliveryRecord & { attempts: DeliveryAttempt[] }>(api, LIST, [...command, offset, rowsMax])
    const listed = rows.map((row) => ({ row: deliveryOf(row, environment), attempts: row.attempts }))
    return { found: await countOf(api, WANTED, command), deliveries: listed }
  },

  /** Locks the rows first: it changes exactly the rows that it finds. */
  async replay({ api }, delivery, corporations, atMs) {
    return inTransaction(api, async (transaction) => {
      const { rows } = await transaction.query(
        `select d.state, s.disabled_because as because
           from deliveries d join webhook_subscriptions s on s.id = d.subscription_id
          where d.id = $1 and s.corporation_id = any($2::bigint[]) for update of d`,
        [delivery, corporations],
      )
      const [found] = rows as { state: DeliveryState; because: string | null }[]
      if (!found) return 'no such delivery'
      if (found.because !== null) return 'disabled'
      if (found.state === 'pending') return 'on its way'
      await transaction.query(REPLAY, [delivery, atMs])
      await notify(transaction, 'deliveries')
      return 'queued'
    })
  },

  /** Does not look for an extra row: a full page means that there may be more. */
  async recover({ jobs }, subscription, corporations, happened, atMs, rowsMax) {
    return inTransaction(jobs, async (transaction) => {
      const { rows } = await transaction.query(
        `select disabled_because as because from webhook_subscriptions
          where id = $1 and corporation_id = any($2::bigint[]) for key share`,
        [subscription, corporations],
      )
      const [found] = rows as { because: string | null }[]
      if (!found) return { outcome: 'no such subscription' }
      if (found.because !== null) return { outcome: 'disabled' }
      const { from = 0, to = atMs } = happened
      const { rowCount } = await transaction.query(RECOVER, [subscription, from, to, atMs, rowsMax])
      await notify(transaction, 'deliveries')
      return { outcome: 'queued', deliveries: rowCount ?? 0, isMore: rowCount === rowsMax }
    })
  },

  /** Saves the state of a new delivery: a test is never retried automatically, and a replay starts anew anyway. */
  async recordTest({ api }, subscription, event, { state, why }, attempt) {
    const rows = await query<{ id: DeliveryId }>(api, TEST, [
      ...[event.id, event.type, event.corporation, event.atMs, subscription, state, why],
      ...[JSON.stringify(FRESH_RUN), storableJson(attempt)],
    ])
    return rows[0]?.id
  },
} satisfies Partial<In<Outbox, OutboxPools>>

const REPLAY = `
update deliveries set next_at_ms = $2, (state, why, saved) = (select ${FRESH})
 where id = $1 and state <> 'pending'`

/** Events of a period that the subscription has missed: dead, parked or never queued. Oldest first. */
const RECOVER = `
with missing as materialized (
  select e.id, e.at_ms
    from webhook_subscriptions s
    join events e on e.corporation_id = s.corporation_id and e.type = any(s.event_types)
     and (s.external_system_ids = '{}' or e.external_system_id = any(s.external_system_ids))
    left join deliveries d on d.event_id = e.id and d.subscription_id = s.id
   where s.id = $1 and e.at_ms >= $2 and e.at_ms < $3 and (d.id is null or d.state in ('dead', 'parked'))
   order by e.at_ms, e.id limit $5
)
insert into deliveries as d (event_id, subscription_id, next_at_ms, at_ms, state, why, saved)
select m.id, $1, $4, m.at_ms, ${FRESH} from missing m
on conflict (event_id, subscription_id) do update
   set next_at_ms = $4, state = excluded.state, why = excluded.why, saved = excluded.saved
 where d.state in ('dead', 'parked')
returning d.id`

const TEST = `
with subscription as (
  select id from webhook_subscriptions where id = $5 for key share
), event as (
  insert into events (name, type, corporation_id, at_ms) select $1, $2, $3, $4 from subscription returning id, at_ms
), delivery as (
  insert into deliveries (event_id, subscription_id, next_at_ms, at_ms, state, why, saved)
  select id, $5, null, at_ms, $6, $7, $8::jsonb from event returning id
), attempt as (
  insert into delivery_attempts (delivery_id, at_ms, took_ms, outcome, status, excerpt)
  select d.id, a."atMs", a."tookMs", a.outcome, a.status, a.excerpt
    from delivery d cross join json_to_record($9::json)
      as a("atMs" bigint, "tookMs" bigint, outcome text, status integer, excerpt text)
)
select id from delivery`
