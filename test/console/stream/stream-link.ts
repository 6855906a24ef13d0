/** The console's client and the server's core, with a network between them that delays, drops and breaks. */
import { StreamClient } from '../../../src/console/stream/stream-client.ts'
import type { Random } from '../../../src/kernel/random.ts'
import { type FindTopic, StreamSession } from '../../../src/rest/stream/stream-session.ts'
import { StreamTopic } from '../../../src/rest/stream/stream-topic.ts'
import type { VirtualClock } from '../../support/virtual-clock.ts'

const BEAT_MS = 5_000
const UNSENT_BYTES_MAX = 700

interface Server {
  readonly epoch: string
  readonly topics: ReadonlyMap<string, StreamTopic>
}

interface Wires {
  readonly toClient: string[]
  readonly toServer: string[]
  readonly hear: (text: string) => void
  readonly session: StreamSession
  readonly end: () => void
}

/** A server that may restart, one client, and the wire between. Nothing moves by itself but time. */
export class StreamLink {
  readonly clock: VirtualClock
  readonly client: StreamClient
  readonly events: string[] = []
  /** Deltas that the server sent after a hole. */
  readonly holes: string[] = []
  /** The client can reach the server. */
  isOnline = true
  #server: Server
  #wires: Wires | undefined
  #epochs = 0
  readonly #flushes: (() => void)[] = []

  constructor(clock: VirtualClock, random: Random) {
    this.clock = clock
    this.#server = this.#newServer()
    this.client = new StreamClient({
      clock,
      random: () => random.next(),
      getTicket: async () => {
        if (!this.isOnline) throw new Error('offline')
        return 'ticket'
      },
      openSocket: () => this.#open(),
      schedule: (flush) => void this.#flushes.push(flush),
      onEvent: ({ data }) => this.events.push(String(data['n'])),
    })
  }

  topic(name: string): StreamTopic {
    return this.#server.topics.get(name)!
  }

  get isConnected(): boolean {
    return this.#wires !== undefined
  }

  /** Frames under way to the client: of a slow reader there are many. */
  get unread(): number {
    return this.#wires?.toClient.length ?? 0
  }

  /** Delivers so many frames to the client, and everything of the client to the server. */
  deliver(count: number): void {
    const wires = this.#wires
    if (!wires) return
    for (const text of wires.toClient.splice(0, count)) if (this.#wires === wires) wires.hear(text)
    for (const text of wires.toServer.splice(0)) if (this.#wires === wires) wires.session.receive(text)
  }

  /** Loses one frame on its way to the client; no welcome, which opens a connection. */
  drop(at: number): void {
    const wires = this.#wires
    const text = wires?.toClient[at]
    if (text !== undefined && !text.startsWith('{"t":"welcome"')) wires?.toClient.splice(at, 1)
  }

  /** Everything under way is lost. `isTold`: the client hears of it; else it must find out. */
  cut(isTold: boolean): void {
    const wires = this.#wires
    this.#wires = undefined
    wires?.session.close()
    if (isTold) wires?.end()
  }

  /** The numbers start anew. */
  restart(rows: (topic: StreamTopic) => void): void {
    this.cut(true)
    this.#server = this.#newServer()
    for (const topic of this.#server.topics.values()) rows(topic)
  }

  beat(): void {
    this.#wires?.session.beat(0)
  }

  flush(): void {
    for (const flush of this.#flushes.splice(0)) flush()
  }

  /** The server itself never sends a delta across a hole. */
  #watchNumbers(numbers: Map<number, number>, text: string): void {
    const { t, id, seq } = JSON.parse(text)
    if (t === 'gap') numbers.delete(id)
    if (t === 'snap') numbers.set(id, seq)
    if (t !== 'd') return
    if (numbers.has(id) && numbers.get(id) !== seq - 1) this.holes.push(text)
    numbers.set(id, seq)
  }

  #newServer(): Server {
    const topic = (coalesceMs: number) => new StreamTopic({ clock: this.clock, coalesceMs })
    return {
      epoch: `epoch-${++this.#epochs}`,
      topics: new Map([
        ['me', topic(0)],
        ['board', topic(100)],
      ]),
    }
  }

  #open() {
    const [toClient, toServer]: [string[], string[]] = [[], []]
    const socket = {
      send: (text: string) => void toServer.push(text),
      close: () => {
        if (this.#wires === wires) this.cut(false)
      },
      onmessage: null as ((event: { readonly data: unknown }) => void) | null,
      onclose: null as (() => void) | null,
    }
    const { topics, epoch } = this.#server
    const numbers = new Map<number, number>()
    const find: FindTopic = (name) => {
      const topic = topics.get(name)
      return topic ? { name, open: () => ({ topic, release: () => {} }) } : 'unknown'
    }
    const wire = {
      send: (frame: string) => {
        this.#watchNumbers(numbers, frame)
        toClient.push(frame)
      },
      unsentBytes: () => toClient.reduce((bytes, text) => bytes + text.length, 0),
      close: () => this.cut(true),
    }
    const options = { clock: this.clock, wire, find, epoch, node: 'n1', user: 7, unsentBytesMax: UNSENT_BYTES_MAX }
    const session = new StreamSession(options)
    const hear = (data: string) => socket.onmessage?.({ data })
    const wires: Wires = { toClient, toServer, hear, session, end: () => socket.onclose?.() }
    this.#wires = wires
    const beats = () => {
      if (this.#wires !== wires) return
      session.beat(0)
      this.clock.schedule(this.clock.nowMs() + BEAT_MS, beats)
    }
    this.clock.schedule(this.clock.nowMs() + BEAT_MS, beats)
    return socket
  }
}
