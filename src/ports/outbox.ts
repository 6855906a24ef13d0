/**
 * The outbox: events stand here as soon as the facts they are about, written in one transaction with them, and leave
 * for those who subscribed to them. Every method is one transaction, and may reject with `DatabaseUnavailable` and
 * with nothing else that is not our own mistake.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { CorporationId, DeliveryId, SubscriptionId, SubscriptionVersion } from '../kernel/ids.ts'
import type { Span } from './call-task.ts'
import type {
  DeliveryAttempt,
  DeliveryRow,
  DeliveryState,
  EndpointHealth,
  EventType,
  Subscription,
  WebhookEvent,
} from './webhook.ts'

export interface KeptSubscription {
  readonly subscription: Subscription
  readonly version: SubscriptionVersion
  readonly description: string
  readonly createdAtMs: AtMs
  readonly updatedAtMs: AtMs
  /** What is known of its endpoint; undefined when that is nothing. */
  readonly health: EndpointHealth | undefined
  /** Of the latest event that matched; absent: none of those that are kept did. */
  readonly lastEventAtMs?: AtMs
}

/** Subscriptions are leased whole: eight posts at once and one circuit hold for any number of dispatchers (D-27). */
export interface DispatcherLease {
  readonly courier: string
  /** Grows with every lease that is given. What an older one writes late is not taken. */
  readonly fence: number
}

/** A delivery as a dispatcher leaves it, and the attempt where there was one. */
export interface KeptDelivery {
  readonly row: DeliveryRow
  readonly attempt?: DeliveryAttempt
}

/** What was learnt of an endpoint; not written when its owner changed the subscription since `version`. */
export interface LearntHealth {
  readonly subscription: SubscriptionId
  readonly version: SubscriptionVersion
  readonly health: EndpointHealth
}

/**
 * A request for due deliveries: a maximum for each subscription, without those that the dispatcher has. Of a
 * subscription that was changed since `version` nothing is handed over: the dispatcher must learn of the change first,
 * or it would send to a former address, and bury what came after it was enabled again.
 */
export interface DueRequest {
  readonly atMs: AtMs
  readonly rooms: readonly {
    readonly subscription: SubscriptionId
    readonly version: SubscriptionVersion
    readonly rowsMax: number
  }[]
  readonly without: readonly DeliveryId[]
}

export interface DeliveryOutbox {
  /** A new lease for the dispatcher of this name. The next `hold` returns what it held under an older one. */
  takeLease(dispatcher: string, lifeMs: number): Promise<DispatcherLease>
  /** Releases everything: other dispatchers need not wait for the end of the lease. */
  dropLease(lease: DispatcherLease): Promise<void>
  /** Also stores health, takes unserved subscriptions, returns all held, disabled too. Undefined: the lease is gone. */
  hold(
    lease: DispatcherLease,
    lifeMs: number,
    healths: readonly LearntHealth[],
  ): Promise<readonly KeptSubscription[] | undefined>
  /** Due deliveries of subscriptions that are held, the longest due first within each. */
  due(lease: DispatcherLease, request: DueRequest): Promise<readonly DeliveryRow[]>
  /** All or none, without rows of subscriptions that were removed or are not held. The same again changes nothing. */
  keep(lease: DispatcherLease, kept: readonly KeptDelivery[]): Promise<void>
  /** Writes that a subscription is disabled; `overtaken` when its owner changed it meanwhile. */
  disable(subscription: Subscription, version: SubscriptionVersion): Promise<'disabled' | 'overtaken'>
  /**
   * Removes at most so many events that are older, with their deliveries where all are over. How many. None while
   * `nowMs` is more than a minute ahead of the database (storage-13).
   */
  sweep(nowMs: AtMs, olderThanMs: number, rowsMax: number): Promise<number>
}

interface NewSubscription {
  readonly subscription: Omit<Subscription, 'id'>
  readonly description: string
  readonly atMs: AtMs
  /** So many of one corporation, and no more (D-25). */
  readonly subscriptionsMax: number
}

/** Which deliveries of a subscription, newest event first. `at` is the instant of the event. */
interface DeliveryQuery {
  readonly subscription: SubscriptionId
  readonly corporations: readonly CorporationId[]
  readonly states?: readonly DeliveryState[]
  readonly at?: Span
  readonly offset: number
  readonly rowsMax: number
}

export interface TriedDelivery {
  readonly row: DeliveryRow
  /** The first one first. */
  readonly attempts: readonly DeliveryAttempt[]
}

/** `on its way`: it is due already. `disabled`: its subscription is disabled, and the delivery would fail again. */
type ReplayResult = 'queued' | 'on its way' | 'disabled' | 'no such delivery'

/** `isMore`: ask again, there was more than one answer should cost. */
type RecoverResult =
  | { readonly outcome: 'queued'; readonly deliveries: number; readonly isMore: boolean }
  | { readonly outcome: 'disabled' | 'no such subscription' }

/** A page of the feed: what happened after the place that `after` names; from the beginning without it. */
export interface FeedQuery {
  readonly corporations: readonly CorporationId[]
  readonly types?: readonly EventType[]
  readonly after?: string
  readonly rowsMax: number
}

/** `next` is the place after this page; asking for it again later yields what came meanwhile, and misses nothing. */
export interface FeedPage {
  readonly events: readonly WebhookEvent[]
  readonly next: string
  readonly isMore: boolean
}

/** What the owners of subscriptions need. What is not of `corporations` does not exist (D-04). */
interface SubscriptionOutbox {
  addSubscription(request: NewSubscription): Promise<KeptSubscription | 'too many'>
  /** In the order in which they were made. */
  subscriptions(corporations: readonly CorporationId[]): Promise<readonly KeptSubscription[]>
  findSubscription(id: SubscriptionId, corporations: readonly CorporationId[]): Promise<KeptSubscription | undefined>
  /** Undefined: changed since `version`. A new address, or enabling, clears what is known against its endpoint. */
  saveSubscription(
    changed: Pick<KeptSubscription, 'subscription' | 'version' | 'description'>,
    atMs: AtMs,
  ): Promise<KeptSubscription | undefined>
  /** Takes its deliveries with it; the events stay in the feed. */
  removeSubscription(id: SubscriptionId, corporations: readonly CorporationId[]): Promise<boolean>
  deliveries(query: DeliveryQuery): Promise<{ readonly found: number; readonly deliveries: readonly TriedDelivery[] }>
  /** Sends a delivery again, also a delivered one, at once and with a new schedule. */
  replay(delivery: DeliveryId, corporations: readonly CorporationId[], atMs: AtMs): Promise<ReplayResult>
  /** Sends what was missed in this time: dead, parked, or while disabled or not there. At most `rowsMax` at once. */
  recover(
    subscription: SubscriptionId,
    corporations: readonly CorporationId[],
    happened: Span,
    atMs: AtMs,
    rowsMax: number,
  ): Promise<RecoverResult>
  /** Writes down a test that was sent: among its deliveries, not in the feed. Undefined: there is no subscription. */
  recordTest(
    subscription: SubscriptionId,
    event: WebhookEvent,
    outcome: Pick<DeliveryRow, 'state' | 'why'>,
    attempt: DeliveryAttempt,
  ): Promise<DeliveryId | undefined>
  /** `unknown cursor`: this database did not issue it. Start from the beginning and deduplicate by event id. */
  feed(query: FeedQuery): Promise<FeedPage | 'unknown cursor'>
}

export interface Outbox extends DeliveryOutbox, SubscriptionOutbox {}
