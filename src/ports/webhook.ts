import type { AtMs } from '../kernel/clock.ts'
import type { CorporationId, DeliveryId, EventId, OutcomeId, SubscriptionId, WebhookSecret } from '../kernel/ids.ts'
import type { SavedRun } from '../kernel/machine.ts'
import type { WebAnswer } from './web.ts'

/** What subscriptions can ask for (contract.md §6, and our own). */
export const EVENT_TYPES = [
  'phone-call.ended',
  'phone-call-summary.creation',
  'phone-call-summary.update',
  'phone-call-outcome.creation',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** A past fact by ids: receivers look details up, and see a state at least as new as the event (D-26). */
export type WebhookEvent = {
  readonly id: EventId
  /** When the fact happened, not when it was told. */
  readonly atMs: AtMs
  /** Whose call it was: no other corporation hears of it. */
  readonly corporation: CorporationId
  readonly environment: 'production' | 'development'
  /** The external system the call belongs to; absent where it belongs to none. */
  readonly systemCode?: string
} & EventFact

/** What happened. `activity` is the number of the call activity, `version` counts the summary's versions from 1. */
export type EventFact =
  | { readonly type: 'phone-call.ended'; readonly activity: number }
  | {
      readonly type: 'phone-call-summary.creation' | 'phone-call-summary.update'
      readonly activity: number
      readonly version: number
    }
  /** An agent saved an outcome, and the call has ended. Our addition. `version` counts the outcomes of the call. */
  | {
      readonly type: 'phone-call-outcome.creation'
      readonly activity: number
      readonly version: number
      readonly outcome: OutcomeId
    }
  /** Asked for by the owner of a subscription, to see whether it works (D-25). */
  | { readonly type: 'webhook.test' }

/** Why a subscription gets nothing: its owner, a 410, or five days without one success (D-27). */
export type DisabledBecause = 'owner' | 'gone' | 'silent'

/** A receiver of events at one URL (D-25). The address guard checked the URL when it was set. */
export interface Subscription {
  readonly id: SubscriptionId
  readonly corporation: CorporationId
  readonly url: string
  readonly events: readonly EventType[]
  /** Only calls of these external systems; every call where it is empty, as the contract has it (contract.md §6). */
  readonly systemCodes: readonly string[]
  /** The newest first. At least one is in force for ever. */
  readonly secrets: readonly DatedSecret[]
  readonly disabled?: { readonly because: DisabledBecause; readonly sinceAtMs: AtMs }
}

/** A secret and when it stops being used; the newest one has no end. */
export interface DatedSecret {
  readonly secret: WebhookSecret
  readonly untilAtMs?: AtMs
}

/** The places a delivery can be in, as the list of deliveries shows them. A row is never kept as `sending`. */
export type DeliveryState = 'pending' | 'sending' | 'waiting' | 'delivered' | 'dead' | 'parked'

/** A delivery at rest: what the database stores. `state`, `nextAtMs` and `why` are read out of `saved` to search by. */
export interface DeliveryRow {
  readonly id: DeliveryId
  readonly subscription: SubscriptionId
  readonly event: WebhookEvent
  readonly state: DeliveryState
  /** When it wants its turn; undefined when it is over. */
  readonly nextAtMs: AtMs | undefined
  /** How its last attempt ended, for its owner. */
  readonly why: string
  readonly saved: SavedRun
}

/** One attempt at a delivery, as the owner of the subscription sees it (D-25). */
export interface DeliveryAttempt {
  readonly atMs: AtMs
  readonly tookMs: number
  readonly outcome: WebAnswer['outcome']
  /** The HTTP status; absent when there was no answer. */
  readonly status?: number
  /** The first 1,024 characters of the answer, or why there was none. */
  readonly excerpt: string
}

/** Attempts that began to be counted at `atMs`. Slots instead of single attempts: a busy endpoint costs no more. */
export interface HealthSlot {
  readonly atMs: AtMs
  readonly attempts: number
  readonly errors: number
}

/** What is known of one endpoint; plain JSON, kept over restarts. */
export interface EndpointHealth {
  /** The last five minutes while the circuit is closed, oldest first. */
  readonly slots: readonly HealthSlot[]
  /** Set while the circuit is open: when to probe, and how long was waited for that. */
  readonly open?: { readonly probeAtMs: AtMs; readonly waitMs: number }
  /** How many posts may be under way at once. */
  readonly inFlightMax: number
  /** The first failure after the last success. */
  readonly failingSinceAtMs?: AtMs
  /** The owner has been told that it fails. */
  readonly isOwnerWarned: boolean
}
