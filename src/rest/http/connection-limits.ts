/** How many connections one address may hold (F-I4). Whoever sends nothing must not keep others from being served. */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { isAllowed, plainAddress } from './ip-allow-list.ts'

/** Of all addresses. */
const CONNECTIONS_MAX = 2_000
/** Of one address; half leaves room for the others. Many agents may share an address. Our choice. */
const PER_ADDRESS_MAX = CONNECTIONS_MAX / 2
/** Of one address, without a request yet: a client sends its request at once. Our choice. */
const SILENT_MAX = 100
/** Of all addresses, without a request yet: the oldest one makes room for the next. Our choice. */
const ALL_SILENT_MAX = CONNECTIONS_MAX / 2

interface Held {
  all: number
  silent: number
}

/** Destroys connections beyond the limits. Trusted proxies bring the connections of many clients and are exempt. */
export function limitConnections(server: Server, trustedProxies: readonly string[]): void {
  const held = new Map<string, Held>()
  /** From the oldest to the newest. */
  const silent = new Map<Socket, Held | undefined>()
  server.maxConnections = CONNECTIONS_MAX
  server.on('connection', (socket) => {
    if (silent.size >= ALL_SILENT_MAX) silent.keys().next().value?.destroy()
    const address = plainAddress(socket.remoteAddress ?? '')
    socket.once('close', () => speaks(socket))
    if (trustedProxies.length > 0 && isAllowed(address, trustedProxies)) return void silent.set(socket, undefined)
    const here = held.get(address) ?? { all: 0, silent: 0 }
    if (here.all >= PER_ADDRESS_MAX || here.silent >= SILENT_MAX) return void socket.destroy()
    held.set(address, here)
    here.all++
    here.silent++
    silent.set(socket, here)
    socket.once('close', () => {
      if (--here.all === 0) held.delete(address)
    })
  })
  const speaks = (socket: Socket) => {
    const here = silent.get(socket)
    if (here) here.silent--
    silent.delete(socket)
  }
  server.on('request', ({ socket }: IncomingMessage) => speaks(socket))
  server.on('upgrade', ({ socket }: IncomingMessage) => speaks(socket))
}
