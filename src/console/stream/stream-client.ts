/** The console's end of the live stream: one connection of a page, its topics, events, time and staleness. */
import { LiveSubscription, type Topic } from './live-subscription.ts'
import type { FrameScheduler } from './row-store.ts'
import { ServerTime } from './server-time.ts'
import type { Fields, ServerFrame } from './stream-frames.ts'

/** A WebSocket, as far as the stream needs one. */
export interface StreamSocket {
  send(text: string): void
  close(): void
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: (() => void) | null
}

interface StreamClientOptions {
  /** `POST /rest/core/stream/ticket`. */
  readonly getTicket: () => Promise<string>
  /** A WebSocket to `/rest/core/stream` with these sub-protocols. */
  readonly openSocket: (protocols: readonly string[]) => StreamSocket
  readonly clock: {
    nowMs(): number
    schedule(atMs: number, action: () => void): { cancel(): void }
  }
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly schedule: FrameScheduler
  /** False: it is not for this page, and the next one is told of it. */
  readonly onEvent: (event: { readonly topic: string; readonly name: string; readonly data: Fields }) => unknown
}

/** `stale` after 7 s without a frame, `grey` after 15 s: values may be shown no more as true. */
export type Freshness = 'live' | 'stale' | 'grey' | 'signedOut'

const PROTOCOL = 'switchboard.v1'
const STALE_MS = 7_000
const GREY_MS = 15_000
/** The longest of the first wait, of later ones, and of those after a minute: a node may be away for long. */
const RETRY_FIRST_MS = 400
const RETRY_MAX_MS = 3_000
const RETRY_LATER_MAX_MS = 5_000
const LATER_MS = 60_000
const RETRY_LEAST_MS = 100
/** From the ticket to the welcome. A node that starts, or a network that swallows, may never answer. */
const UNANSWERED_MS = 5_000
const EVENTS_KEPT = 1_000

/** Opens with `start`; asks again until `close`. */
export class StreamClient {
  readonly #options: StreamClientOptions
  readonly #time = new ServerTime()
  readonly #subscriptions = new Set<LiveSubscription>()
  readonly #seen = new Set<string>()
  readonly #freshnessListeners = new Set<() => void>()
  #socket: StreamSocket | undefined
  #epoch: string | undefined
  #nextId = 1
  #retryMs = RETRY_FIRST_MS
  #attempt = 0
  #timer: { cancel(): void } | undefined
  #watch: { cancel(): void } | undefined
  #lastFrameAtMs: number
  #freshness: Freshness = 'stale'

  constructor(options: StreamClientOptions) {
    this.#options = options
    this.#lastFrameAtMs = options.clock.nowMs()
  }

  start(): void {
    this.#watchAgain()
    void this.#connect()
  }

  close(): void {
    this.#timer?.cancel()
    this.#watch?.cancel()
    this.#drop()
  }

  /** Connects at once where nothing is heard, or this page has slept: what seems to be open may be dead. */
  wake(hasSlept = false): void {
    const isDead = hasSlept || this.#options.clock.nowMs() - this.#lastFrameAtMs >= STALE_MS
    if ((this.#socket && !isDead) || this.#freshness === 'signedOut') return
    // What is grey stays so until something is heard: acts would be on again for what is old.
    if (hasSlept && this.#freshness === 'live') this.#setFreshness('stale')
    this.#drop()
    this.#retryMs = RETRY_FIRST_MS
    this.#timer?.cancel()
    void this.#connect()
  }

  /** The rows of a topic, kept until `leave`. */
  join(asked: Topic): LiveSubscription {
    const subscription = new LiveSubscription(asked, this.#options.schedule)
    this.#subscriptions.add(subscription)
    this.#ask(subscription)
    return subscription
  }

  leave(subscription: LiveSubscription): void {
    this.#subscriptions.delete(subscription)
    if (this.#epoch !== undefined) this.#send({ t: 'unsub', id: subscription.id })
  }

  freshness(): Freshness {
    return this.#freshness
  }

  /** When the latest frame came, on our own clock: "as of 14:33:07". */
  asOfMs(): number {
    return this.#lastFrameAtMs
  }

  serverNowMs(): number {
    return this.#time.at(this.#options.clock.nowMs())
  }

  onFreshness(listener: () => void): () => void {
    this.#freshnessListeners.add(listener)
    return () => void this.#freshnessListeners.delete(listener)
  }

  async #connect(): Promise<void> {
    const { clock } = this.#options
    const attempt = ++this.#attempt
    this.#timer = clock.schedule(clock.nowMs() + UNANSWERED_MS, () => {
      this.#drop()
      this.#retry()
    })
    try {
      const ticket = await this.#options.getTicket()
      if (attempt !== this.#attempt) return
      const socket = this.#options.openSocket([PROTOCOL, ticket])
      this.#socket = socket
      socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)) as ServerFrame)
      socket.onclose = () => {
        this.#drop()
        this.#retry()
      }
    } catch {
      if (attempt === this.#attempt) this.#retry()
    }
  }

  /** What is under way comes too late. */
  #drop(): void {
    this.#attempt++
    const socket = this.#socket
    this.#socket = undefined
    this.#epoch = undefined
    if (!socket) return
    socket.onmessage = null
    socket.onclose = null
    socket.close()
  }

  /**
   * Any time up to a longest one that doubles: all pages of a centre lose a node in one moment, and must not come back
   * in one. `leastMs`: what the node has asked for.
   */
  #retry(leastMs = RETRY_LEAST_MS): void {
    this.#timer?.cancel()
    if (this.#freshness === 'signedOut') return
    const { clock, random } = this.#options
    const nowMs = clock.nowMs()
    const maxMs = nowMs - this.#lastFrameAtMs < LATER_MS ? RETRY_MAX_MS : RETRY_LATER_MAX_MS
    const waitMs = leastMs + Math.max(0, this.#retryMs - leastMs) * random()
    this.#retryMs = Math.min(maxMs, this.#retryMs * 2)
    this.#timer = clock.schedule(nowMs + waitMs, () => void this.#connect())
  }

  #hear(frame: ServerFrame): void {
    const nowMs = this.#options.clock.nowMs()
    this.#lastFrameAtMs = nowMs
    this.#setFreshness('live')
    if (frame.t === 'welcome') return this.#welcomed(frame.epoch, frame.serverTs, nowMs)
    if (frame.t === 'bye') return this.#left(frame.code, frame.retryMs)
    if (frame.t === 'hb') {
      // Whether this page lives: a browser answers for a frozen one on its own.
      this.#send({ t: 'here' })
      this.#time.heard(frame.serverTs, nowMs)
      for (const one of this.#subscriptions) {
        const seq = frame.seqs[one.id]
        if (seq !== undefined && !one.isAt(seq)) this.#askAnew(one)
      }
      return
    }
    const about = [...this.#subscriptions].find(({ id }) => id === frame.id)
    if (about) this.#hearAbout(about, frame)
  }

  #hearAbout(one: LiveSubscription, frame: Extract<ServerFrame, { readonly id: number }>): void {
    switch (frame.t) {
      case 'snap':
        if (!one.snap(frame, this.#epoch ?? '')) this.#askAnew(one)
        return
      case 'd':
        if (!one.delta(frame)) this.#askAnew(one)
        return
      case 'gap':
        return one.gap()
      case 'deny':
        return one.denied()
      case 'ev':
        return this.#event(one, frame)
    }
  }

  #event({ asked }: LiveSubscription, { evId, name, data }: Extract<ServerFrame, { t: 'ev' }>): void {
    const isSeen = this.#seen.has(evId)
    if (!isSeen && this.#options.onEvent({ topic: asked.topic, name, data }) === false) return
    this.#send({ t: 'ack', evId })
    if (isSeen) return
    this.#seen.add(evId)
    const [oldest] = this.#seen
    if (this.#seen.size > EVENTS_KEPT && oldest !== undefined) this.#seen.delete(oldest)
  }

  #welcomed(epoch: string, serverTs: string, nowMs: number): void {
    this.#time.heard(serverTs, nowMs)
    this.#epoch = epoch
    this.#retryMs = RETRY_FIRST_MS
    this.#timer?.cancel()
    this.#timer = undefined
    for (const one of this.#subscriptions) this.#ask(one)
  }

  #left(code: string, retryMs: number): void {
    this.#drop()
    if (code === 'signedOut') {
      this.#timer?.cancel()
      return this.#setFreshness('signedOut')
    }
    this.#retryMs = Math.max(this.#retryMs, 2 * retryMs)
    this.#retry(retryMs)
  }

  #ask(one: LiveSubscription): void {
    if (this.#epoch !== undefined) this.#send(one.ask(this.#nextId++, this.#epoch))
  }

  /** Under a new id: what still comes under the old one is too late. */
  #askAnew(one: LiveSubscription): void {
    this.#send({ t: 'unsub', id: one.id })
    this.#ask(one)
  }

  #send(frame: object): void {
    this.#socket?.send(JSON.stringify(frame))
  }

  #watchAgain(): void {
    const { clock } = this.#options
    const silentMs = clock.nowMs() - this.#lastFrameAtMs
    if (silentMs >= STALE_MS && this.#freshness !== 'signedOut') {
      this.#setFreshness(silentMs >= GREY_MS ? 'grey' : 'stale')
      // A dead connection, or a ticket that never comes, may never say so.
      if (silentMs >= GREY_MS && !this.#timer) {
        this.#drop()
        this.#retry()
      }
    }
    const nextMs = silentMs < STALE_MS ? STALE_MS : silentMs < GREY_MS ? GREY_MS : silentMs + STALE_MS
    this.#watch = clock.schedule(this.#lastFrameAtMs + nextMs, () => this.#watchAgain())
  }

  #setFreshness(freshness: Freshness): void {
    if (freshness === this.#freshness) return
    this.#freshness = freshness
    for (const listener of this.#freshnessListeners) listener()
  }
}
