import { connect, createServer, type Socket } from 'node:net'

/** A TCP connection in the hands of bad luck: stands between the engine and its switch. */
export interface FaultProxy {
  readonly url: string
  /** Breaks every connection; new ones are taken at once. */
  cut(): void
  /** Breaks every connection and takes no new one until `heal`. */
  refuse(): void
  heal(): void
  close(): Promise<void>
}

/** Listens on a free port of loopback and passes everything on to `target`. */
export function faultProxy(target: URL): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  let isRefusing = false
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const { promise, resolve } = Promise.withResolvers<FaultProxy>()
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number }
    resolve({
      url: `http://127.0.0.1:${port}`,
      cut,
      refuse: () => {
        isRefusing = true
        cut()
      },
      heal: () => {
        isRefusing = false
      },
      close: () => {
        cut()
        return new Promise((closed) => server.close(() => closed()))
      },
    })
  })
  return promise
}
