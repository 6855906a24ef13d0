/**
 * The scheduler sends due deliveries as fast as each endpoint takes them. Rows go in, commands come out: posts for the
 * web port, rows to save. It holds only the due rows that it sends soon and asks the store for more. A receiver that is
 * down for days therefore costs rows, not memory, and a restart loses nothing.
 */
import { assert } from '../kernel/assert.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { DeliveryId, SubscriptionId } from '../kernel/ids.ts'
import type { MachineRun } from '../kernel/machine.ts'
import type { Random } from '../kernel/random.ts'
import type { KeptDelivery } from '../ports/outbox.ts'
import type { WebAnswer, WebRequest } from '../ports/web.ts'
import type { DeliveryRow, DisabledBecause, EndpointHealth, Subscription } from '../ports/webhook.ts'
import { attemptOf, requestOf } from './attempt.ts'
import { classifyResponse, type Verdict } from './classify-response.ts'
import type { DeliveryCommand, DeliveryContext, DeliveryEvent } from './delivery.machine.ts'
import { resumed, rowOf } from './delivery.ts'
import { afterAnswer, HEALTHY, IN_FLIGHT_MAX, placesFree, silenceOf } from './endpoint-health.ts'
import { payloadOf } from './payload.ts'
import { retryWaitMs, uncountedWaitMs } from './retry-schedule.ts'
import { disable } from './subscription.ts'

/** Each command concerns one delivery or one subscription. */
export type SchedulerCommand =
  /** Send the request and pass the answer to `settle`. `request` has a signature: never log it. */
  | { readonly type: 'post'; readonly delivery: DeliveryId; readonly request: WebRequest }
  /** Save the row and its attempt, if any, and hand the row over again at its `nextAtMs`. */
  | ({ readonly type: 'keep' } & KeptDelivery)
  /** Save that the subscription is disabled, and notify its owner. */
  | { readonly type: 'disable'; readonly subscription: Subscription; readonly because: DisabledBecause }
  /** The endpoint has failed since then: warn the owner before it is disabled. */
  | { readonly type: 'warnOwner'; readonly subscription: SubscriptionId; readonly failingSinceAtMs: AtMs }
  /** An event cannot be serialized: a defect of this service that needs an operator. */
  | { readonly type: 'alarm'; readonly delivery: DeliveryId; readonly why: string }

/** How many more due rows of each subscription to hand over, without the rows it holds. */
interface SchedulerRequest {
  readonly rooms: readonly { readonly subscription: SubscriptionId; readonly rowsMax: number }[]
  readonly without: readonly DeliveryId[]
}

interface SchedulerOptions {
  readonly random: Random
  /** Product and version, for receivers' logs. */
  readonly userAgent: string
  /** Concurrent posts to all endpoints; default `POSTS_MAX`. */
  readonly postsMax?: number
}

interface Endpoint {
  subscription: Subscription
  health: EndpointHealth
  /** Due, in the order in which they came. */
  readonly queue: DeliveryRow[]
  readonly inFlight: Set<DeliveryId>
  /** Number of its last turn; the smallest is served first. */
  servedAt: number
  /** Forgotten; it stays until its last post ends, so the limit of concurrent posts still holds. */
  isGone: boolean
}

interface Flight {
  readonly row: DeliveryRow
  readonly run: MachineRun<DeliveryCommand>
  readonly endpoint: Endpoint
  readonly startedAtMs: AtMs
  readonly isProbe: boolean
  readonly url: string
}

/** Bounds sockets and memory of the service (F-E10: 500 slow endpoints). */
const POSTS_MAX = 1_024
/** Our choice: the last quarter of all posts is reserved for endpoints without a post under way. */
const SHARED_PLACES = 0.75
/** Held for one endpoint; the rest of its due rows stays in the store. */
const QUEUE_MAX = 200
/** Held for all endpoints together, about a kilobyte each; each endpoint may have as many as it may post at once. */
const HELD_MAX = 10_000

/** Due deliveries and posts under way of one engine. */
export class DeliveryScheduler {
  readonly #options: SchedulerOptions
  readonly #endpoints = new Map<SubscriptionId, Endpoint>()
  readonly #held = new Set<DeliveryId>()
  readonly #flights = new Map<DeliveryId, Flight>()
  #turns = 0

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Adds or updates a subscription. `health`: its endpoint's health from before a restart. */
  enlist(subscription: Subscription, nowMs: AtMs, health = HEALTHY): SchedulerCommand[] {
    const known = this.#endpoints.get(subscription.id)
    if (!known) {
      const fresh = { subscription, health, queue: [], inFlight: new Set<DeliveryId>(), servedAt: 0, isGone: false }
      this.#endpoints.set(subscription.id, fresh)
      return []
    }
    known.isGone = false
    // A new address or an enabled subscription starts with a clean record.
    const isNew = known.subscription.url !== subscription.url || (known.subscription.disabled && !subscription.disabled)
    known.subscription = subscription
    if (isNew) known.health = HEALTHY
    return [...this.#withdrawWhereDisabled(known, nowMs), ...this.#serve(nowMs)]
  }

  /** Forgets a subscription that was removed or moved to another process. Posts under way still settle. */
  remove(id: SubscriptionId): void {
    const endpoint = this.#endpoints.get(id)
    if (!endpoint) return
    for (const { id: delivery } of endpoint.queue.splice(0)) this.#held.delete(delivery)
    endpoint.isGone = true
    this.#forgetWhereOver(endpoint)
  }

  /** The rows to hand over now; none while an endpoint has half of its share. Drops rows beyond the share. */
  dueRequest(): SchedulerRequest {
    const rooms: { subscription: SubscriptionId; rowsMax: number }[] = []
    const without: DeliveryId[] = []
    const endpoints = [...this.#endpoints.values()].filter(({ isGone }) => !isGone)
    const busy = endpoints.filter(({ queue, inFlight }) => queue.length + inFlight.size > 0).length
    const fairShare = Math.max(IN_FLIGHT_MAX, Math.min(QUEUE_MAX, Math.floor(HELD_MAX / Math.max(1, busy))))
    for (const { subscription, health, queue, inFlight } of endpoints) {
      const share = queueMaxOf(subscription, health, fairShare)
      for (const { id } of queue.splice(share)) this.#held.delete(id)
      if (queue.length > share / 2) continue
      rooms.push({ subscription: subscription.id, rowsMax: share - queue.length })
      for (const { id } of queue) without.push(id)
      for (const id of inFlight) without.push(id)
    }
    return { rooms, without }
  }

  /** A row already held, not due, or of an unknown subscription changes nothing. `full`: no room; it comes again. */
  addDue(row: DeliveryRow, nowMs: AtMs): SchedulerCommand[] | 'full' {
    const endpoint = this.#endpoints.get(row.subscription)
    const isDue = row.nextAtMs !== undefined && row.nextAtMs <= nowMs
    if (!endpoint || endpoint.isGone || !isDue || this.#held.has(row.id)) return []
    if (endpoint.queue.length >= QUEUE_MAX) return 'full'
    endpoint.queue.push(row)
    this.#held.add(row.id)
    return [...this.#withdrawWhereDisabled(endpoint, nowMs), ...this.#serve(nowMs)]
  }

  /** Settles a post with its answer. A second answer to the same post is ignored. */
  settle(id: DeliveryId, answer: WebAnswer, nowMs: AtMs): SchedulerCommand[] {
    const flight = this.#flights.get(id)
    if (!flight) return []
    this.#flights.delete(id)
    this.#held.delete(id)
    const { endpoint, row, run, startedAtMs } = flight
    const verdict = verdictOf(flight, classifyResponse(answer, nowMs))
    endpoint.inFlight.delete(id)
    this.#forgetWhereOver(endpoint)
    endpoint.health = afterAnswer(endpoint.health, verdict, nowMs)
    const commands = run.send(this.#factOf(flight, verdict, nowMs), nowMs)
    const attempt = attemptOf(answer, startedAtMs, nowMs)
    return [
      { type: 'keep', row: rowOf(row, run, nowMs), attempt },
      ...commands.flatMap(({ type }) => (type === 'disable' ? this.#disable(endpoint, 'gone', nowMs) : [])),
      ...this.#watchSilence(endpoint, verdict, nowMs),
      ...this.#serve(nowMs),
    ]
  }

  /** Sends posts that became possible by time: the probes of open circuits. */
  fireDue(nowMs: AtMs): SchedulerCommand[] {
    return this.#serve(nowMs)
  }

  /** When to call `fireDue` next; undefined if nothing waits for time alone. */
  get nextDueAtMs(): AtMs | undefined {
    // Without a free post only the end of a post changes anything.
    if (this.#flights.size >= (this.#options.postsMax ?? POSTS_MAX)) return undefined
    let earliest: AtMs | undefined
    for (const { queue, inFlight, health } of this.#endpoints.values()) {
      if (queue.length === 0 || inFlight.size > 0 || !health.open) continue
      earliest = Math.min(earliest ?? health.open.probeAtMs, health.open.probeAtMs)
    }
    return earliest
  }

  get heldCount(): number {
    return this.#held.size
  }

  healthOf(id: SubscriptionId): EndpointHealth | undefined {
    return this.#endpoints.get(id)?.health
  }

  #serve(nowMs: AtMs): SchedulerCommand[] {
    const machineCommands: SchedulerCommand[] = []
    const { postsMax = POSTS_MAX } = this.#options
    while (this.#flights.size < postsMax) {
      const endpoint = this.#nextTurn(this.#flights.size < postsMax * SHARED_PLACES, nowMs)
      if (!endpoint) break
      endpoint.servedAt = ++this.#turns
      machineCommands.push(...this.#send(endpoint, endpoint.queue.shift()!, nowMs))
    }
    return machineCommands
  }

  /** The endpoint with the fewest posts under way, then the one served longest ago: slow endpoints starve no other. */
  #nextTurn(isSpacious: boolean, nowMs: AtMs): Endpoint | undefined {
    let next: Endpoint | undefined
    for (const endpoint of this.#endpoints.values()) {
      const { queue, health, inFlight } = endpoint
      if (queue.length === 0 || (inFlight.size > 0 && !isSpacious)) continue
      if (placesFree(health, inFlight.size, nowMs) === 0) continue
      if (!next || comesBefore(endpoint, next)) next = endpoint
    }
    return next
  }

  #send(endpoint: Endpoint, row: DeliveryRow, nowMs: AtMs): SchedulerCommand[] {
    const run = runOf(row, nowMs)
    const payload = payloadOf(row.event)
    if (!payload.ok) {
      const [alarm] = run.send({ type: 'poisoned', why: payload.why }, nowMs)
      assert(alarm?.type === 'alarm', 'a poisoned delivery raises an alarm')
      this.#held.delete(row.id)
      return [
        { type: 'keep', row: rowOf(row, run, nowMs) },
        { ...alarm, delivery: row.id },
      ]
    }
    const [post] = run.send({ type: 'send', atMs: nowMs }, nowMs)
    assert(post?.type === 'post', 'a pending delivery posts on send')
    endpoint.inFlight.add(row.id)
    const isProbe = endpoint.health.open !== undefined
    const { url } = endpoint.subscription
    this.#flights.set(row.id, { row, run, endpoint, startedAtMs: nowMs, isProbe, url })
    const request = requestOf(endpoint.subscription, row.event, payload, this.#options.userAgent, nowMs)
    return [{ type: 'post', delivery: row.id, request }]
  }

  #factOf({ run, endpoint, isProbe }: Flight, verdict: Verdict, nowMs: AtMs): DeliveryEvent {
    const { kind, why } = verdict
    if (kind === 'accepted' || kind === 'gone') return { type: kind, why }
    const isCounted = kind === 'refused' && !isProbe
    const refused = { type: 'refused', why, isCounted } as const
    if (endpoint.subscription.disabled) return { ...refused, retryInMs: undefined }
    if (!isCounted) return { ...refused, retryInMs: uncountedWaitMs(verdict) }
    const { failures, firstAtMs = nowMs } = run.context as DeliveryContext
    return {
      ...refused,
      retryInMs: retryWaitMs({ failures: failures + 1, firstAtMs }, verdict, nowMs, this.#options.random),
    }
  }

  #watchSilence(endpoint: Endpoint, verdict: Verdict, nowMs: AtMs): SchedulerCommand[] {
    const { health, subscription } = endpoint
    if (verdict.kind !== 'refused' || subscription.disabled) return []
    switch (silenceOf(health, nowMs)) {
      case 'fine':
        return []
      case 'disable':
        return this.#disable(endpoint, 'silent', nowMs)
      case 'warn':
        endpoint.health = { ...health, isOwnerWarned: true }
        return [
          { type: 'warnOwner', subscription: subscription.id, failingSinceAtMs: health.failingSinceAtMs ?? nowMs },
        ]
    }
  }

  #disable(endpoint: Endpoint, because: DisabledBecause, nowMs: AtMs): SchedulerCommand[] {
    if (endpoint.subscription.disabled) return []
    const subscription = disable(endpoint.subscription, because, nowMs)
    endpoint.subscription = subscription
    return [{ type: 'disable', subscription, because }, ...this.#withdrawWhereDisabled(endpoint, nowMs)]
  }

  #withdrawWhereDisabled({ subscription, queue }: Endpoint, nowMs: AtMs): SchedulerCommand[] {
    if (!subscription.disabled) return []
    const why = `its subscription was disabled (${subscription.disabled.because})`
    return queue.splice(0).map((row) => this.#withdraw(row, why, nowMs))
  }

  #withdraw(row: DeliveryRow, why: string, nowMs: AtMs): SchedulerCommand {
    this.#held.delete(row.id)
    const run = runOf(row, nowMs)
    run.send({ type: 'withdrawn', why }, nowMs)
    return { type: 'keep', row: rowOf(row, run, nowMs) }
  }

  #forgetWhereOver({ subscription: { id }, isGone, inFlight }: Endpoint): void {
    if (isGone && inFlight.size === 0) this.#endpoints.delete(id)
  }
}

/** Maximum of rows held for an endpoint. Rows of a disabled one are withdrawn at once. */
function queueMaxOf({ disabled }: Subscription, { open, inFlightMax }: EndpointHealth, fairShare: number): number {
  if (disabled) return QUEUE_MAX
  if (open) return 1
  return inFlightMax < IN_FLIGHT_MAX ? Math.min(fairShare, 2 * inFlightMax) : fairShare
}

/** An address that has been replaced meanwhile says nothing about the new one, which was not asked yet. */
function verdictOf({ endpoint, url }: Flight, verdict: Verdict): Verdict {
  if (verdict.kind === 'accepted' || endpoint.subscription.url === url) return verdict
  return { kind: 'unasked', why: `${verdict.why} at the address before` }
}

/** The machine of a due row: a waiting delivery becomes pending. */
function runOf(row: DeliveryRow, nowMs: AtMs): MachineRun<DeliveryCommand> {
  const run = resumed(row)
  run.fireDue(nowMs)
  return run
}

function comesBefore(one: Endpoint, other: Endpoint): boolean {
  const more = one.inFlight.size - other.inFlight.size
  return more < 0 || (more === 0 && one.servedAt < other.servedAt)
}
