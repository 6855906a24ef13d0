/** The agent's event socket: sends notifications as JSON, receives orders and answers them by their `id`. */
import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { AgentName } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { AgentOrder, OrderAnswer } from '../../ports/agent-desktop.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { keepAlive, perSecond } from '../sockets/keep-alive.ts'
import { isOwnOrigin, openDoor, orRefused, type Upgrade } from '../sockets/upgrade-doors.ts'
import { watchCredential } from '../sockets/watch-credential.ts'
import { fieldOf, notificationOut, readOrder } from './agent-schema.ts'
import { type Admission, type AgentTickets, stillOf } from './agent-tickets.ts'

type AgentSocketDependencies = Pick<RestDependencies, 'agentDesktop' | 'clock' | 'log'> & {
  readonly tickets: AgentTickets
  /** Origins of pages that may open it. A client without an origin is not a browser and is admitted. */
  readonly allowedOrigins: readonly string[]
}

const PATH = '/svcpbx/agents/me/events'
/** An order is a few hundred bytes. */
const FRAME_BYTES_MAX = 64 * 1024
/** F-J13. */
const ORDERS_PER_SECOND_MAX = 50
/** A client that does not read must not fill our memory. */
const UNSENT_BYTES_MAX = 1024 * 1024

/** Close codes of our own, RFC 6455 7.4.2. */
const NOT_IN_FORCE = 4001
const TOO_FAST = 4008
const TOO_SLOW = 4009

/** Serves the event socket beside an HTTP server. `close` ends every socket. */
export function agentSocket(server: Server, dependencies: AgentSocketDependencies): { close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX })
  const closeDoor = openDoor(server, PATH, async (upgrade) => {
    const admission = await orRefused(upgrade, async () => stillOf(admitted(upgrade, dependencies)))
    if (!admission) return
    const { request, stream, head } = upgrade
    sockets.handleUpgrade(request, stream, head, (socket) => serve(socket, admission, dependencies))
  })
  return {
    close: () => {
      closeDoor()
      for (const socket of sockets.clients) socket.close(1001, 'the node is stopping')
      sockets.close()
    },
  }
}

function admitted({ url, request }: Upgrade, dependencies: AgentSocketDependencies): Admission | undefined {
  const { tickets, clock, allowedOrigins } = dependencies
  if (!isOwnOrigin(request, allowedOrigins)) return undefined
  return tickets.take(url.searchParams.get('ticket') ?? '', clock.nowMs())
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
  const mayGoOn = perSecond(ORDERS_PER_SECOND_MAX, clock)
  socket.on('message', (data) => {
    if (!mayGoOn()) return socket.close(TOO_FAST, 'too many orders')
    const carry: Carry = (order) =>
      agentDesktop.order(agent, order).catch((error: unknown) => notNow(error, agent, log))
    // The default `binaryType` gives every message as one buffer.
    void carryOut(data as Buffer, carry).then(send)
  })
  socket.on('error', (error) => log.debug({ agent, why: error.message }, "an agent's event socket failed"))
  const stopPinging = keepAlive(socket, clock)
  const stopLooking = watchCredential(isStill, () => socket.close(NOT_IN_FORCE, 'the credential has ended'), clock)
  socket.on('close', () => {
    stopPinging()
    stopLooking()
    leave()
  })
}

type Carry = (order: AgentOrder) => Promise<OrderAnswer>

/** Invalid orders are answered like refused ones: the screen shows why. */
async function carryOut(message: Buffer, carry: Carry): Promise<object> {
  const order = readOrder(message)
  const answer: OrderAnswer = 'why' in order ? { ok: false, why: order.why } : await carry(order)
  const id = idOf(message)
  if (answer.ok || answer.about === undefined) return { type: 'answer', id, ...answer }
  return { type: 'answer', id, ok: false, why: answer.why, field: fieldOf(answer.about) }
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
