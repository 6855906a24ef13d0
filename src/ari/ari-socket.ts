import { WebSocket } from 'ws'
import type { Clock, Timer } from '../kernel/clock.ts'
import type { AriAddress } from './address.ts'
import type { AriEvent } from './ari-types.ts'
import { Heartbeat } from './heartbeat.ts'
import { type AriAnswer, noAnswer, type RestRequest } from './operation.ts'
import { RestOverSocket } from './rest-over-socket.ts'

/** F-A6. An event is about 1 kB; what is a thousand times longer is none of ours. */
const FRAME_BYTES_MAX = 1024 * 1024
const OPENING_MAX_MS = 3_000

/** Asterisk not reading while we write: beyond this much unsent text, the socket is as good as dead. */
const UNSENT_BYTES_MAX = 8 * 1024 * 1024

/**
 * Why a connection is over.
 * - `unreachable`: it never opened, nobody is there (yet).
 * - `refused`: Asterisk does not want us: user, password or rights are wrong.
 * - `lost`: it was open and broke.
 * - `replaced`: somebody else connected under our application name.
 */
export interface Loss {
  readonly kind: 'unreachable' | 'refused' | 'lost' | 'replaced'
  readonly why: string
}

/** Where to, as whom, and who is told what comes of it. */
export interface ConnectionOptions {
  readonly address: AriAddress
  readonly app: string
  /** Value of the `Authorization` header. */
  readonly authorization: string
  readonly clock: Clock
  onOpen(): void
  /** Any event but `RESTResponse`; its `type` may be one nobody knows. */
  onEvent(event: AriEvent): void
  /** A frame that is no event: not JSON, or without a type. */
  onBrokenFrame(): void
  /** Exactly once, whoever ended the connection; nothing comes after it. */
  onLost(loss: Loss): void
}

/** One WebSocket to Asterisk, from its opening to its loss. It is never opened a second time. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #socket: WebSocket
  readonly #rest: RestOverSocket
  readonly #opening: Timer
  #heartbeat: Heartbeat | undefined
  #isOver = false

  constructor(options: ConnectionOptions) {
    const { address, app, authorization, clock } = options
    this.#options = options
    this.#socket = new WebSocket(`${address.socket}/events?app=${encodeURIComponent(app)}&subscribeAll=false`, {
      headers: { authorization },
      maxPayload: FRAME_BYTES_MAX,
      perMessageDeflate: false,
    })
    this.#rest = new RestOverSocket(clock, (frame) => this.#send(frame))
    this.#opening = clock.schedule(clock.nowMs() + OPENING_MAX_MS, () => this.#neverOpened('no answer'))
    this.#listen()
  }

  /** Asks over this socket. Answered with status 0 when the socket is, or goes, away. */
  request(request: RestRequest): Promise<AriAnswer> {
    const isOpen = !this.#isOver && this.#socket.readyState === WebSocket.OPEN
    return isOpen ? this.#rest.request(request) : Promise.resolve(noAnswer('not connected', 'no'))
  }

  /** Ends the connection at once, for a reason of ours. */
  end(loss: Loss): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#opening.cancel()
    this.#heartbeat?.stop()
    this.#socket.terminate()
    this.#options.onLost(loss)
    this.#rest.lose('the connection was lost')
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('open', () => this.#opened())
    socket.on('message', (data) => this.#take(String(data)))
    socket.on('pong', () => this.#heartbeat?.heard())
    socket.on('ping', () => this.#heartbeat?.heard())
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      const status = response.statusCode ?? 0
      if (status === 401 || status === 403) this.end({ kind: 'refused', why: `it answered ${status}` })
      else this.#neverOpened(`it answered ${status} where ARI should be`)
    })
    socket.on('error', (error) => {
      const why = (error as { code?: string }).code ?? error.message
      this.end({ kind: this.#heartbeat ? 'lost' : 'unreachable', why })
    })
    socket.on('close', (code) => this.end({ kind: 'lost', why: `the socket was closed (${code})` }))
  }

  #opened(): void {
    if (this.#isOver) return
    this.#opening.cancel()
    const dead = () => this.end({ kind: 'lost', why: 'no sign of life from the socket' })
    this.#heartbeat = new Heartbeat(this.#options.clock, () => this.#socket.ping(), dead)
    this.#options.onOpen()
  }

  #neverOpened(why: string): void {
    this.end({ kind: 'unreachable', why })
  }

  #take(text: string): void {
    if (this.#isOver) return
    this.#heartbeat?.heard()
    const event = eventOf(text)
    if (!event) this.#options.onBrokenFrame()
    else if (event.type === 'RESTResponse') this.#rest.take(event)
    else if (event.type === 'ApplicationReplaced') {
      this.end({ kind: 'replaced', why: `somebody else connected as application "${this.#options.app}"` })
    } else this.#options.onEvent(event)
  }

  #send(frame: string): void {
    // Failure to send is followed by 'close', which settles everything that waits.
    this.#socket.send(frame, () => undefined)
    if (this.#socket.bufferedAmount <= UNSENT_BYTES_MAX) return
    this.end({ kind: 'lost', why: `Asterisk left more than ${UNSENT_BYTES_MAX / 1024 / 1024} MiB unread` })
  }
}

/** An event, if the frame is one at least in form. Its fields are Asterisk's word. */
function eventOf(text: string): AriEvent | undefined {
  try {
    const event: unknown = JSON.parse(text)
    const hasType = typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
    return hasType ? (event as AriEvent) : undefined
  } catch {
    return undefined
  }
}
