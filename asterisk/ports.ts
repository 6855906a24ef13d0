import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** Ports of the two kinds are counted apart. */
type PortKind = 'udp' | 'tcp'

/** The bound port: `port` itself, or one that the system chose for 0; undefined when it is in use. */
function bind(kind: PortKind, host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    if (kind === 'tcp') {
      const server = createServer()
      server.once('error', () => resolve(undefined))
      server.listen({ host, port, exclusive: true }, () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
      })
    } else {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
      socket.once('error', () => resolve(undefined))
      socket.bind({ address: host, port, exclusive: true }, () => {
        const address = socket.address()
        socket.close(() => resolve(address.port))
      })
    }
  })
}

/** Whether the port is free. Asterisk itself starts without its ports, with only a line in the log. */
export async function isFree(kind: PortKind, host: string, port: number): Promise<boolean> {
  return (await bind(kind, host, port)) !== undefined
}

/** Below the system's ephemeral ports (ip(7), `ip_local_port_range`), and above the well-known ones. */
const LENT_BY_US = { from: 28_000, to: 32_767 }
const TRIES_MAX = 100

/**
 * A port that was free a moment ago, for tests and demo; no other process that asks here gets it while this one lives.
 * `wanted`, where that is free. Not one that the system would choose: before it is used, or when its owner restarts,
 * the system may give an ephemeral port to any connection.
 */
export async function freePort(kind: PortKind, host: string, wanted?: number): Promise<number> {
  const isOurs = async (port: number) => (await isFree(kind, host, port)) && (await take(`${kind}-${port}`))
  if (wanted !== undefined && (await isOurs(wanted))) return wanted
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(LENT_BY_US.from, LENT_BY_US.to + 1)
    if (await isOurs(port)) return port
  }
  throw new Error(`no free ${kind} port at ${host}: is it an address of this machine?`)
}

/** Whether the name is this process's from now on: an abstract socket (unix(7)), which ends with its process. */
function take(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const holder = createServer().unref()
    holder.once('error', () => resolve(false))
    holder.listen(`\0switchboard-${name}`, () => resolve(true))
  })
}
