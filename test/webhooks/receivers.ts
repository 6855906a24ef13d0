/** Receivers of webhooks, of every behaviour: the web as a dispatcher meets it, on virtual time. */
import type { AtMs, Clock } from '../../src/kernel/clock.ts'
import type { Random } from '../../src/kernel/random.ts'
import type { Web, WebAnswer, WebRequest } from '../../src/ports/web.ts'
import type { Subscription } from '../../src/ports/webhook.ts'
import { verify } from '../../src/webhooks/sign.ts'

const HOUR_MS = 3_600_000

/** The input of a receiver's decision: how often it saw this event, how much it saw, since when it lives. */
interface Asked {
  readonly timesThis: number
  readonly timesAny: number
  readonly ageMs: number
  readonly random: Random
}

interface Reply {
  readonly afterMs: number
  readonly answer: WebAnswer
}

const status = (code: number, afterMs = 20, retryAfter?: string): Reply => ({
  afterMs,
  answer: {
    outcome: 'answered',
    status: code,
    body: 'so',
    contentType: 'text/plain',
    ...(retryAfter === undefined ? {} : { retryAfter }),
  },
})
const refusedLine: Reply = { afterMs: 5, answer: { outcome: 'network', why: 'refused' } }
const noAnswer: Reply = { afterMs: 15_000, answer: { outcome: 'timeout', why: 'nothing within 15000 ms' } }

/** How receivers behave. `loyal` ones accept everything in the end. */
export const TEMPERS = {
  quick: { isLoyal: true, reply: () => status(200) },
  slow: { isLoyal: true, reply: () => status(204, 14_000) },
  downForAnHour: { isLoyal: true, reply: ({ ageMs }) => (ageMs < HOUR_MS ? refusedLine : status(200)) },
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
  closing: { isLoyal: false, reply: () => status(410, 14_000) },
  leaving: { isLoyal: false, reply: ({ timesAny }) => status(timesAny < 5 ? 200 : 410) },
} as const satisfies Record<string, { isLoyal: boolean; reply: (asked: Asked) => Reply }>

export type Temper = keyof typeof TEMPERS

/** What one receiver has seen. */
export interface Receiver {
  readonly subscription: Subscription
  temper: Temper
  readonly bornAtMs: AtMs
  /** Webhook id → how often it came in all, and how often it was answered with a 2xx. */
  readonly seen: Map<string, number>
  readonly thanked: Map<string, number>
  /** Webhook id → when it was first accepted. */
  readonly thankedAtMs: Map<string, AtMs>
  /** Requests in progress, and those that came during one of the same event. */
  readonly open: Set<string>
  posts: number
  inFlight: number
  inFlightMax: number
}

/** All of them, each at the host of its subscription's URL. Violations are in `faults`. */
export class Receivers implements Web {
  readonly faults: string[] = []
  readonly all: Receiver[] = []
  inFlight = 0
  inFlightMax = 0
  readonly #clock: Clock
  readonly #random: Random
  readonly #byUrl = new Map<string, Receiver>()

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  add(temper: Temper, subscription: Subscription): Receiver {
    const counts = { posts: 0, inFlight: 0, inFlightMax: 0 }
    const maps = { seen: new Map(), thanked: new Map(), thankedAtMs: new Map(), open: new Set<string>() }
    const receiver: Receiver = { subscription, temper, bornAtMs: this.#clock.nowMs(), ...maps, ...counts }
    this.#byUrl.set(subscription.url, receiver)
    this.all.push(receiver)
    return receiver
  }

  request(request: WebRequest, done: (answer: WebAnswer) => void): { cancel(): void } {
    const receiver = this.#byUrl.get(request.url)!
    const id = request.headers['webhook-id']!
    this.#check(receiver, request, id)
    const timesThis = receiver.seen.get(id) ?? 0
    const nowMs = this.#clock.nowMs()
    const asked = { timesThis, timesAny: receiver.posts++, ageMs: nowMs - receiver.bornAtMs, random: this.#random }
    receiver.seen.set(id, timesThis + 1)
    receiver.open.add(id)
    receiver.inFlightMax = Math.max(receiver.inFlightMax, ++receiver.inFlight)
    this.inFlightMax = Math.max(this.inFlightMax, ++this.inFlight)
    const { afterMs, answer } = TEMPERS[receiver.temper].reply(asked)
    const end = () => {
      receiver.open.delete(id)
      receiver.inFlight--
      this.inFlight--
    }
    const socket = this.#clock.schedule(nowMs + afterMs, () => {
      end()
      isOver = true
      if (answer.outcome === 'answered' && answer.status < 300) this.#thank(receiver, id)
      done(answer)
    })
    let isOver = false
    return {
      cancel: () => {
        if (isOver) return
        isOver = true
        socket.cancel()
        end()
      },
    }
  }

  #check({ subscription, open }: Receiver, { url, headers, text = '', timeoutMs }: WebRequest, id: string): void {
    const secrets = subscription.secrets.map(({ secret }) => secret)
    const verification = verify(headers, text, secrets, this.#clock.nowMs())
    if (verification !== 'genuine') this.faults.push(`${id} was ${verification}`)
    if (JSON.parse(text).id !== id) this.faults.push(`${id} is called otherwise in the body`)
    if (open.has(id)) this.faults.push(`${id} was sent to ${url} twice at once`)
    if (timeoutMs !== 15_000) this.faults.push(`${id} was given ${timeoutMs} ms`)
  }

  #thank(receiver: Receiver, id: string): void {
    receiver.thanked.set(id, (receiver.thanked.get(id) ?? 0) + 1)
    if (!receiver.thankedAtMs.has(id)) receiver.thankedAtMs.set(id, this.#clock.nowMs())
  }
}
