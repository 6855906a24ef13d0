/**
 * A WebSocket for JsSIP that asks for a ticket before each connection: tickets open a connection once, and JsSIP's own
 * socket opens the same address again and again.
 */
import type { Socket } from 'jssip/lib/Socket.js'
import type { Clock, Timer } from '../../kernel/clock.ts'
import { PHONE_LIMITS } from './phone-messages.ts'

/** Close codes of the node (`src/rest/agents/phone-holders.ts`). */
const TAKEN_OVER = 4010
const SHIFT_OVER = 4011

/** JsSIP sets these, and calls the rest. */
type SocketHandlers = Pick<Socket, 'onconnect' | 'ondisconnect' | 'ondata'>

interface SipSocketOptions {
  /** Absolute. */
  readonly url: string
  readonly clock: Clock
  readonly ticket: () => Promise<string>
  /** Hears of a connection that the node ended for good. */
  readonly closed: (why: 'taken' | 'shift.over') => void
}

/** Where nothing is answered on a connection, JsSIP is told that it ended: it would wait for 32 s, and give up. */
export function sipSocket({ url, clock, ticket, closed }: SipSocketOptions): Socket {
  const { protocol, host } = new URL(url)
  let socket: WebSocket | undefined
  let attempt = 0
  let unanswered: Timer | undefined
  /** Nothing is told of the connection any more. */
  const leave = () => {
    attempt += 1
    unanswered?.cancel()
    socket?.close()
    socket = undefined
  }
  const open = (given: string, mine: number, handlers: SocketHandlers) => {
    if (mine !== attempt) return
    const mySocket = new WebSocket(url, ['sip', given])
    socket = mySocket
    mySocket.onopen = () => {
      unanswered = clock.schedule(clock.nowMs() + PHONE_LIMITS.unansweredMs, () => {
        leave()
        handlers.ondisconnect(true, undefined, 'no answer')
      })
      handlers.onconnect()
    }
    mySocket.onmessage = ({ data }) => {
      unanswered?.cancel()
      handlers.ondata(data)
    }
    mySocket.onclose = ({ wasClean, code, reason }) => {
      if (mine !== attempt) return
      leave()
      if (code === TAKEN_OVER) return closed('taken')
      if (code === SHIFT_OVER) return closed('shift.over')
      handlers.ondisconnect(!wasClean, code, reason)
    }
  }
  return {
    url,
    via_transport: protocol === 'wss:' ? 'WSS' : 'WS',
    sip_uri: `sip:${host};transport=ws`,
    connect() {
      if (socket) return
      const mine = ++attempt
      ticket().then(
        (given) => open(given, mine, this),
        () => mine === attempt && this.ondisconnect(true, undefined, 'no ticket'),
      )
    },
    disconnect: leave,
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(message as string)
      return true
    },
    isConnected: () => socket?.readyState === WebSocket.OPEN,
    isConnecting: () => socket?.readyState === WebSocket.CONNECTING,
    onconnect() {},
    ondisconnect() {},
    ondata() {},
  }
}
