/**
 * The dispatcher takes due deliveries out of the outbox, passes them to the delivery scheduler and performs its
 * commands. It works in rounds, one at a time: renew the lease, write the outcomes of posts, fetch due deliveries. A
 * round writes all outcomes since the last one together, which makes a thousand events per second cheap.
 *
 * Delivery is at least once: a row is pending in the outbox until its outcome is written, so another dispatcher takes
 * over after a crash. A dispatcher serves only subscriptions that it holds, and stops before its lease ends if it
 * cannot renew it: no two dispatchers send the same delivery at once.
 */
import type { AtMs, Clock, Timer } from '../../kernel/clock.ts'
import type { DeliveryId, SubscriptionId, SubscriptionVersion } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import type {
  DeliveryOutbox,
  DispatcherLease,
  KeptDelivery,
  KeptSubscription,
  LearntHealth,
} from '../../ports/outbox.ts'
import type { Web, WebRequest } from '../../ports/web.ts'
import type { DisabledBecause, EndpointHealth, Subscription } from '../../ports/webhook.ts'
import { newDelivery } from '../../webhooks/delivery.ts'
import { DeliveryScheduler, type SchedulerCommand } from '../../webhooks/delivery-scheduler.ts'
import { HEALTHY } from '../../webhooks/endpoint-health.ts'

export interface DispatcherDependencies {
  /** A dispatcher of the same name that starts later takes over at once. */
  readonly name: string
  readonly outbox: DeliveryOutbox
  /** Without a circuit breaker of its own: the scheduler has one for each endpoint. */
  readonly web: Web
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Product and version, for receivers' logs. */
  readonly userAgent: string
  /** Time between rounds without `wake`; default a second. All other times are multiples of it. */
  readonly everyMs?: number
}

/** Shortest gap between rounds, so each has enough to do. */
const ROUND_GAP_MS = 20
const EVERY_MS = 1_000
/** In units of `everyMs`. The lease outlives the last post that begins under it: a post takes at most 15 s. */
const LEASE_LIFE = 40
const LEASE_MARGIN = 16
const RENEW_EVERY = 5
const SWEEP_EVERY = 600
/** `stop` waits so long for posts, then aborts them; the next dispatcher sends them again. */
const STOP_WAIT_MS = 5_000
const KEEPS_MAX = 1_000
const SWEPT_MAX = 1_000
/** Length of the event feed (D-25). */
const REMEMBERED_MS = 30 * 24 * 3_600_000

/** Sends events to their subscribers, from `start` to `stop`. */
export class WebhookDispatcher {
  readonly #dependencies: DispatcherDependencies
  readonly #everyMs: number
  readonly #scheduler: DeliveryScheduler
  readonly #known = new Map<SubscriptionId, KeptSubscription>()
  /** The health of each endpoint, as last written. */
  readonly #health = new Map<SubscriptionId, EndpointHealth>()
  readonly #posts = new Map<DeliveryId, { cancel(): void }>()
  /** Rows whose outcome cannot be written: this dispatcher never sends them again. */
  readonly #aside = new Set<DeliveryId>()
  #keeps: KeptDelivery[] = []
  /** With the version that gave the reason: what its owner changed since says nothing about another address. */
  #disables: { readonly subscription: Subscription; readonly version: SubscriptionVersion | undefined }[] = []
  #lease: DispatcherLease | undefined
  #renewAtMs: AtMs = 0
  #sweepAtMs: AtMs = 0
  #isWoken = false
  #isAway = false
  #state: 'new' | 'on' | 'stopping' | 'off' = 'new'
  #lastRoundAtMs: AtMs = 0
  #round: Promise<void> | undefined
  #next: { readonly atMs: AtMs; readonly timer: Timer } | undefined
  #probe: Timer | undefined
  #leaseEnd: Timer | undefined
  #whenDrained: (() => void) | undefined

  constructor(dependencies: DispatcherDependencies) {
    const { random, userAgent, everyMs = EVERY_MS } = dependencies
    this.#dependencies = dependencies
    this.#everyMs = everyMs
    this.#scheduler = new DeliveryScheduler({ random, userAgent })
  }

  start(): void {
    if (this.#state !== 'new') return
    this.#state = 'on'
    this.#roundAt(this.#nowMs)
  }

  /** A hint that deliveries or subscriptions have changed. Rounds take place without it as well. */
  wake(): void {
    this.#isWoken = true
    this.#roundAt(this.#nowMs)
  }

  /** Waits for posts, writes their outcomes, releases subscriptions. Never rejects: unwritten posts are sent again. */
  async stop(): Promise<void> {
    if (this.#state !== 'on') {
      this.#state = 'off'
      return
    }
    this.#state = 'stopping'
    this.#next?.timer.cancel()
    const learnt = this.#learnt()
    this.#letGo()
    await this.#drained()
    await this.#round
    try {
      if (this.#lease) await this.#giveBack(this.#lease, learnt)
    } catch (error) {
      this.#trouble(error)
    }
    this.#state = 'off'
    this.#leaseEnd?.cancel()
  }

  get #nowMs(): AtMs {
    return this.#dependencies.clock.nowMs()
  }

  /** Brings the next round forward to this instant; never delays it. */
  #roundAt(atMs: AtMs): void {
    if (this.#state !== 'on' || this.#round) return
    // While the outbox is unavailable, hurrying is pointless.
    const gapMs = this.#isAway ? this.#everyMs : ROUND_GAP_MS
    // A round of a time that was corrected since is none.
    const wasAtMs = Math.min(this.#lastRoundAtMs, this.#nowMs)
    const soonestAtMs = Math.max(atMs, wasAtMs + gapMs)
    if (this.#next && this.#next.atMs <= soonestAtMs) return
    this.#next?.timer.cancel()
    const timer = this.#dependencies.clock.schedule(soonestAtMs, () => {
      this.#next = undefined
      this.#lastRoundAtMs = this.#nowMs
      this.#round = this.#work().finally(() => this.#afterRound())
    })
    this.#next = { atMs: soonestAtMs, timer }
  }

  #afterRound(): void {
    this.#round = undefined
    const isBusy = this.#isWoken || this.#keeps.length > 0 || this.#disables.length > 0
    this.#roundAt(isBusy ? this.#nowMs : this.#nowMs + this.#everyMs)
  }

  async #work(): Promise<void> {
    try {
      const lease = await this.#renewed()
      if (!lease) return
      await this.#write(lease)
      await this.#fetch(lease)
      await this.#sweep()
      if (this.#isAway) this.#dependencies.log.info({}, 'outbox available again')
      this.#isAway = false
    } catch (error) {
      this.#trouble(error)
    }
  }

  /** An outage is logged once. Any other error is a defect; the next round tries again. */
  #trouble(error: unknown): void {
    const { log } = this.#dependencies
    if (!(error instanceof DatabaseUnavailable))
      log.error({ err: error }, 'webhook dispatcher: round failed; it is repeated')
    else if (!this.#isAway) log.warn({ why: error.message }, 'outbox unavailable: events wait in it')
    this.#isAway = true
  }

  /** Renews the lease and its subscriptions if due. Undefined: another dispatcher has taken over our name. */
  async #renewed(): Promise<DispatcherLease | undefined> {
    const { outbox, name } = this.#dependencies
    const lifeMs = LEASE_LIFE * this.#everyMs
    const wasWoken = this.#isWoken
    this.#isWoken = false
    this.#lease ??= await outbox.takeLease(name, lifeMs)
    const askedAtMs = this.#nowMs
    // A hint may concern a subscription, so the lease is renewed earlier, but not for every event.
    const everyMs = RENEW_EVERY * this.#everyMs
    const isDue = askedAtMs >= this.#renewAtMs - (wasWoken ? (RENEW_EVERY - 1) * this.#everyMs : 0)
    // A clock that was ahead and is right again would let the lease end unrenewed (storage-14).
    if (!isDue && this.#renewAtMs <= askedAtMs + everyMs) return this.#lease
    const learnt = this.#learnt()
    const held = await outbox.hold(this.#lease, lifeMs, learnt)
    if (!held) return this.#loseLease()
    for (const { subscription, health } of learnt) this.#health.set(subscription, health)
    this.#renewAtMs = askedAtMs + everyMs
    this.#leaseEnd?.cancel()
    const stopAtMs = askedAtMs + (LEASE_LIFE - LEASE_MARGIN) * this.#everyMs
    this.#leaseEnd = this.#dependencies.clock.schedule(stopAtMs, () => this.#letGo())
    if (this.#state === 'on') this.#follow(held)
    return this.#lease
  }

  #loseLease(): undefined {
    this.#dependencies.log.warn(
      { dispatcher: this.#dependencies.name },
      'another webhook dispatcher with this name took over its subscriptions',
    )
    this.#letGo()
    this.#lease = undefined
    this.#renewAtMs = 0
  }

  /** Takes new subscriptions, drops those that are no longer held. */
  #follow(held: readonly KeptSubscription[]): void {
    const ids = new Set(held.map(({ subscription }) => subscription.id))
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#forget(id)
    for (const kept of held) {
      const { subscription, version, health = HEALTHY } = kept
      const { id } = subscription
      const known = this.#known.get(id)
      if (known?.version === version) continue
      this.#known.set(id, kept)
      this.#obey(this.#scheduler.enlist(subscription, this.#nowMs, health))
      if (!known) this.#health.set(id, health)
    }
  }

  /** Drops all subscriptions; running posts continue. */
  #letGo(): void {
    for (const id of [...this.#known.keys()]) this.#forget(id)
    this.#probe?.cancel()
  }

  #forget(id: SubscriptionId): void {
    this.#known.delete(id)
    this.#health.delete(id)
    this.#scheduler.remove(id)
  }

  /** Changes of the endpoints' health since they were last written. */
  #learnt(): LearntHealth[] {
    return [...this.#known.values()].flatMap(({ subscription: { id }, version }) => {
      const health = this.#scheduler.healthOf(id)
      const written = this.#health.get(id)
      if (!health || health === written) return []
      const { log } = this.#dependencies
      if (health.open && !written?.open)
        log.warn({ subscription: id }, 'webhook endpoint fails; it is probed until it answers again')
      if (!health.open && written?.open) log.info({ subscription: id }, 'webhook endpoint answers again')
      return [{ subscription: id, version, health }]
    })
  }

  /** Writes everything up to now. */
  async #write(lease: DispatcherLease): Promise<void> {
    const { outbox } = this.#dependencies
    for (let [next] = this.#disables; next; [next] = this.#disables) {
      const { subscription, version } = next
      const done = version === undefined ? undefined : await outbox.disable(subscription, version)
      if (done === 'overtaken') this.#sendAnew(subscription.id)
      this.#disables.shift()
    }
    // Later outcomes wait for the next round: the scheduler must get new rows before it has sent its last.
    for (let left = this.#keeps.length; left > 0; left -= KEEPS_MAX) {
      const batch = this.#keeps.slice(0, Math.min(left, KEEPS_MAX))
      await this.#keep(lease, batch)
      this.#keeps = this.#keeps.slice(batch.length)
    }
  }

  /** What was given up with an address is for the one after it; where that is disabled too, it is given up again. */
  #sendAnew(id: SubscriptionId): void {
    this.#keeps = this.#keeps.map((kept) => {
      const isGivenUp = kept.row.subscription === id && kept.row.state === 'dead'
      return isGivenUp ? { ...kept, row: newDelivery(kept.row, this.#nowMs) } : kept
    })
    // Others may be on their way to the old address still: they must not find it disabled, and be given up.
    const known = this.#known.get(id)
    if (known) this.#obey(this.#scheduler.enlist(known.subscription, this.#nowMs))
  }

  /** One row that cannot be written must not hold up the others (F-E13): it is set aside and logged. */
  async #keep(lease: DispatcherLease, batch: readonly KeptDelivery[]): Promise<void> {
    const { outbox, log } = this.#dependencies
    try {
      await outbox.keep(lease, batch)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      const [first] = batch
      if (batch.length > 1) {
        for (const one of batch) await this.#keep(lease, [one])
      } else if (first) {
        log.error(
          { err: error, delivery: first.row.id },
          'outcome of a delivery could not be written; the delivery is set aside',
        )
        this.#aside.add(first.row.id)
      }
    }
  }

  /** Deliveries with an unwritten outcome are still pending in the outbox; they are excluded. */
  async #fetch(lease: DispatcherLease): Promise<void> {
    const { rooms, without } = this.#scheduler.dueRequest()
    const asked = rooms.flatMap((room) => {
      const version = this.#known.get(room.subscription)?.version
      return version === undefined ? [] : [{ ...room, version }]
    })
    if (asked.length === 0) return
    const unwritten = this.#keeps.map(({ row }) => row.id)
    const command = { atMs: this.#nowMs, rooms: asked, without: [...without, ...unwritten, ...this.#aside] }
    const rows = await this.#dependencies.outbox.due(lease, command)
    const nowMs = this.#nowMs
    this.#obey(
      rows
        .map((row) => this.#scheduler.addDue(row, nowMs))
        .flatMap((commands) => (commands === 'full' ? [] : commands)),
    )
  }

  async #sweep(): Promise<void> {
    const nowMs = this.#nowMs
    if (nowMs < this.#sweepAtMs && this.#sweepAtMs <= nowMs + SWEEP_EVERY * this.#everyMs) return
    const swept = await this.#dependencies.outbox.sweep(nowMs, REMEMBERED_MS, SWEPT_MAX)
    this.#sweepAtMs = nowMs + (swept === SWEPT_MAX ? this.#everyMs : SWEEP_EVERY * this.#everyMs)
  }

  #obey(commands: readonly SchedulerCommand[]): void {
    for (const command of commands) this.#perform(command)
    this.#probe?.cancel()
    const atMs = this.#scheduler.nextDueAtMs
    if (atMs === undefined || this.#state !== 'on') return
    this.#probe = this.#dependencies.clock.schedule(atMs, () => this.#obey(this.#scheduler.fireDue(this.#nowMs)))
  }

  #perform(command: SchedulerCommand): void {
    const { log } = this.#dependencies
    switch (command.type) {
      case 'post':
        return this.#post(command.delivery, command.request)
      case 'keep':
        this.#keeps.push(command)
        return this.#roundAt(this.#nowMs)
      case 'disable':
        return this.#disable(command.subscription, command.because)
      case 'warnOwner': {
        const { subscription, failingSinceAtMs } = command
        return log.warn(
          { subscription, failingSinceAtMs },
          'webhook has failed for three days; after five days it is disabled',
        )
      }
      case 'alarm':
        return log.error({ delivery: command.delivery, why: command.why }, 'event parked: it cannot be serialised')
    }
  }

  #post(delivery: DeliveryId, request: WebRequest): void {
    const handle = this.#dependencies.web.request(request, (answer) => {
      this.#posts.delete(delivery)
      this.#obey(this.#scheduler.settle(delivery, answer, this.#nowMs))
      if (this.#posts.size === 0) this.#whenDrained?.()
    })
    this.#posts.set(delivery, handle)
  }

  #disable(subscription: Subscription, because: DisabledBecause): void {
    this.#dependencies.log.warn(
      { subscription: subscription.id, because },
      'webhook disabled; its owner can enable it again',
    )
    this.#disables.push({ subscription, version: this.#known.get(subscription.id)?.version })
    this.#roundAt(this.#nowMs)
  }

  /** Waits until no post is running, at most `STOP_WAIT_MS`. */
  async #drained(): Promise<void> {
    if (this.#posts.size === 0) return
    const { clock } = this.#dependencies
    await new Promise<void>((done) => {
      const timer = clock.schedule(this.#nowMs + STOP_WAIT_MS, done)
      this.#whenDrained = () => {
        timer.cancel()
        done()
      }
    })
    for (const handle of this.#posts.values()) handle.cancel()
    this.#posts.clear()
  }

  async #giveBack(lease: DispatcherLease, learnt: readonly LearntHealth[]): Promise<void> {
    const { outbox } = this.#dependencies
    await this.#write(lease)
    await outbox.hold(lease, LEASE_LIFE * this.#everyMs, learnt)
    await outbox.dropLease(lease)
  }
}
