/**
 * SIP of browsers: a WebSocket of the page is passed on to the switch, message by message (calls-and-flows-77). The
 * switch itself is reached by this machine only.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { sipUserOf } from '../../ports/browser-phones.ts'
import type { Admission } from './agent-tickets.ts'
import type { PhoneHolders } from './phone-holders.ts'
import { SHIFT_OVER } from './phone-holders.ts'
import { mayPass } from './sip-gate.ts'

/** Canonical, without `/rest`. */
export const PHONE_PATH = '/core/phone'

/** RFC 7118. */
const SIP = 'sip'
/** An INVITE with its SDP is 5 KB; Asterisk takes 64 KiB. */
const MESSAGE_BYTES_MAX = 64 * 1024
/** A phone says a few words a minute. */
const MESSAGES_PER_SECOND_MAX = 50
const SECOND_MS = 1_000
/** While the switch is being connected. */
const EARLY_MESSAGES_MAX = 10
const UNSENT_BYTES_MAX = 1024 * 1024
const PING_EVERY_MS = 10_000

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
  /** Of the ticket in the sub-protocols; undefined: refused. */
  readonly admit: (ticket: string) => Admission | undefined
  /** Watches the credential; returns how to stop. */
  readonly watch: (isStill: Admission['isStill'], ended: () => void) => () => void
}

/** Where upgrades of `PHONE_PATH` go. `upgrade` answers false if it was refused: the stream is the caller's. */
export function phoneSocket(options: PhoneSocketOptions) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    handleProtocols: () => SIP,
  })
  return {
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): boolean {
      const [first, ticket = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
      const admission = first === SIP ? options.admit(ticket) : undefined
      if (!admission) return false
      server.handleUpgrade(request, stream, head, (socket) => passOn(socket, admission, options))
      return true
    },
    close() {
      options.holders.close()
      server.close()
    },
  }
}

function passOn(near: WebSocket, { agent, isStill }: Admission, options: PhoneSocketOptions): void {
  const { holders, signallingUrl, log } = options
  const forget = holders.connected(agent, near)
  if (!forget) return near.close(SHIFT_OVER, 'ask for the phone first')
  const isHere = new URL(signallingUrl).hostname.startsWith('127.')
  const far = new WebSocket(signallingUrl, SIP, {
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    ...(isHere && { localAddress: OWN_ADDRESS }),
  })
  const early: string[] = []
  const mayGoOn = limited(options.clock)
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
  const stopWatching = options.watch(isStill, () => void holders.revoke(agent))
  near.on('close', () => {
    stopPinging()
    stopWatching()
    forget()
    // Asterisk removes the contact of a connection that has ended.
    far.terminate()
  })
}

/** True as long as the messages of this second are not too many. */
function limited(clock: Clock): () => boolean {
  let secondBeganAtMs = clock.nowMs()
  let messages = 0
  return () => {
    const nowMs = clock.nowMs()
    if (nowMs - secondBeganAtMs >= SECOND_MS) {
      secondBeganAtMs = nowMs
      messages = 0
    }
    return ++messages <= MESSAGES_PER_SECOND_MAX
  }
}

/** Ends a connection whose other side is gone without a word. */
function keepAlive(socket: WebSocket, clock: Clock): () => void {
  let isAlive = true
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
  return () => timer.cancel()
}
