import type { Outbox } from '../../ports/outbox.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { storableJson } from '../db/storable-json.ts'
import { inTransaction, query } from '../db/transaction.ts'
import { SUBSCRIPTION_COLUMNS, type SubscriptionRecord, SYSTEM_CODES, subscriptionOf } from './outbox-rows.ts'

/** The ids of these codes, in their order; codes that nobody has match nothing. */
const idsOf = (codes: string, corporation: string) => `case when cardinality(${codes}::text[]) = 0 then '{}' else
  coalesce((select array_agg(x.id order by array_position(${codes}::text[], x.code)) from external_systems x
    where x.corporation_id = ${corporation} and x.code = any(${codes}::text[])), '{0}') end`

const INSERT = `
insert into webhook_subscriptions as s (corporation_id, url, description, event_types, external_system_ids,
  system_codes, secrets, disabled_because, disabled_at_ms, created_at_ms, updated_at_ms)
select $1, $2, $3, $4, ${idsOf('$5', '$1')}, $5, $6::jsonb, $7, $8, $9, $9
 where (select count(*) from webhook_subscriptions where corporation_id = $1) < $10
returning ${SUBSCRIPTION_COLUMNS}`

export const subscriptions = {
  /** Locks the corporation: simultaneous requests cannot exceed the maximum. */
  async addSubscription({ api }, { subscription, description, atMs, subscriptionsMax }) {
    const { corporation, url, events, systemCodes, secrets, disabled } = subscription
    return inTransaction(api, async (transaction) => {
      await transaction.query('select from corporations where id = $1 for no key update', [corporation])
      const { rows } = await transaction.query(INSERT, [
        ...[corporation, url, description, events, systemCodes, storableJson(secrets)],
        ...[disabled?.because ?? null, disabled?.sinceAtMs ?? null, atMs, subscriptionsMax],
      ])
      await notify(transaction, 'deliveries')
      const [row] = rows as SubscriptionRecord[]
      return row ? subscriptionOf(row) : 'too many'
    })
  },

  async subscriptions({ api }, corporations) {
    return (await query<SubscriptionRecord>(api, `${SELECT} order by s.id`, [corporations])).map(subscriptionOf)
  },

  async findSubscription({ api }, id, corporations) {
    const [row] = await query<SubscriptionRecord>(api, `${SELECT} and s.id = $2`, [corporations, id])
    return row && subscriptionOf(row)
  },

  async saveSubscription({ api }, { subscription, version, description }, atMs) {
    const { id, url, events, systemCodes, secrets, disabled } = subscription
    return inTransaction(api, async (transaction) => {
      const { rows } = await transaction.query(SAVE, [
        ...[id, version, url, description, events, systemCodes, storableJson(secrets)],
        ...[disabled?.because ?? null, disabled?.sinceAtMs ?? null, atMs],
      ])
      await notify(transaction, 'deliveries')
      const [row] = rows as SubscriptionRecord[]
      return row && subscriptionOf(row)
    })
  },

  async removeSubscription({ api }, id, corporations) {
    return inTransaction(api, async (transaction) => {
      const text = 'delete from webhook_subscriptions where id = $1 and corporation_id = any($2::bigint[])'
      const { rowCount } = await transaction.query(text, [id, corporations])
      await notify(transaction, 'deliveries')
      return rowCount === 1
    })
  },
} satisfies Partial<In<Outbox>>

const SELECT = `select ${SUBSCRIPTION_COLUMNS} from webhook_subscriptions s where s.corporation_id = any($1::bigint[])`

/** Only if the version is unchanged. A new address or an enabled subscription starts with a clean health record. */
const SAVE = `
update webhook_subscriptions s
   set url = $3, description = $4, event_types = $5, secrets = $7::jsonb, system_codes = $6, external_system_ids = case
         when $6::text[] = ${SYSTEM_CODES} then external_system_ids else ${idsOf('$6', 's.corporation_id')} end,
       health = case when url <> $3 or (disabled_because is not null and $8::text is null) then null else health end,
       disabled_because = $8, disabled_at_ms = $9, updated_at_ms = $10, version = version + 1
 where id = $1 and version = $2
returning ${SUBSCRIPTION_COLUMNS}`
