/** Receivers of every temper, and a store and a web port for the desk: a world of webhooks on virtual time. */
import type { AtMs, Timer } from '../../src/kernel/clock.ts'
import { type Random, seededRandom } from '../../src/kernel/random.ts'
import { VirtualClock } from '../../src/kernel/virtual-clock.ts'
import type { WebRequest } from '../../src/ports/web.ts'
import type { Attempt } from '../../src/webhooks/attempt.ts'
import { type DeliveryId, type DeliveryRow, deliveriesOf } from '../../src/webhooks/delivery.ts'
import { DeliveryDesk, type DeliveryWish } from '../../src/webhooks/delivery-desk.ts'
import type { EndpointHealth } from '../../src/webhooks/endpoint-health.ts'
import { makeEventId, type WebhookEvent } from '../../src/webhooks/event.ts'
import type { PostAnswer } from '../../src/webhooks/judge-answer.ts'
import { secretOf, verify } from '../../src/webhooks/sign.ts'
import type { Subscription, SubscriptionId } from '../../src/webhooks/subscription.ts'

const HOUR_MS = 3_600_000

/** What a receiver knows when it decides: how often it saw this event, how much it saw, since when it lives. */
interface Asked {
  readonly timesThis: number
  readonly timesAny: number
  readonly ageMs: number
  readonly random: Random
}

interface Reply {
  readonly afterMs: number
  readonly answer: PostAnswer
}

const status = (code: number, afterMs = 20, retryAfter?: string): Reply => ({
  afterMs,
  answer: {
    ...{ outcome: 'answered', status: code, body: 'so', contentType: 'text/plain' },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  },
})
const refusedLine: Reply = { afterMs: 5, answer: { outcome: 'network', why: 'refused' } }
const noAnswer: Reply = { afterMs: 15_000, answer: { outcome: 'timeout', why: 'nothing within 15000 ms' } }

/** How receivers behave. `loyal` ones take everything in the end. */
export const TEMPERS = {
  quick: { isLoyal: true, reply: () => status(200) },
  slow: { isLoyal: true, reply: () => status(204, 14_000) },
  downFor72Hours: { isLoyal: true, reply: ({ ageMs }) => (ageMs < 72 * HOUR_MS ? refusedLine : status(200)) },
  hangingFor72Hours: { isLoyal: true, reply: ({ ageMs }) => (ageMs < 72 * HOUR_MS ? noAnswer : status(200)) },
  busy: { isLoyal: true, reply: ({ timesThis }) => (timesThis < 3 ? status(429, 20, '120') : status(200)) },
  greedy: { isLoyal: true, reply: ({ timesThis }) => (timesThis < 1 ? status(503, 20, '999999') : status(200)) },
  moody: {
    isLoyal: false,
    reply: ({ random }) => {
      const replies = [status(200), status(500), status(502), noAnswer, refusedLine, status(204)]
      return replies[Math.floor(random.next() * replies.length)]!
    },
  },
  redirecting: { isLoyal: false, reply: () => status(301) },
  drowsy: { isLoyal: false, reply: () => noAnswer },
  leaving: { isLoyal: false, reply: ({ timesAny }) => status(timesAny < 5 ? 200 : 410) },
} as const satisfies Record<string, { isLoyal: boolean; reply: (asked: Asked) => Reply }>

export type Temper = keyof typeof TEMPERS

/** A subscription and what its receiver has seen. */
export interface Receiver {
  subscription: Subscription
  readonly temper: Temper
  /** Webhook id → how often it came in all, and how often a 2xx was seen for it. */
  readonly seen: Map<string, number>
  readonly thanked: Map<string, number>
  /** How long after its fact each event was first accepted. */
  readonly latenciesMs: number[]
  posts: number
  inFlight: number
  inFlightMax: number
}

/** Everything around one desk. The store is a map, and survives the desk. */
export class WebhookWorld {
  readonly clock = new VirtualClock()
  readonly receivers = new Map<SubscriptionId, Receiver>()
  readonly rows = new Map<DeliveryId, DeliveryRow>()
  readonly attempts = new Map<DeliveryId, Attempt[]>()
  /** Broken promises, in words. A world ends with none. */
  readonly faults: string[] = []
  readonly alarms: string[] = []
  readonly warnings: SubscriptionId[] = []
  inFlight = 0
  inFlightMax = 0
  readonly #random: Random
  readonly #postsMax: number
  readonly #bornAtMs: AtMs
  /** Due rows, as the store finds them. */
  readonly #due = new Map<SubscriptionId, DeliveryRow[]>()
  readonly #health = new Map<SubscriptionId, EndpointHealth>()
  #desk: DeliveryDesk
  #sockets = new Set<Timer>()
  #probe: Timer | undefined

  constructor(seed: number, postsMax = 1_024) {
    this.#random = seededRandom(seed)
    this.#postsMax = postsMax
    this.#bornAtMs = this.clock.nowMs()
    this.#desk = this.#newDesk()
  }

  add(temper: Temper): Receiver {
    const id = `s${this.receivers.size}` as SubscriptionId
    const subscription: Subscription = {
      ...{ id, corporation: 1, url: `https://${id}.example/hook`, events: ['phone-call.ended'], systemCodes: [] },
      secrets: [{ secret: secretOf(new Uint8Array(32).fill(this.receivers.size)) }],
    }
    const counts = { seen: new Map(), thanked: new Map(), latenciesMs: [], posts: 0, inFlight: 0, inFlightMax: 0 }
    const receiver: Receiver = { subscription, temper, ...counts }
    this.receivers.set(id, receiver)
    this.#obey(this.#desk.enlist(subscription, this.clock.nowMs()))
    return receiver
  }

  /** A call ended; every subscription hears of it, or the one that is named. */
  publish(only?: Receiver): WebhookEvent {
    const atMs = this.clock.nowMs()
    const event: WebhookEvent = {
      ...{ id: makeEventId(atMs, this.#random), atMs, corporation: 1, environment: 'development' },
      ...{ type: 'phone-call.ended', activity: this.rows.size },
    }
    const wanting = only ? [only] : [...this.receivers.values()]
    const subscriptions = wanting.map(({ subscription }) => subscription)
    for (const row of deliveriesOf(event, subscriptions, atMs)) this.keep(row)
    return event
  }

  /** Writes a row as a database would: as JSON. Hands it over when it is due. */
  keep(row: DeliveryRow): void {
    const kept: DeliveryRow = JSON.parse(JSON.stringify(row))
    this.rows.set(row.id, kept)
    if (kept.nextAtMs === undefined) return
    this.clock.schedule(kept.nextAtMs, () => this.#isDue(kept))
  }

  /** The engine dies: what is under way is cut off, and a new one begins with what the store has. */
  restart(): void {
    const nowMs = this.clock.nowMs()
    for (const id of this.receivers.keys()) {
      const health = this.#desk.healthOf(id)
      if (health) this.#health.set(id, JSON.parse(JSON.stringify(health)))
    }
    for (const socket of this.#sockets) socket.cancel()
    this.#sockets.clear()
    this.inFlight = 0
    for (const receiver of this.receivers.values()) receiver.inFlight = 0
    this.#desk = this.#newDesk()
    this.#due.clear()
    for (const [id, { subscription }] of this.receivers) {
      this.#obey(this.#desk.enlist(subscription, nowMs, this.#health.get(id)))
    }
    for (const row of this.rows.values()) if (row.nextAtMs !== undefined && row.nextAtMs <= nowMs) this.#isDue(row)
  }

  #newDesk(): DeliveryDesk {
    return new DeliveryDesk({ random: this.#random, userAgent: 'switchboard/test', postsMax: this.#postsMax })
  }

  #isDue(row: DeliveryRow): void {
    // A row that was written anew meanwhile has a due time of its own.
    if (this.rows.get(row.id) !== row) return
    const due = this.#due.get(row.subscription)
    if (due) due.push(row)
    else this.#due.set(row.subscription, [row])
    this.#handOver(row.subscription)
  }

  #handOver(id: SubscriptionId): void {
    const due = this.#due.get(id) ?? []
    while (due.length > 0 && this.#desk.roomFor(id) > 0) {
      const wishes = this.#desk.take(due.shift()!, this.clock.nowMs())
      if (wishes === 'full') this.faults.push('the desk was full although it had room')
      else this.#obey(wishes)
    }
  }

  #obey(wishes: readonly DeliveryWish[]): void {
    for (const wish of wishes) {
      if (wish.type === 'post') this.#post(wish.delivery, wish.request)
      else if (wish.type === 'keep') this.#write(wish)
      else if (wish.type === 'alarm') this.alarms.push(wish.why)
      else if (wish.type === 'warnOwner') this.warnings.push(wish.subscription)
      else this.receivers.get(wish.subscription.id)!.subscription = wish.subscription
    }
    this.#probe?.cancel()
    const atMs = this.#desk.nextDueAtMs
    if (atMs !== undefined) {
      this.#probe = this.clock.schedule(atMs, () => this.#obey(this.#desk.fireDue(this.clock.nowMs())))
    }
  }

  #write({ row, attempt }: DeliveryWish & { type: 'keep' }): void {
    if (attempt) this.attempts.set(row.id, [...(this.attempts.get(row.id) ?? []), attempt])
    this.keep(row)
  }

  #post(delivery: DeliveryId, request: WebRequest): void {
    const receiver = this.receivers.get(this.rows.get(delivery)!.subscription)!
    const id = request.headers['webhook-id']!
    this.#check(receiver, request, id)
    const timesThis = receiver.seen.get(id) ?? 0
    const asked = { timesThis, timesAny: receiver.posts++, ageMs: this.clock.nowMs() - this.#bornAtMs }
    receiver.seen.set(id, timesThis + 1)
    receiver.inFlightMax = Math.max(receiver.inFlightMax, ++receiver.inFlight)
    this.inFlightMax = Math.max(this.inFlightMax, ++this.inFlight)
    const { afterMs, answer } = TEMPERS[receiver.temper].reply({ ...asked, random: this.#random })
    const socket = this.clock.schedule(this.clock.nowMs() + afterMs, () => {
      this.#sockets.delete(socket)
      receiver.inFlight--
      this.inFlight--
      if (answer.outcome === 'answered' && answer.status < 300) this.#thank(receiver, delivery, id)
      this.#obey(this.#desk.settle(delivery, answer, this.clock.nowMs()))
      this.#handOver(receiver.subscription.id)
    })
    this.#sockets.add(socket)
  }

  #check(receiver: Receiver, { url, headers, body, timeoutMs }: WebRequest, id: string): void {
    const secrets = receiver.subscription.secrets.map(({ secret }) => secret)
    const verification = verify(headers, JSON.stringify(body), secrets, this.clock.nowMs())
    if (verification !== 'genuine') this.faults.push(`${id} was ${verification}`)
    if (receiver.thanked.has(id)) this.faults.push(`${id} was sent to ${url} again after a 2xx`)
    if (timeoutMs !== 15_000) this.faults.push(`${id} was given ${timeoutMs} ms`)
  }

  #thank(receiver: Receiver, delivery: DeliveryId, id: string): void {
    receiver.thanked.set(id, (receiver.thanked.get(id) ?? 0) + 1)
    receiver.latenciesMs.push(this.clock.nowMs() - this.rows.get(delivery)!.event.atMs)
  }
}
