/** The live stream: the WebSocket `GET /rest/core/stream` with the sub-protocol `switchboard.v1`. */
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { agentOf } from '../agents/agents.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { askerNow, LOOK_EVERY_MS } from '../http/in-force.ts'
import { pageOrigin } from '../http/session-cookie.ts'
import { isOwnOrigin, openDoor, orRefused, refuseUpgrade, type Upgrade } from '../sockets/upgrade-doors.ts'
import { leftPage } from './left-page.ts'
import type { LiveTopics, Reader } from './live-topics.ts'
import { BEAT_MS, CLOSE, type FindTopic, StreamSession } from './stream-session.ts'
import type { StreamTickets } from './stream-ticket.ts'

type Dependencies = Pick<
  RestDependencies,
  'clock' | 'credentials' | 'dialerRepository' | 'directory' | 'endpoint' | 'log' | 'secretBytes' | 'supervision'
> & {
  readonly streamTickets: StreamTickets
  readonly topics: Pick<LiveTopics, 'finder'>
  /** Origins of pages that may open it. A client without an origin is not a browser and is admitted. */
  readonly allowedOrigins: readonly string[]
}

const PATH = '/core/stream'
const PROTOCOL = 'switchboard.v1'
/** A frame of a client is a few hundred bytes; our choice, below the 1 MiB of a request. */
const FRAME_BYTES_MAX = 64 * 1024
const SOCKETS_EACH_MAX = 8
const PING_EVERY_MS = 10_000
/** Clients come back spread over their own delays. */
const RETRY_MS = 800

/** Serves the stream beside an HTTP server. `close` ends every connection. */
export function streamSocket(server: Server, dependencies: Dependencies): { close(): void } {
  const open = new Set<Connection>()
  const left = leftPage(dependencies)
  let isStopping = false
  const handleProtocols = () => PROTOCOL
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX, handleProtocols })
  const epoch = dependencies.secretBytes(12).toString('base64url')
  const closeDoor = openDoor(server, PATH, async (upgrade) => {
    const reader = await orRefused(upgrade, async () => {
      const given = admitted(upgrade, dependencies)
      return given && readerNow(dependencies, given)
    })
    if (!reader) return
    const own = [...open].filter((one) => one.owner === ownerOf(reader))
    if (own.length >= SOCKETS_EACH_MAX) return refuseUpgrade(upgrade.stream, '429 Too Many Requests')
    const { request, stream, head } = upgrade
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const ownPages = () => [...open].filter(({ owner }) => owner === ownerOf(reader))
      const onClose = () => {
        open.delete(connection)
        if (!isStopping) left(reader, () => ownPages().length > 0)
      }
      const onBoardLeft = () => {
        if (!isStopping) left(reader, () => ownPages().some(({ hasBoard }) => hasBoard))
      }
      const connection = new Connection(socket, reader, { dependencies, epoch, onClose, onBoardLeft })
      open.add(connection)
    })
  })
  // A revoked credential ends its connections at once; the look every few seconds is for a lost notification.
  const stopListening = dependencies.dialerRepository.onNotification((notification) => {
    if (notification === 'access') for (const connection of open) void connection.look()
  })
  return {
    close: () => {
      isStopping = true
      closeDoor()
      stopListening()
      for (const connection of open) connection.leave()
      sockets.close()
    },
  }
}

function ownerOf({ asker }: Reader): string {
  return asker.user ? `user ${asker.user.id}` : `credential ${asker.credential}`
}

function admitted({ request }: Upgrade, dependencies: Dependencies): Reader | undefined {
  const { streamTickets, clock, allowedOrigins } = dependencies
  const [protocol, ticket = ''] = String(request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/)
  // A page of this host is ours, by whatever name its person calls the host.
  const isOurs = isOwnOrigin(request, allowedOrigins) || pageOrigin(request.headers) !== undefined
  if (protocol !== PROTOCOL || !isOurs) return undefined
  const admission = streamTickets.take(ticket, clock.nowMs())
  const isOfAnotherPage = admission?.origin !== undefined && admission.origin !== request.headers.origin
  return isOfAnotherPage ? undefined : admission?.reader
}

interface ConnectionOptions {
  readonly dependencies: Dependencies
  readonly epoch: string
  readonly onClose: () => void
  /** A board was given up, also with the whole connection. */
  readonly onBoardLeft: () => void
}

class Connection {
  readonly owner: string
  readonly #socket: WebSocket
  readonly #dependencies: Dependencies
  readonly #session: StreamSession
  #reader: Reader
  #isAlive = true
  #boards = 0

  constructor(socket: WebSocket, reader: Reader, { dependencies, epoch, onClose, onBoardLeft }: ConnectionOptions) {
    this.owner = ownerOf(reader)
    this.#socket = socket
    this.#dependencies = dependencies
    this.#reader = reader
    const { clock, endpoint, topics, log } = dependencies
    const wire = {
      send: (frame: string) => {
        if (socket.readyState === socket.OPEN) socket.send(frame)
      },
      unsentBytes: () => socket.bufferedAmount,
      close: (code: number, why: string) => {
        socket.close(code, why)
        // A page that sleeps would not answer; its agent must not seem to be there for another half minute.
        if (code === CLOSE.silent) socket.terminate()
      },
    }
    const find = this.#boardsCounted(
      topics.finder(() => this.#reader),
      onBoardLeft,
    )
    const user = reader.asker.user?.id ?? null
    this.#session = new StreamSession({ clock, wire, find, epoch, node: endpoint, user })
    const stops = [
      this.#every(BEAT_MS, (lateMs) => this.#session.beat(lateMs)),
      this.#every(PING_EVERY_MS, () => this.#ping()),
      this.#every(LOOK_EVERY_MS, () => void this.look()),
    ]
    // The default `binaryType` gives every message as one buffer.
    socket.on('message', (data) => {
      if (socket.readyState === socket.OPEN) this.#session.receive(String(data as Buffer))
    })
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('error', (error) => log.debug({ owner: this.owner, why: error.message }, 'a live stream failed'))
    socket.on('close', () => {
      for (const stop of stops) stop()
      this.#session.close()
      onClose()
    })
  }

  /** Whether its page says to whom this person listens, and has the way to leave. */
  get hasBoard(): boolean {
    return this.#boards > 0
  }

  /** Reads the rights anew: ends the connection of an ended credential, and takes topics away. */
  async look(): Promise<void> {
    const reader = await readerNow(this.#dependencies, this.#reader)
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (!reader) {
      this.#session.bye('signedOut', RETRY_MS)
      return this.#socket.close(CLOSE.ended, 'the credential has ended')
    }
    this.#reader = reader
    this.#session.lookAtRights()
  }

  /** The node stops. */
  leave(): void {
    this.#session.bye('deploy', RETRY_MS)
    this.#socket.close(1001, 'the node is stopping')
  }

  /** The board on the wall is none of these: it has nothing to press. */
  #boardsCounted(find: FindTopic, onLeft: () => void): FindTopic {
    return (topic, args) => {
      const found = find(topic, args)
      if (typeof found === 'string' || topic !== 'board' || args['wall'] === true) return found
      const open = () => {
        const opened = found.open()
        this.#boards++
        const release = () => {
          this.#boards--
          opened.release()
          onLeft()
        }
        return { topic: opened.topic, release }
      }
      return { name: found.name, open }
    }
  }

  /** A client that went away without closing. */
  #ping(): void {
    if (!this.#isAlive) return this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  #every(intervalMs: number, work: (lateMs: number) => void): () => void {
    const { clock } = this.#dependencies
    const again = () => {
      const dueAtMs = clock.nowMs() + intervalMs
      return clock.schedule(dueAtMs, () => {
        timer = again()
        work(clock.nowMs() - dueAtMs)
      })
    }
    let timer = again()
    return () => timer.cancel()
  }
}

/** Undefined: the credential has ended. While the database is away, nothing changes. */
async function readerNow(dependencies: Dependencies, reader: Reader): Promise<Reader | undefined> {
  const asker = await askerNow(dependencies, reader.asker)
  return asker && { asker, agent: await agentOf(dependencies, asker).catch(() => reader.agent) }
}
