/** The WebSockets of a server, by their paths. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { canonicalPath } from '../http/canonical-path.ts'

/** A request to become a WebSocket. */
export interface Upgrade {
  readonly url: URL
  readonly request: IncomingMessage
  readonly stream: Duplex
  readonly head: Buffer
}

/** Does not reject. */
type Enter = (upgrade: Upgrade) => Promise<void>
type Doors = Map<string, Enter>

const doorsOf = new WeakMap<Server, Doors>()

/** Passes the upgrades of a canonical path on; all other paths of the server are refused. Returns how to end it. */
export function openDoor(server: Server, path: string, enter: Enter): () => void {
  const doors = doorsOf.get(server) ?? guarded(server)
  doors.set(path, enter)
  return () => void doors.delete(path)
}

function guarded(server: Server): Doors {
  const doors: Doors = new Map()
  doorsOf.set(server, doors)
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const url = URL.parse(request.url ?? '/', 'http://node')
    const enter = url && doors.get(canonicalPath(url.pathname))
    if (url && enter) void enter({ url, request, stream, head })
    else refuseUpgrade(stream)
  })
  return doors
}

/** The answer 401 is the same for every reason, and reveals none. */
export function refuseUpgrade(stream: Duplex, status = '401 Unauthorized'): void {
  // Node does not handle errors of an upgraded stream: a lost client must not end the process.
  stream.on('error', () => {})
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/**
 * What `look` finds, such as whether a credential is still in force: a ticket outlives a sign-out by half a minute.
 * Undefined: refused by now, or the client has gone meanwhile.
 */
export async function orRefused<T>({ stream }: Upgrade, look: () => Promise<T | undefined>): Promise<T | undefined> {
  const ignore = () => {}
  stream.on('error', ignore)
  const found = await look()
  stream.off('error', ignore)
  if (found === undefined) refuseUpgrade(stream)
  return found
}

/** Programs send no origin; a page's must be one of ours: a known one, or that of the host that was asked. */
export function isOwnOrigin({ headers }: IncomingMessage, allowedOrigins: readonly string[]): boolean {
  const { origin, host } = headers
  if (origin === undefined || allowedOrigins.includes(origin)) return true
  return host !== undefined && URL.parse(origin)?.host === host.replace(/:(80|443)$/, '')
}
