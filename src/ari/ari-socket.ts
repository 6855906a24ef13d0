import { WebSocket } from 'ws'
import type { Clock, Timer } from '../kernel/clock.ts'
import type { AriAddress } from './address.ts'
import type { AriEvent } from './ari-types.ts'
import { Heartbeat } from './heartbeat.ts'
import { type AriAnswer, noAnswer, type RestRequest } from './operation.ts'
import { RestOverSocket } from './rest-over-socket.ts'

/** F-A6. An event is about 1 kB; a frame a thousand times longer is not one. */
const FRAME_BYTES_MAX = 1024 * 1024
const OPENING_MAX_MS = 3_000

/** With more unsent bytes than this, Asterisk does not read, and the connection counts as dead. */
const UNSENT_BYTES_MAX = 8 * 1024 * 1024

/**
 * `unreachable`: never opened. `refused`: user, password or rights. `unfit`: lacks what calls need. `replaced`: another
 * client took our name.
 */
export interface Loss {
  readonly kind: 'unreachable' | 'refused' | 'unfit' | 'lost' | 'replaced'
  readonly why: string
}

/** Also the answer of an Asterisk that is starting. */
const NO_EVENTS = '; compare ARI_URL, and whether res_ari and res_ari_events are loaded'

interface AriSocketOptions {
  readonly address: AriAddress
  readonly app: string
  readonly authorization: string
  readonly clock: Clock
  onOpen(): void
  /** Any event but `RESTResponse`; its `type` may be unknown. */
  onEvent(event: AriEvent): void
  /** A frame that is not an event: not JSON, or without a type. */
  onBrokenFrame(): void
  /** Exactly once, whatever ended the connection; no call follows. */
  onLost(loss: Loss): void
}

/** One WebSocket to Asterisk, from its opening to its loss. It never reopens. */
export class AriSocket {
  readonly #options: AriSocketOptions
  readonly #socket: WebSocket
  readonly #rest: RestOverSocket
  readonly #opening: Timer
  #heartbeat: Heartbeat | undefined
  #isOver = false

  constructor(options: AriSocketOptions) {
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

  /** Sends over this socket. Answers with status 0 when the socket is closed or closes. */
  request(request: RestRequest): Promise<AriAnswer> {
    const isOpen = !this.#isOver && this.#socket.readyState === WebSocket.OPEN
    return isOpen ? this.#rest.request(request) : Promise.resolve(noAnswer('not connected', 'no'))
  }

  /** Ends the connection at once, for a reason on our side. */
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
      else this.#neverOpened(`it answered ${status} where ARI should be${status === 404 ? NO_EVENTS : ''}`)
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
      this.end({ kind: 'replaced', why: `another client connected as application "${this.#options.app}"` })
    } else this.#options.onEvent(event)
  }

  #send(frame: string): void {
    // A failed send is followed by 'close', which settles all waiting requests.
    this.#socket.send(frame, () => undefined)
    if (this.#socket.bufferedAmount <= UNSENT_BYTES_MAX) return
    this.end({ kind: 'lost', why: `Asterisk left more than ${UNSENT_BYTES_MAX / 1024 / 1024} MiB unread` })
  }
}

/** The event, if the frame has the form of one. Its fields are not checked. */
function eventOf(text: string): AriEvent | undefined {
  try {
    const event: unknown = JSON.parse(text)
    const hasType = typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
    return hasType ? (event as AriEvent) : undefined
  } catch {
    return undefined
  }
}
