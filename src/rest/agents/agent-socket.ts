/** The agent's event socket: sends notifications as JSON, receives orders and answers them by their `id`. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { AgentOrder } from '../../ports/agent-desktop.ts'
import { canonicalPath } from '../http/canonical-path.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { LOOK_EVERY_MS } from '../http/in-force.ts'
import type { AgentPhones } from './agent-phone.ts'
import { notificationOut, readOrder } from './agent-schema.ts'
import type { Admission, AgentTickets } from './agent-tickets.ts'
import { PHONE_PATH, phoneSocket } from './phone-socket.ts'

type AgentSocketDependencies = Pick<RestDependencies, 'agentDesktop' | 'clock' | 'log'> & {
  readonly tickets: AgentTickets
  /** Origins of pages that may open it. A client without an origin is not a browser and is admitted. */
  readonly allowedOrigins: readonly string[]
  /** Phones in browsers have a socket of their own beside it. */
  readonly phones?: (AgentPhones & { readonly signallingUrl: string }) | undefined
}

const PATH = '/svcpbx/agents/me/events'
/** An order is a few hundred bytes. */
const FRAME_BYTES_MAX = 64 * 1024
/** F-J13. */
const ORDERS_PER_SECOND_MAX = 50
const SECOND_MS = 1_000
const PING_EVERY_MS = 10_000
/** A client that does not read must not fill our memory. */
const UNSENT_BYTES_MAX = 1024 * 1024

/** Close codes of our own, RFC 6455 7.4.2. */
const NOT_IN_FORCE = 4001
const TOO_FAST = 4008
const TOO_SLOW = 4009

/** Serves the event socket, and that of phones, beside an HTTP server. `close` ends every socket. */
export function agentSocket(server: Server, dependencies: AgentSocketDependencies): { close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX })
  const phones = dependencies.phones && phonesBeside(dependencies, dependencies.phones)
  const upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const url = URL.parse(request.url ?? '/', 'http://node')
    if (!url || !isFromOurPages(request, dependencies)) return refuse(stream)
    const path = canonicalPath(url.pathname)
    if (path === PHONE_PATH && phones?.upgrade(request, stream, head)) return
    const admission = path === PATH ? takeTicket(dependencies, url.searchParams.get('ticket')) : undefined
    if (!admission) return refuse(stream)
    sockets.handleUpgrade(request, stream, head, (socket) => serve(socket, admission, dependencies))
  }
  server.on('upgrade', upgrade)
  return {
    close: () => {
      server.off('upgrade', upgrade)
      phones?.close()
      for (const socket of sockets.clients) socket.close(1001, 'the node is stopping')
      sockets.close()
    },
  }
}

function isFromOurPages(
  { headers: { origin } }: IncomingMessage,
  { allowedOrigins }: AgentSocketDependencies,
): boolean {
  return origin === undefined || allowedOrigins.includes(origin)
}

function takeTicket({ tickets, clock }: AgentSocketDependencies, ticket: string | null): Admission | undefined {
  return tickets.take(ticket ?? '', clock.nowMs())
}

function phonesBeside(
  dependencies: AgentSocketDependencies,
  { holders, signallingUrl }: NonNullable<AgentSocketDependencies['phones']>,
) {
  const { clock, log } = dependencies
  const admit = (ticket: string) => takeTicket(dependencies, ticket)
  const watch = (isStill: Admission['isStill'], ended: () => void) => watchCredential(isStill, ended, clock)
  return phoneSocket({ holders, signallingUrl, clock, log, admit, watch })
}

/** The answer is the same for every reason, and reveals none. */
function refuse(stream: Duplex): void {
  // Node does not handle errors of an upgraded stream: a lost client must not end the process.
  stream.on('error', () => {})
  stream.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

/** Calls `ended` soon after the credential has ended. Returns how to stop looking. */
function watchCredential(isStill: Admission['isStill'], ended: () => void, clock: Clock): () => void {
  let isOver = false
  const look = async () => {
    if (!(await isStill())) return ended()
    if (!isOver) timer = clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => void look())
  }
  let timer = clock.schedule(clock.nowMs() + LOOK_EVERY_MS, () => void look())
  return () => {
    isOver = true
    timer.cancel()
  }
}

function serve(
  socket: WebSocket,
  { agent, isStill }: Admission,
  { agentDesktop, clock, log }: AgentSocketDependencies,
): void {
  const send = (message: object) => {
    if (socket.bufferedAmount > UNSENT_BYTES_MAX) socket.close(TOO_SLOW, 'notifications are not read')
    else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const leave = agentDesktop.attach(agent, (notification) => send(notificationOut(notification)))
  let secondBeganAtMs = clock.nowMs()
  let orders = 0
  let isAlive = true
  socket.on('message', (data) => {
    const nowMs = clock.nowMs()
    if (nowMs - secondBeganAtMs >= SECOND_MS) {
      secondBeganAtMs = nowMs
      orders = 0
    }
    if (++orders > ORDERS_PER_SECOND_MAX) return socket.close(TOO_FAST, 'too many orders')
    const carry: Carry = (order) =>
      agentDesktop.order(agent, order).catch((error: unknown) => notNow(error, agent, log))
    // The default `binaryType` gives every message as one buffer.
    void carryOut(data as Buffer, carry).then(send)
  })
  socket.on('pong', () => {
    isAlive = true
  })
  const ping = () => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
    timer = clock.schedule(clock.nowMs() + PING_EVERY_MS, ping)
  }
  let timer = clock.schedule(clock.nowMs() + PING_EVERY_MS, ping)
  socket.on('error', (error) => log.debug({ agent, why: error.message }, "an agent's event socket failed"))
  const stopLooking = watchCredential(isStill, () => socket.close(NOT_IN_FORCE, 'the credential has ended'), clock)
  socket.on('close', () => {
    timer.cancel()
    stopLooking()
    leave()
  })
}

type Carry = (order: AgentOrder) => Promise<{ ok: boolean; why?: string }>

/** Invalid orders are answered like refused ones: the screen shows why. */
async function carryOut(message: Buffer, carry: Carry): Promise<object> {
  const order = readOrder(message)
  return { type: 'answer', id: idOf(message), ...('why' in order ? { ok: false, why: order.why } : await carry(order)) }
}

/** An order failed, for example because the database is unavailable. The agent may try again. */
function notNow(error: unknown, agent: AgentName, log: Log): { ok: false; why: string } {
  log.error({ agent, err: error }, "an agent's order failed")
  return { ok: false, why: 'the order failed; try again' }
}

/** Also of a message that is refused: its sender waits for the answer. */
function idOf(message: Buffer): unknown {
  try {
    return (JSON.parse(String(message)) as { readonly id?: unknown } | null)?.id ?? null
  } catch {
    return null
  }
}
