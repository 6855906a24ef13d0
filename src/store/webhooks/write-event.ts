import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId, ExternalSystemId, OutcomeId } from '../../kernel/ids.ts'
import type { EventType } from '../../ports/webhook.ts'
import type { Transaction } from '../db/connection.ts'
import { telling } from '../db/notifications.ts'
import { FRESH } from './new-delivery.ts'

export interface EventToWrite {
  /** The writer chooses it (`evt_…` of `makeEventId`), so a repeated write is detected. */
  readonly eventName: string
  readonly type: EventType
  readonly corporation: CorporationId
  readonly activity: number
  /** Version of a summary, or the place of an outcome among those of its call; from 1. */
  readonly version?: number
  readonly outcome?: OutcomeId
  readonly externalSystem?: ExternalSystemId
  readonly atMs: AtMs
}

/**
 * The event, a delivery for each interested subscription, and a notification, which is sent once, on commit. A clock
 * that ran ahead for a moment holds no event back until its time comes (storage-13).
 */
const WRITE = `
with event as (
  insert into events (name, type, corporation_id, activity_id, version, external_system_id, system_code, at_ms,
    outcome_id)
  values ($1, $2, $3, $4, $5, $6, (select code from external_systems where id = $6), $7, $8)
  returning id, type, corporation_id, external_system_id, at_ms
), spread as (
  insert into deliveries (event_id, subscription_id, next_at_ms, at_ms, state, why, saved)
  select e.id, s.id, least(e.at_ms, (extract(epoch from clock_timestamp()) * 1000)::bigint), e.at_ms, ${FRESH}
    from event e
    join webhook_subscriptions s on s.corporation_id = e.corporation_id and s.disabled_because is null
     and e.type = any(s.event_types)
     and (s.external_system_ids = '{}' or e.external_system_id = any(s.external_system_ids))
  returning id
)
select ${telling('deliveries')} from spread limit 1`

/** Within the transaction of its fact: receivers read a state as new (INV-E4), and a rollback leaves no event. */
export async function writeEvent(transaction: Transaction, event: EventToWrite): Promise<void> {
  const { eventName, type, corporation, activity, version, externalSystem, atMs, outcome } = event
  const about = [corporation, activity, version ?? null, externalSystem ?? null]
  const values = [eventName, type, ...about, atMs, outcome ?? null]
  await transaction.query(WRITE, values)
}
