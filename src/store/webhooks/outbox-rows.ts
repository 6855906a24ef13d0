import type { AtMs } from '../../kernel/clock.ts'
import type {
  CorporationId,
  DeliveryId,
  EventId,
  OutcomeId,
  SubscriptionId,
  SubscriptionVersion,
} from '../../kernel/ids.ts'
import type { SavedRun } from '../../kernel/machine.ts'
import type { KeptSubscription } from '../../ports/outbox.ts'
import type {
  DatedSecret,
  DeliveryRow,
  DeliveryState,
  DisabledBecause,
  EndpointHealth,
  EventType,
  WebhookEvent,
} from '../../ports/webhook.ts'
import type { Pools } from '../db/pools.ts'

/** The pools, and the environment of the installation, which is part of every event. */
export interface OutboxPools extends Pools {
  readonly environment: WebhookEvent['environment']
}

/** Columns of an event `e`. */
export const EVENT_COLUMNS = `e.name, e.type, e.corporation_id as corporation, e.activity_id as activity,
  e.version, e.outcome_id as outcome, e.system_code as "systemCode", e.at_ms as "eventAtMs"`

export interface EventRecord {
  readonly name: EventId
  readonly type: EventType | 'webhook.test'
  readonly corporation: CorporationId
  readonly activity: number | null
  readonly version: number | null
  readonly outcome: OutcomeId | null
  readonly systemCode: string | null
  readonly eventAtMs: AtMs
}

/** A row as the port's event. Fields that its kind lacks are left out: equal rows give equal events. */
export function eventOf(record: EventRecord, environment: WebhookEvent['environment']): WebhookEvent {
  const { name, type, corporation, activity, version, outcome, systemCode, eventAtMs } = record
  return {
    id: name,
    atMs: eventAtMs,
    corporation,
    environment,
    type,
    ...(systemCode !== null && { systemCode }),
    ...(activity !== null && { activity }),
    ...(version !== null && { version }),
    ...(outcome !== null && { outcome }),
  } as WebhookEvent
}

/** Columns of a delivery `d` with its event `e`. */
export const DELIVERY_COLUMNS = `d.id as delivery, d.subscription_id as subscription, d.state,
  d.next_at_ms as "nextAtMs", d.why, d.saved, ${EVENT_COLUMNS}`

export interface DeliveryRecord extends EventRecord {
  readonly delivery: DeliveryId
  readonly subscription: SubscriptionId
  readonly state: DeliveryState
  readonly nextAtMs: AtMs | null
  readonly why: string
  readonly saved: SavedRun
}

/** A row as the port's delivery. */
export function deliveryOf(record: DeliveryRecord, environment: WebhookEvent['environment']): DeliveryRow {
  const { delivery, subscription, state, nextAtMs, why, saved } = record
  const event = eventOf(record, environment)
  return { id: delivery, subscription, event, state, nextAtMs: nextAtMs ?? undefined, why, saved }
}

/** The codes that the systems of a subscription `s` have now. */
export const SYSTEM_CODES = `array(select x.code from external_systems x where x.id = any(s.external_system_ids)
  order by array_position(s.external_system_ids, x.id))`

/** Columns of a subscription `s`, including its secrets. */
export const SUBSCRIPTION_COLUMNS = `s.id, s.corporation_id as corporation, s.url, s.description,
  s.event_types as events, ${SYSTEM_CODES} as "systemCodes", s.secrets, s.disabled_because as because,
  s.disabled_at_ms as "sinceAtMs", s.health, s.version, s.created_at_ms as "createdAtMs",
  s.updated_at_ms as "updatedAtMs",
  (select max(d.at_ms) from deliveries d where d.subscription_id = s.id) as "lastEventAtMs"`

export interface SubscriptionRecord {
  readonly id: SubscriptionId
  readonly corporation: CorporationId
  readonly url: string
  readonly description: string
  readonly events: readonly EventType[]
  readonly systemCodes: readonly string[]
  readonly secrets: readonly DatedSecret[]
  readonly because: DisabledBecause | null
  readonly sinceAtMs: AtMs | null
  readonly health: EndpointHealth | null
  readonly version: SubscriptionVersion
  readonly createdAtMs: AtMs
  readonly updatedAtMs: AtMs
  readonly lastEventAtMs: AtMs | null
}

/** A row as the port's subscription. */
export function subscriptionOf(record: SubscriptionRecord): KeptSubscription {
  const { because, sinceAtMs, health, version, description, createdAtMs, updatedAtMs, lastEventAtMs, ...rest } = record
  const disabled = because !== null && sinceAtMs !== null ? { disabled: { because, sinceAtMs } } : {}
  return {
    subscription: { ...rest, ...disabled },
    version,
    description,
    createdAtMs,
    updatedAtMs,
    ...(lastEventAtMs !== null && { lastEventAtMs }),
    health: health ?? undefined,
  }
}
