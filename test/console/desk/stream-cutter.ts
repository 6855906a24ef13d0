/** Stands between a browser and a node: the live stream or the phone can be cut off, while all other requests go on. */
import { connect, createServer, type Socket } from 'node:net'

export async function streamCutter(target: string) {
  const { hostname, port } = new URL(target)
  const streams = new Set<Socket>()
  const phones = new Set<Socket>()
  const sockets = new Set<Socket>()
  let isHeld = false
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    near.on('data', (bytes) => {
      if (bytes.includes('switchboard.v1')) streams.add(far)
      if (bytes.includes('GET /rest/core/phone')) phones.add(far)
      if (isHeld && streams.has(far)) return
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (!isHeld || !streams.has(far)) near.write(bytes)
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    /** Nothing passes on the stream any more, and nobody is told: a black hole. */
    hold() {
      isHeld = true
    },
    /** What was held is gone: the streams begin anew. */
    heal() {
      isHeld = false
      for (const far of streams) far.destroy()
      streams.clear()
    },
    /** Breaks what is open now; it may be opened again at once. */
    cut(what: 'stream' | 'phone') {
      const cut = what === 'stream' ? streams : phones
      for (const far of cut) far.destroy()
      cut.clear()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
