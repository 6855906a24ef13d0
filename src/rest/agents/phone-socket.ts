/**
 * SIP of browsers: a WebSocket of the page is passed on to the switch, message by message (calls-and-flows-77). The
 * switch itself is reached by this machine only.
 */
import type { Server } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { sipUserOf } from '../../ports/browser-phones.ts'
import { keepAlive, perSecond } from '../sockets/keep-alive.ts'
import { isOwnOrigin, openDoor, orRefused, type Upgrade } from '../sockets/upgrade-doors.ts'
import { watchCredential } from '../sockets/watch-credential.ts'
import { type Admission, type AgentTickets, stillOf } from './agent-tickets.ts'
import type { PhoneHolders } from './phone-holders.ts'
import { mayPass } from './sip-gate.ts'

/** Canonical, without `/rest`. */
export const PHONE_PATH = '/core/phone'

/** RFC 7118. */
const SIP = 'sip'
/** An INVITE with its SDP is 5 KB; Asterisk takes 64 KiB. */
const MESSAGE_BYTES_MAX = 64 * 1024
/** A phone says a few words a minute. */
const MESSAGES_PER_SECOND_MAX = 50
/** While the switch is being connected. */
const EARLY_MESSAGES_MAX = 10
const UNSENT_BYTES_MAX = 1024 * 1024

const TOO_FAST = 4008
const TOO_SLOW = 4009
const NO_SWITCH = 4012
const NOT_A_PHONE = 4013

/**
 * Asterisk knows trunks by their addresses, and one of this machine may have 127.0.0.1: what comes from a browser must
 * not look like it. Any address of 127.0.0.0/8 is ours (RFC 1122 3.2.1.3).
 */
const OWN_ADDRESS = '127.83.66.1'

interface PhoneSocketOptions {
  readonly holders: PhoneHolders
  readonly signallingUrl: string
  readonly clock: Clock
  readonly log: Log
  readonly tickets: AgentTickets
  /** Origins of pages that may open it. A client without an origin is not a browser and is admitted. */
  readonly allowedOrigins: readonly string[]
}

/** Serves `PHONE_PATH` beside an HTTP server. `close` ends every phone. */
export function phoneSocket(server: Server, options: PhoneSocketOptions): { close(): void } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    handleProtocols: () => SIP,
  })
  const closeDoor = openDoor(server, PHONE_PATH, async (upgrade) => {
    const admission = await orRefused(upgrade, async () => stillOf(admitted(upgrade, options)))
    if (!admission) return
    const { request, stream, head } = upgrade
    sockets.handleUpgrade(request, stream, head, (socket) => passOn(socket, admission, options))
  })
  return {
    close() {
      closeDoor()
      options.holders.close()
      sockets.close()
    },
  }
}

/** The ticket is the second sub-protocol. */
function admitted({ request }: Upgrade, { tickets, clock, allowedOrigins }: PhoneSocketOptions): Admission | undefined {
  const [first, ticket = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
  return first === SIP && isOwnOrigin(request, allowedOrigins) ? tickets.take(ticket, clock.nowMs()) : undefined
}

function passOn(near: WebSocket, { agent, isStill }: Admission, options: PhoneSocketOptions): void {
  const { holders, signallingUrl, log } = options
  const forget = holders.connected(agent, near)
  const isHere = new URL(signallingUrl).hostname.startsWith('127.')
  const far = new WebSocket(signallingUrl, SIP, {
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    ...(isHere && { localAddress: OWN_ADDRESS }),
  })
  const early: string[] = []
  const mayGoOn = perSecond(MESSAGES_PER_SECOND_MAX, options.clock)
  near.on('message', (data) => {
    if (!mayGoOn()) return near.close(TOO_FAST, 'too many messages')
    if (!mayPass(String(data), sipUserOf(agent))) return near.close(NOT_A_PHONE, 'a phone does not say this')
    if (far.readyState === far.OPEN) far.send(String(data))
    else if (early.push(String(data)) > EARLY_MESSAGES_MAX) near.close(NO_SWITCH, 'the switch does not answer')
  })
  far.on('open', () => {
    for (const message of early.splice(0)) far.send(message)
  })
  far.on('message', (data) => {
    if (near.bufferedAmount > UNSENT_BYTES_MAX) near.close(TOO_SLOW, 'messages are not read')
    else near.send(String(data))
  })
  far.on('error', (error) => log.warn({ agent, why: error.message }, 'a phone in a browser cannot reach the switch'))
  far.on('close', () => near.close(NO_SWITCH, 'the switch is away'))
  near.on('error', (error) => log.debug({ agent, why: error.message }, 'the connection of a phone failed'))
  const stopPinging = keepAlive(near, options.clock)
  const stopWatching = watchCredential(isStill, () => void holders.revoke(agent), options.clock)
  near.on('close', () => {
    stopPinging()
    stopWatching()
    forget()
    // Asterisk removes the contact of a connection that has ended.
    far.terminate()
  })
}
