import { assert } from '../../src/kernel/assert.ts'
import type { AtMs, Clock } from '../../src/kernel/clock.ts'
import type { DeliveryId, SubscriptionId, SubscriptionVersion } from '../../src/kernel/ids.ts'
import type { Random } from '../../src/kernel/random.ts'
import { DatabaseUnavailable } from '../../src/ports/dialer-repository.ts'
import type {
  DeliveryOutbox,
  DispatcherLease,
  DueRequest,
  KeptDelivery,
  KeptSubscription,
  LearntHealth,
} from '../../src/ports/outbox.ts'
import type { DeliveryAttempt, DeliveryRow, Subscription, WebhookEvent } from '../../src/ports/webhook.ts'
import { newDelivery } from '../../src/webhooks/delivery.ts'
import { wants } from '../../src/webhooks/subscription.ts'
import { jsonOf } from './sim-dialer-repository-shape.ts'
import { type Away, drawFate, isAway, NO_FAULTS, type RepositoryFaults } from './sim-dialer-repository-trouble.ts'

/** How the simulated outbox behaves. */
export interface SimOutboxOptions {
  readonly clock: Clock
  readonly random: Random
  /** Of each way. Default 0 to 2 ms. */
  readonly latencyMs?: readonly [from: number, to: number]
  readonly faults?: Partial<RepositoryFaults>
  readonly away?: readonly Away[]
}

/** A delivery as it lies there, and all that was tried. */
export interface SimDelivery {
  row: DeliveryRow
  readonly attempts: DeliveryAttempt[]
}

interface SimSubscription {
  kept: KeptSubscription
  fence: number | undefined
}

interface SimLease extends DispatcherLease {
  expiresAtMs: AtMs
}

const USUAL_LATENCY_MS = [0, 2] as const

/**
 * The dispatchers' side of the outbox without PostgreSQL, on virtual time: asked, applied in one step at one instant,
 * answered; each of the three may go wrong. One contract suite runs on it and on PostgreSQL.
 */
export class SimOutbox implements DeliveryOutbox {
  faults: RepositoryFaults
  away: readonly Away[]
  /** What is kept, for checkers. */
  readonly deliveries = new Map<DeliveryId, SimDelivery>()
  readonly events: WebhookEvent[] = []
  readonly #options: SimOutboxOptions
  readonly #subscriptions = new Map<SubscriptionId, SimSubscription>()
  readonly #leases = new Map<string, SimLease>()
  /** What is not over, so that looking for what is due does not go through what is. */
  readonly #open = new Map<SubscriptionId, Map<DeliveryId, SimDelivery>>()
  #fence = 0
  #lastId = 0

  constructor(options: SimOutboxOptions) {
    this.#options = options
    this.faults = { ...NO_FAULTS, ...options.faults }
    this.away = options.away ?? []
  }

  /** The owner makes a subscription. */
  subscribe(command: Omit<Subscription, 'id'>): Subscription {
    const subscription = { ...command, id: ++this.#lastId as SubscriptionId }
    const nowMs = this.#options.clock.nowMs()
    const kept = { subscription, version: 1 as SubscriptionVersion, description: '', health: undefined }
    this.#subscriptions.set(subscription.id, {
      kept: { ...kept, createdAtMs: nowMs, updatedAtMs: nowMs },
      fence: undefined,
    })
    return subscription
  }

  /** The owner changes it. Bad news of its endpoint is forgotten where that is a new one, or enabled again. */
  change(subscription: Subscription): void {
    const known = this.#subscriptions.get(subscription.id)
    assert(known, 'only a subscription that was made is changed')
    const former = known.kept.subscription
    const isNew = former.url !== subscription.url || (former.disabled !== undefined && !subscription.disabled)
    this.#put(known, subscription, isNew ? { health: undefined } : {})
  }

  /** The owner removes it, and with it its deliveries. */
  unsubscribe(id: SubscriptionId): void {
    this.#subscriptions.delete(id)
    this.#open.delete(id)
    for (const [delivery, { row }] of this.deliveries) if (row.subscription === id) this.deliveries.delete(delivery)
  }

  /** A subscription as it is now. */
  subscription(id: SubscriptionId): KeptSubscription | undefined {
    return this.#subscriptions.get(id)?.kept
  }

  /** A fact is committed, and with it its event and a delivery for each subscription that wants it. */
  publish(event: WebhookEvent): void {
    this.events.push(event)
    for (const { kept } of this.#subscriptions.values()) {
      const { subscription } = kept
      if (!wants(subscription, event)) continue
      const of = { id: ++this.#lastId as DeliveryId, subscription: subscription.id, event }
      this.#set({ row: newDelivery(of, event.atMs), attempts: [] })
    }
  }

  /** An operator requests that a delivery is sent again. */
  replay(delivery: DeliveryId): void {
    const known = this.deliveries.get(delivery)
    assert(known, 'only a delivery that is there is sent again')
    known.row = newDelivery(known.row, this.#options.clock.nowMs())
    this.#set(known)
  }

  takeLease(dispatcher: string, lifeMs: number): Promise<DispatcherLease> {
    return this.#ask((nowMs) => {
      const lease = { courier: dispatcher, fence: ++this.#fence }
      this.#leases.set(dispatcher, { ...lease, expiresAtMs: nowMs + lifeMs })
      return lease
    })
  }

  dropLease({ courier: dispatcher, fence }: DispatcherLease): Promise<void> {
    return this.#ask(() => {
      if (this.#leases.get(dispatcher)?.fence === fence) this.#leases.delete(dispatcher)
    })
  }

  hold({ courier: dispatcher, fence }: DispatcherLease, lifeMs: number, healths: readonly LearntHealth[]) {
    return this.#ask((nowMs): readonly KeptSubscription[] | undefined => {
      const lease = this.#leases.get(dispatcher)
      if (lease?.fence !== fence) return undefined
      lease.expiresAtMs = nowMs + lifeMs
      for (const [name, { expiresAtMs }] of this.#leases) if (expiresAtMs <= nowMs) this.#leases.delete(name)
      for (const { subscription, version, health } of healths) {
        const known = this.#subscriptions.get(subscription)
        if (known?.fence === fence && known.kept.version === version) known.kept = { ...known.kept, health }
      }
      const living = new Set([...this.#leases.values()].map((one) => one.fence))
      const all = [...this.#subscriptions.values()]
      for (const one of all) if (one.fence === undefined || !living.has(one.fence)) one.fence = fence
      return all.filter((one) => one.fence === fence).map(({ kept }) => kept)
    })
  }

  due({ fence }: DispatcherLease, { atMs, rooms, without }: DueRequest): Promise<readonly DeliveryRow[]> {
    const held = new Set(without)
    return this.#ask(() =>
      rooms.flatMap(({ subscription, version, rowsMax }) => {
        const known = this.#subscriptions.get(subscription)
        if (known?.fence !== fence || known.kept.version !== version) return []
        const open = [...(this.#open.get(subscription)?.values() ?? [])].map(({ row }) => row)
        const due = open.filter(({ id, nextAtMs = Number.POSITIVE_INFINITY }) => nextAtMs <= atMs && !held.has(id))
        return due.sort((a, b) => a.nextAtMs! - b.nextAtMs! || a.id - b.id).slice(0, rowsMax)
      }),
    )
  }

  keep({ fence }: DispatcherLease, kept: readonly KeptDelivery[]): Promise<void> {
    return this.#ask(() => {
      for (const { row, attempt } of kept) {
        const known = this.deliveries.get(row.id)
        if (!known || this.#subscriptions.get(row.subscription)?.fence !== fence) continue
        known.row = row
        this.#set(known)
        if (attempt && !known.attempts.some(({ atMs }) => atMs === attempt.atMs)) known.attempts.push(attempt)
      }
    })
  }

  disable(subscription: Subscription, version: SubscriptionVersion) {
    return this.#ask((): 'disabled' | 'overtaken' => {
      const known = this.#subscriptions.get(subscription.id)
      if (!known || known.kept.version !== version || known.kept.subscription.disabled) return 'overtaken'
      this.#put(known, {
        ...known.kept.subscription,
        ...(subscription.disabled && { disabled: subscription.disabled }),
      })
      return 'disabled'
    })
  }

  sweep(nowMs: AtMs, olderThanMs: number, rowsMax: number): Promise<number> {
    return this.#ask(() => {
      const open = new Set(
        [...this.#open.values()].flatMap((rows) => [...rows.values()].map(({ row }) => row.event.id)),
      )
      const isOld = (event: WebhookEvent) => event.atMs < nowMs - olderThanMs && !open.has(event.id)
      const gone = new Set(
        this.events
          .filter(isOld)
          .slice(0, rowsMax)
          .map((event) => event.id),
      )
      if (gone.size === 0) return 0
      this.events.splice(0, this.events.length, ...this.events.filter(({ id }) => !gone.has(id)))
      for (const [id, { row }] of this.deliveries) if (gone.has(row.event.id)) this.deliveries.delete(id)
      return gone.size
    })
  }

  /** What is read later must not change with what the asker does, nor hold what JSON does not know. */
  #ask<T>(work: (nowMs: AtMs) => T): Promise<T> {
    const { clock, random, latencyMs = USUAL_LATENCY_MS } = this.#options
    const { thereMs, backMs, strikes } = drawFate(random, latencyMs, this.faults)
    const gone = () => new DatabaseUnavailable('the simulated outbox cannot be asked')
    return new Promise((resolve, reject) => {
      clock.schedule(clock.nowMs() + thereMs, () => {
        if (strikes === 'before' || isAway(this.away, clock.nowMs())) return reject(gone())
        const { answer } = jsonOf({ answer: work(clock.nowMs()) })
        clock.schedule(clock.nowMs() + backMs, () => {
          if (strikes === 'after' || isAway(this.away, clock.nowMs())) reject(gone())
          else resolve(answer)
        })
      })
    })
  }

  #put(known: SimSubscription, subscription: Subscription, more: Partial<KeptSubscription> = {}): void {
    const version = (known.kept.version + 1) as SubscriptionVersion
    known.kept = { ...known.kept, ...more, subscription, version, updatedAtMs: this.#options.clock.nowMs() }
  }

  /** Kept as a database would: as JSON. */
  #set(delivery: SimDelivery): void {
    delivery.row = { ...jsonOf(delivery.row), nextAtMs: delivery.row.nextAtMs }
    const { id, subscription, nextAtMs } = delivery.row
    this.deliveries.set(id, delivery)
    const open = this.#open.get(subscription) ?? new Map<DeliveryId, SimDelivery>()
    this.#open.set(subscription, open)
    if (nextAtMs === undefined) open.delete(id)
    else open.set(id, delivery)
  }
}
