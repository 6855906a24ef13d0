/** One connection of the live stream: its subscriptions, and the frames of `switchboard.v1`. Pure: no socket, no ws. */
import type { Clock } from '../../kernel/clock.ts'
import { readFrame, type SubFrame } from './read-frame.ts'
import { snapFrames } from './snap-frames.ts'
import { type Delta, KEPT_MS, type StreamEvent, type StreamTopic } from './stream-topic.ts'

/** Where frames go. */
export interface Wire {
  send(frame: string): void
  /** Bytes that were sent and the client has not read yet. */
  unsentBytes(): number
  close(code: number, why: string): void
}

export type DenyCode = 'forbidden' | 'unknown' | 'tooMany'

/** A topic that this client may read. `name` tells it from others with the same rows; it changes with the rights. */
interface FoundTopic {
  readonly name: string
  open(): { readonly topic: StreamTopic; release(): void }
}

/** The topics, as one client may see them just now. */
export type FindTopic = (topic: string, args: Readonly<Record<string, unknown>>) => FoundTopic | DenyCode

interface SessionOptions {
  readonly clock: Clock
  readonly wire: Wire
  readonly find: FindTopic
  /** Of this process: with another one, numbers start anew. */
  readonly epoch: string
  readonly node: string
  readonly user: number | null
  readonly unsentBytesMax?: number
}

interface Subscription {
  readonly frame: SubFrame
  readonly found: FoundTopic
  readonly topic: StreamTopic
  readonly end: () => void
  /** Deltas are left out; a snapshot follows when the client has read what it got. */
  isBehind: boolean
}

/** A heartbeat each time: whoever hears none for longer is shown what is old. */
export const BEAT_MS = 5_000
/** A client that does not read must not fill our memory. */
const UNSENT_BYTES_MAX = 1024 * 1024
const TOPICS_MAX = 64
const MESSAGES_PER_SECOND_MAX = 50
const SECOND_MS = 1_000
/**
 * Two heartbeats and a moment: a page that was frozen, or whose computer sleeps, answers none, while its browser still
 * answers the pings of the WebSocket for it.
 */
const SILENT_MS = 2 * BEAT_MS + 2_000

/** Close codes of our own, RFC 6455 7.4.2. */
export const CLOSE = { ended: 4001, noFrame: 4002, silent: 4003, tooFast: 4008 } as const

/** What the server says to one client. */
export class StreamSession {
  readonly #options: SessionOptions
  readonly #subscriptions = new Map<number, Subscription>()
  readonly #unsentBytesMax: number
  #secondBeganAtMs: number
  #messages = 0
  /** When the client last answered a heartbeat; undefined: it never has, and need not. */
  #hereAtMs: number | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.#unsentBytesMax = options.unsentBytesMax ?? UNSENT_BYTES_MAX
    const { clock, epoch, node, user } = options
    this.#secondBeganAtMs = clock.nowMs()
    this.#send({ t: 'welcome', v: 1, epoch, serverTs: this.#now(), node, user, hb: BEAT_MS, resumeMs: KEPT_MS })
  }

  receive(text: string): void {
    const { clock, wire } = this.#options
    const nowMs = clock.nowMs()
    if (nowMs - this.#secondBeganAtMs >= SECOND_MS) {
      this.#secondBeganAtMs = nowMs
      this.#messages = 0
    }
    if (++this.#messages > MESSAGES_PER_SECOND_MAX) return wire.close(CLOSE.tooFast, 'more than 50 messages a second')
    const frame = readFrame(text)
    switch (frame?.t) {
      case undefined:
        return wire.close(CLOSE.noFrame, 'this is no frame of switchboard.v1')
      case 'sub':
        return this.#subscribe(frame)
      case 'unsub':
        return this.#unsubscribe(frame.id)
      case 'ack':
        for (const { topic } of this.#subscriptions.values()) topic.acknowledge(frame.evId)
        return
      case 'ping':
        return this.beat(0)
      case 'here':
        this.#hereAtMs = nowMs
        return
    }
  }

  /** Every 5 s. `lagMs`: how late this process is. */
  beat(lagMs: number): void {
    const { clock, wire } = this.#options
    // A process that is late has not heard what waits for it.
    if (this.#hereAtMs !== undefined && clock.nowMs() - this.#hereAtMs - lagMs > SILENT_MS)
      return wire.close(CLOSE.silent, 'no heartbeat was answered')
    const seqs: Record<number, number> = {}
    for (const [id, subscription] of this.#subscriptions) {
      this.#catchUp(id, subscription)
      if (subscription.isBehind) continue
      seqs[id] = subscription.topic.seq
      this.#sendEvents(id, subscription.topic)
    }
    if (!this.#isSlow()) this.#send({ t: 'hb', seqs, serverTs: this.#now(), lagMs })
  }

  /** Takes topics away that the client may not read any more, and begins those anew that show it something else now. */
  lookAtRights(): void {
    for (const [id, { frame, found }] of [...this.#subscriptions]) {
      const now = this.#options.find(frame.topic, frame.args ?? {})
      if (typeof now !== 'string' && now.name === found.name) continue
      this.#unsubscribe(id)
      if (typeof now === 'string') {
        this.#send({ t: 'deny', id, code: now })
        continue
      }
      this.#send({ t: 'gap', id, reason: 'epoch' })
      const { since: _, ...anew } = frame
      this.#subscribe(anew)
    }
  }

  bye(code: 'deploy' | 'signedOut', retryMs: number): void {
    this.#send({ t: 'bye', code, retryMs })
  }

  close(): void {
    for (const id of [...this.#subscriptions.keys()]) this.#unsubscribe(id)
  }

  #subscribe(frame: SubFrame): void {
    const { id } = frame
    this.#unsubscribe(id)
    const isFull = this.#subscriptions.size >= TOPICS_MAX
    const found = isFull ? 'tooMany' : this.#options.find(frame.topic, frame.args ?? {})
    if (typeof found === 'string') return this.#send({ t: 'deny', id, code: found })
    const { topic, release } = found.open()
    const stopListening = topic.listen({
      delta: (delta) => this.#delta(id, subscription, delta),
      event: (event) => this.#event(id, subscription, event),
    })
    const end = () => {
      stopListening()
      release()
    }
    const subscription: Subscription = { frame, found, topic, end, isBehind: false }
    this.#subscriptions.set(id, subscription)
    this.#begin(frame, topic)
    this.#sendEvents(id, topic)
  }

  /** Goes on where the client was, or starts with everything. A delta never crosses a hole. */
  #begin({ id, topic: name, since }: SubFrame, topic: StreamTopic): void {
    const isSameEpoch = since?.epoch === this.#options.epoch
    const missed = since && isSameEpoch ? topic.since(since.seq) : undefined
    if (missed) {
      for (const delta of missed) this.#sendDelta(id, delta)
      return this.#send({ t: 'hb', seqs: { [id]: topic.seq }, serverTs: this.#now(), lagMs: 0 })
    }
    if (since) this.#send({ t: 'gap', id, reason: isSameEpoch ? 'expired' : 'epoch' })
    this.#snap(id, name, topic)
  }

  #snap(id: number, name: string, topic: StreamTopic): void {
    for (const frame of snapFrames({ id, topic: name, seq: topic.seq, rows: topic.rows() }))
      this.#options.wire.send(frame)
  }

  #delta(id: number, subscription: Subscription, delta: Delta): void {
    if (subscription.isBehind) return this.#catchUp(id, subscription)
    if (this.#isSlow()) subscription.isBehind = true
    else this.#sendDelta(id, delta)
  }

  #catchUp(id: number, subscription: Subscription): void {
    if (!subscription.isBehind || this.#options.wire.unsentBytes() > this.#unsentBytesMax / 16) return
    subscription.isBehind = false
    this.#send({ t: 'gap', id, reason: 'slow' })
    this.#snap(id, subscription.frame.topic, subscription.topic)
  }

  #event(id: number, { isBehind }: Subscription, { evId, name, data }: StreamEvent): void {
    if (!isBehind && !this.#isSlow()) this.#send({ t: 'ev', id, evId, name, data })
  }

  #sendEvents(id: number, topic: StreamTopic): void {
    if (this.#isSlow()) return
    for (const { evId, name, data } of topic.waitingEvents()) this.#send({ t: 'ev', id, evId, name, data })
  }

  #unsubscribe(id: number): void {
    this.#subscriptions.get(id)?.end()
    this.#subscriptions.delete(id)
  }

  #isSlow(): boolean {
    return this.#options.wire.unsentBytes() > this.#unsentBytesMax
  }

  #sendDelta(id: number, { seq, ops }: Delta): void {
    this.#options.wire.send(`{"t":"d","id":${id},"seq":${seq},"ops":${ops}}`)
  }

  #send(frame: object): void {
    this.#options.wire.send(JSON.stringify(frame))
  }

  #now(): string {
    return new Date(this.#options.clock.nowMs()).toISOString()
  }
}
