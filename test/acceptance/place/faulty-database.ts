/** Stands between a service and its PostgreSQL, and lets a chosen statement fail there. */
import { createConnection, createServer, type Socket } from 'node:net'

/** A database that fails on demand. */
export interface FaultyDatabase {
  /** For `DATABASE_URL`. */
  readonly url: string
  /**
   * From the first statement that carries `mark` on, the one at this place fails on that connection (0: itself), as one
   * fails that the server does not understand. The result tells whether it was reached, and lets all others through.
   */
  failAt(place: number, mark: string): () => boolean
  /** Breaks every connection and takes no new one until `heal`. */
  refuse(): void
  heal(): void
  close(): Promise<void>
}

/** Messages of the client that make the server do something: Query, and Execute of a prepared statement. */
const DOING = ['Q', 'E']
const message = (type: string, text: string, end = Buffer.alloc(0)) => {
  const body = Buffer.concat([Buffer.from(`${text}\0`), end])
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const FAILING = { Q: message('Q', 'fail'), E: message('E', 'no such portal', Buffer.alloc(4)) }

interface Fault {
  readonly place: number
  readonly mark: string
  isReached: boolean
}

/** `socket`: that of the server behind it. */
export async function faultyDatabase(socket: string): Promise<FaultyDatabase> {
  const sockets = new Set<Socket>()
  let fault: Fault | undefined
  let isRefusing = false
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy()
    const far = createConnection(socket)
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
    }
    far.on('data', (bytes) => near.write(bytes))
    near.on(
      'data',
      passing(far, () => fault),
    )
  })
  const { promise, resolve } = Promise.withResolvers<number>()
  server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  const port = await promise
  const cut = () => {
    for (const one of sockets) one.destroy()
  }
  return {
    url: `postgres://switchboard@127.0.0.1:${port}/postgres`,
    failAt(place, mark) {
      const made: Fault = { place, mark, isReached: false }
      fault = made
      return () => {
        fault = undefined
        return made.isReached
      }
    },
    refuse() {
      isRefusing = true
      cut()
    },
    heal() {
      isRefusing = false
    },
    close() {
      cut()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

/** Passes messages on one by one (PostgreSQL protocol 3.0, message formats). */
function passing(far: Socket, faultNow: () => Fault | undefined): (bytes: Buffer) => void {
  let waiting = Buffer.alloc(0)
  let isStarted = false
  let marked: Fault | undefined
  let passed = 0
  const replaced = (one: Buffer) => {
    const fault = faultNow()
    if (!fault || !isStarted) return one
    if (marked !== fault && one.includes(fault.mark)) [marked, passed] = [fault, 0]
    const type = String.fromCharCode(one[0]!)
    if (marked !== fault || !DOING.includes(type) || passed++ !== fault.place) return one
    fault.isReached = true
    return FAILING[type as 'Q' | 'E']
  }
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes])
    for (;;) {
      // The first message has no type.
      const head = isStarted ? 1 : 0
      const length = waiting.length < head + 4 ? Number.POSITIVE_INFINITY : waiting.readUInt32BE(head) + head
      if (waiting.length < length) return
      far.write(replaced(waiting.subarray(0, length)))
      waiting = waiting.subarray(length)
      isStarted = true
    }
  }
}
