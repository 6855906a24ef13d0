/** What every socket of a client needs: it ends with its client, and is not flooded. */
import type { WebSocket } from 'ws'
import type { Clock } from '../../kernel/clock.ts'

const SECOND_MS = 1_000
const PING_EVERY_MS = 10_000

/** Ends a connection whose other side is gone without a word (RFC 6455 5.5.2). Returns how to stop. */
export function keepAlive(socket: WebSocket, clock: Clock): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const ping = () => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
    timer = clock.schedule(clock.nowMs() + PING_EVERY_MS, ping)
  }
  let timer = clock.schedule(clock.nowMs() + PING_EVERY_MS, ping)
  return () => timer.cancel()
}

/** Counts what comes. The answer is true as long as it is no more than `max` in this second. */
export function perSecond(max: number, clock: Clock): () => boolean {
  let secondBeganAtMs = clock.nowMs()
  let count = 0
  return () => {
    const nowMs = clock.nowMs()
    if (nowMs - secondBeganAtMs >= SECOND_MS) {
      secondBeganAtMs = nowMs
      count = 0
    }
    return ++count <= max
  }
}
