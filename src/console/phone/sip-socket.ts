/**
 * A WebSocket for JsSIP that asks for a ticket before each connection: tickets open a connection once, and JsSIP's own
 * socket opens the same address again and again.
 */
import type { Socket } from 'jssip/lib/Socket.js'

/** Close codes of the node (`src/rest/agents/phone-holders.ts`). */
const TAKEN_OVER = 4010
const SHIFT_OVER = 4011

/** JsSIP sets these, and calls the rest. */
type SocketHandlers = Pick<Socket, 'onconnect' | 'ondisconnect' | 'ondata'>

/** `url` is absolute. `closed` hears of a connection that the node ended for good. */
export function sipSocket(
  url: string,
  ticket: () => Promise<string>,
  closed: (why: 'taken' | 'shift.over') => void,
): Socket {
  const { protocol, host } = new URL(url)
  let socket: WebSocket | undefined
  let attempt = 0
  const open = (given: string, mine: number, handlers: SocketHandlers) => {
    if (mine !== attempt) return
    socket = new WebSocket(url, ['sip', given])
    socket.onopen = () => handlers.onconnect()
    socket.onmessage = ({ data }) => handlers.ondata(data)
    socket.onclose = ({ wasClean, code, reason }) => {
      if (mine !== attempt) return
      socket = undefined
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
    disconnect() {
      attempt += 1
      socket?.close()
      socket = undefined
    },
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
