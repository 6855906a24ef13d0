/**
 * The desk sends due deliveries, each when its endpoint can take it. Rows go in, wishes come out: posts for the web
 * port, rows to be kept. It holds only what is due; what waits for a retry is the store's, which hands it over again
 * at its `nextAtMs`. So a receiver that is down for days costs rows, not memory, and a restart loses nothing.
 */
import { assert } from '../kernel/assert.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { MachineRun } from '../kernel/machine.ts'
import type { Random } from '../kernel/random.ts'
import type { WebRequest } from '../ports/web.ts'
import { type Attempt, attemptOf, requestOf } from './attempt.ts'
import type { DeliveryCommand, DeliveryContext, DeliveryEvent } from './delivery.machine.ts'
import { type DeliveryId, type DeliveryRow, resumed, rowOf } from './delivery.ts'
import { afterAnswer, type EndpointHealth, HEALTHY, placesFree, silenceOf } from './endpoint-health.ts'
import { judgeAnswer, type PostAnswer, type Verdict } from './judge-answer.ts'
import { payloadOf } from './payload.ts'
import { retryWaitMs, uncountedWaitMs } from './retry-schedule.ts'
import { type DisabledBecause, disable, type Subscription, type SubscriptionId } from './subscription.ts'

/** What the desk wishes. Everything is about one delivery or one subscription, never about its neighbours. */
export type DeliveryWish =
  /** Ask the web port, and tell `settle` what came of it. `request` holds a signature: never log it. */
  | { readonly type: 'post'; readonly delivery: DeliveryId; readonly request: WebRequest }
  /** Write the row, and the attempt where there was one, and hand the row over again at its `nextAtMs`. */
  | { readonly type: 'keep'; readonly row: DeliveryRow; readonly attempt?: Attempt }
  /** The subscription is disabled: write that, and tell its owner. */
  | { readonly type: 'disable'; readonly subscription: Subscription; readonly because: DisabledBecause }
  /** It has failed since then: tell its owner while there is time. */
  | { readonly type: 'warnOwner'; readonly subscription: SubscriptionId; readonly failingSinceAtMs: AtMs }
  /** An event cannot be written down: that is our mistake, and somebody must look at it. */
  | { readonly type: 'alarm'; readonly delivery: DeliveryId; readonly why: string }

/** What a desk is made of. */
export interface DeskOptions {
  readonly random: Random
  /** Product and version, for receivers' logs. */
  readonly userAgent: string
  /** Posts under way to all endpoints together; `POSTS_MAX` when absent. */
  readonly postsMax?: number
}

interface Endpoint {
  subscription: Subscription
  health: EndpointHealth
  /** Due, in the order in which they came. */
  readonly queue: Held[]
  inFlight: number
  /** The number of its last turn; the smallest is served first. */
  servedAt: number
}

interface Held {
  readonly row: DeliveryRow
  readonly run: MachineRun<DeliveryCommand>
}

interface Flight extends Held {
  readonly endpoint: Endpoint
  readonly startedAtMs: AtMs
  readonly isProbe: boolean
}

/** Sockets and memory of the service (faults F-E10 counts with 500 slow endpoints). */
const POSTS_MAX = 1_024
/** Our choice: the last quarter of all places is for endpoints with no post under way, however slow the others are. */
const SHARED_PLACES = 0.75
/** Held for one endpoint; the rest of its due rows stays in the store. */
const QUEUE_MAX = 200

/** Due deliveries and posts under way of one engine. Mutable state with a lifetime, hence a class. */
export class DeliveryDesk {
  readonly #options: DeskOptions
  readonly #endpoints = new Map<SubscriptionId, Endpoint>()
  readonly #held = new Set<DeliveryId>()
  readonly #flights = new Map<DeliveryId, Flight>()
  #turns = 0

  constructor(options: DeskOptions) {
    this.#options = options
  }

  /** Takes a subscription, or what has changed of it. `health` is what was known of its endpoint before a restart. */
  enlist(subscription: Subscription, nowMs: AtMs, health = HEALTHY): DeliveryWish[] {
    const known = this.#endpoints.get(subscription.id)
    if (!known) {
      this.#endpoints.set(subscription.id, { subscription, health, queue: [], inFlight: 0, servedAt: 0 })
      return []
    }
    // Somebody who changes the address or enables it again has seen to it that it works.
    const isNew = known.subscription.url !== subscription.url || (known.subscription.disabled && !subscription.disabled)
    known.subscription = subscription
    if (isNew) known.health = HEALTHY
    return [...this.#withdrawWhereDisabled(known, nowMs), ...this.#serve(nowMs)]
  }

  /** Forgets a subscription that was removed. What is under way to it is still told how it ends. */
  remove(id: SubscriptionId, nowMs: AtMs): DeliveryWish[] {
    const endpoint = this.#endpoints.get(id)
    if (!endpoint) return []
    this.#endpoints.delete(id)
    endpoint.subscription = disable(endpoint.subscription, 'owner', nowMs)
    return this.#withdrawWhereDisabled(endpoint, nowMs)
  }

  /** How many more due rows of a subscription the desk takes: the store need not fetch others. */
  roomFor(id: SubscriptionId): number {
    return QUEUE_MAX - (this.#endpoints.get(id)?.queue.length ?? 0)
  }

  /**
   * Takes a due row. One that it has already, or that is not due, changes nothing. `full` when there is no room:
   * the row stays as it is, and is handed over later.
   */
  take(row: DeliveryRow, nowMs: AtMs): DeliveryWish[] | 'full' {
    if (this.#held.has(row.id)) return []
    const run = resumed(row)
    run.fireDue(nowMs)
    if (run.value !== 'pending') return []
    const endpoint = this.#endpoints.get(row.subscription)
    if (!endpoint) return this.#withdraw({ row, run }, 'its subscription was removed', nowMs)
    if (endpoint.queue.length >= QUEUE_MAX) return 'full'
    endpoint.queue.push({ row, run })
    this.#held.add(row.id)
    return [...this.#withdrawWhereDisabled(endpoint, nowMs), ...this.#serve(nowMs)]
  }

  /** Tells what came of a post. A second answer to the same post is ignored. */
  settle(id: DeliveryId, answer: PostAnswer, nowMs: AtMs): DeliveryWish[] {
    const flight = this.#flights.get(id)
    if (!flight) return []
    this.#flights.delete(id)
    this.#held.delete(id)
    const { endpoint, row, run, startedAtMs } = flight
    const verdict = judgeAnswer(answer, nowMs)
    endpoint.inFlight--
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

  /** Sends what has become possible by the passing of time: the probes of open circuits. */
  fireDue(nowMs: AtMs): DeliveryWish[] {
    return this.#serve(nowMs)
  }

  /** When `fireDue` should be called next; undefined when nothing waits for time alone. */
  get nextDueAtMs(): AtMs | undefined {
    // With no place left it is the end of a post that changes something.
    if (this.#flights.size >= (this.#options.postsMax ?? POSTS_MAX)) return undefined
    let earliest: AtMs | undefined
    for (const { queue, inFlight, health } of this.#endpoints.values()) {
      if (queue.length === 0 || inFlight > 0 || !health.open) continue
      earliest = Math.min(earliest ?? health.open.probeAtMs, health.open.probeAtMs)
    }
    return earliest
  }

  /** What is known of an endpoint, to be kept over a restart. */
  healthOf(id: SubscriptionId): EndpointHealth | undefined {
    return this.#endpoints.get(id)?.health
  }

  #serve(nowMs: AtMs): DeliveryWish[] {
    const wishes: DeliveryWish[] = []
    const { postsMax = POSTS_MAX } = this.#options
    while (this.#flights.size < postsMax) {
      const endpoint = this.#nextTurn(this.#flights.size < postsMax * SHARED_PLACES, nowMs)
      if (!endpoint) break
      endpoint.servedAt = ++this.#turns
      wishes.push(...this.#send(endpoint, endpoint.queue.shift()!, nowMs))
    }
    return wishes
  }

  /** Whoever has the fewest posts under way, then whoever was served longest ago: slow endpoints starve nobody. */
  #nextTurn(isSpacious: boolean, nowMs: AtMs): Endpoint | undefined {
    let next: Endpoint | undefined
    for (const endpoint of this.#endpoints.values()) {
      const { queue, health, inFlight } = endpoint
      if (queue.length === 0 || (inFlight > 0 && !isSpacious)) continue
      if (placesFree(health, inFlight, nowMs) === 0) continue
      if (!next || comesBefore(endpoint, next)) next = endpoint
    }
    return next
  }

  #send(endpoint: Endpoint, { row, run }: Held, nowMs: AtMs): DeliveryWish[] {
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
    assert(post?.type === 'post', 'a pending delivery posts when it is told to')
    endpoint.inFlight++
    const isProbe = endpoint.health.open !== undefined
    this.#flights.set(row.id, { row, run, endpoint, startedAtMs: nowMs, isProbe })
    const request = requestOf(endpoint.subscription, row.event, payload, this.#options.userAgent, nowMs)
    return [{ type: 'post', delivery: row.id, request }]
  }

  /** An answer in the words of the delivery's machine. */
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

  #watchSilence(endpoint: Endpoint, verdict: Verdict, nowMs: AtMs): DeliveryWish[] {
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

  #disable(endpoint: Endpoint, because: DisabledBecause, nowMs: AtMs): DeliveryWish[] {
    if (endpoint.subscription.disabled) return []
    const subscription = disable(endpoint.subscription, because, nowMs)
    endpoint.subscription = subscription
    return [{ type: 'disable', subscription, because }, ...this.#withdrawWhereDisabled(endpoint, nowMs)]
  }

  #withdrawWhereDisabled({ subscription, queue }: Endpoint, nowMs: AtMs): DeliveryWish[] {
    if (!subscription.disabled) return []
    const why = `its subscription was disabled (${subscription.disabled.because})`
    return queue.splice(0).flatMap((held) => this.#withdraw(held, why, nowMs))
  }

  #withdraw({ row, run }: Held, why: string, nowMs: AtMs): DeliveryWish[] {
    this.#held.delete(row.id)
    run.send({ type: 'withdrawn', why }, nowMs)
    return [{ type: 'keep', row: rowOf(row, run, nowMs) }]
  }
}

function comesBefore(one: Endpoint, other: Endpoint): boolean {
  return one.inFlight < other.inFlight || (one.inFlight === other.inFlight && one.servedAt < other.servedAt)
}
