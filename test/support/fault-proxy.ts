import { connect, createServer, type Socket } from 'node:net'

/** A TCP connection in the hands of bad luck: stands between the engine and its switch. */
export interface FaultProxy {
  readonly url: string
  /** Breaks every connection; new ones are taken at once. */
  cut(): void
  /** Breaks every connection and takes no new one until `heal`. */
  refuse(): void
  /** Breaks every connection; new ones are opened, and what is said on them after their HTTP request is dropped. */
  swallow(): void
  /** Connections of now stay open, and nothing that is said on them arrives any more. */
  silence(): void
  /** Whether somebody is connected. */
  isUsed(): boolean
  /** Bytes that were dropped so. */
  swallowed(): number
  heal(): void
  close(): Promise<void>
}

/** Listens on a free port of loopback and passes everything on to `target`. */
export function faultProxy(target: URL): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  let isRefusing = false
  let isSwallowing = false
  let swallowedBytes = 0
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy()
    const far = connect(Number(target.port), target.hostname)
    if (isSwallowing) {
      sockets.add(near)
      near.on('close', () => sockets.delete(near))
      return swallow(near, far, (bytes) => {
        swallowedBytes += bytes
      })
    }
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
      swallow: () => {
        isSwallowing = true
        cut()
      },
      silence: () => {
        for (const socket of sockets) {
          // Nor does one side hear that the other one has gone.
          socket.removeAllListeners('close').removeAllListeners('error').unpipe().resume()
          socket.on('error', () => {}).on('close', () => sockets.delete(socket))
        }
      },
      isUsed: () => sockets.size > 0,
      swallowed: () => swallowedBytes,
      heal: () => {
        isRefusing = false
        isSwallowing = false
      },
      close: () => {
        cut()
        return new Promise((closed) => server.close(() => closed()))
      },
    })
  })
  return promise
}

/** Passes the first words of each side on, and drops the rest. */
function swallow(near: Socket, far: Socket, dropped: (bytes: number) => void): void {
  near.on('error', () => {}).on('close', () => far.destroy())
  far.on('error', () => {}).once('data', (answer) => near.write(answer))
  near.once('data', (request) => {
    far.write(request)
    near.on('data', ({ length }) => dropped(length))
  })
}
