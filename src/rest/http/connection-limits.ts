/** How many connections one address may hold (F-I4). Whoever sends nothing must not keep others from being served. */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { isAllowed, plainAddress } from './ip-allow-list.ts'

/** Of all addresses. */
const CONNECTIONS_MAX = 2_000
/** Of one address; half leaves room for the others. Many agents may share an address. Our choice. */
const PER_ADDRESS_MAX = CONNECTIONS_MAX / 2
/**
 * Of all addresses, without a request yet: the oldest one makes room for the next. There is no such limit of one
 * address: a busy node accepts the connections of a burst long before it reads their requests. Our choice.
 */
const SILENT_MAX = CONNECTIONS_MAX / 2

/** Destroys connections beyond the limits. Trusted proxies bring the connections of many clients and are exempt. */
export function limitConnections(server: Server, trustedProxies: readonly string[]): void {
  const held = new Map<string, number>()
  /** From the oldest to the newest. */
  const silent = new Set<Socket>()
  server.maxConnections = CONNECTIONS_MAX
  server.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    if (!(trustedProxies.length > 0 && isAllowed(address, trustedProxies))) {
      const count = held.get(address) ?? 0
      if (count >= PER_ADDRESS_MAX) return void socket.destroy()
      held.set(address, count + 1)
      socket.once('close', () => leave(address))
    }
    for (const oldest of silent) {
      if (silent.size < SILENT_MAX) break
      silent.delete(oldest.destroy())
    }
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  const leave = (address: string) => {
    const count = held.get(address)! - 1
    if (count > 0) held.set(address, count)
    else held.delete(address)
  }
  server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket))
  server.on('upgrade', ({ socket }: IncomingMessage) => silent.delete(socket))
}
