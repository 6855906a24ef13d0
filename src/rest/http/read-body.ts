import type { Readable } from 'node:stream'
import type { Clock } from '../../kernel/clock.ts'

export type BodyFault = 'too large' | 'too slow' | 'broken off'

type BodyReading = Buffer | BodyFault

/** A body of any size may take this long; after that it needs the minimum rate (F-I4). */
const GRACE_MS = 30_000
const BYTES_PER_SECOND_MIN = 1024

/** Two of the largest imports. Parsed, a body takes two to ten times its size; V8 ends a process at 2 to 4 GiB. */
const ROOM_BYTES = 128 * 1024 * 1024

/** Room of a node for large bodies (rest-55): one that is being read, parsed or carried out takes its size of it. */
export class BodyRoom {
  #freeBytes = ROOM_BYTES

  /** The place of one request; whoever asks for it leaves it in the end. */
  place(): BodyPlace {
    let heldBytes = 0
    return {
      take: (bytes) => {
        if (bytes > this.#freeBytes) return false
        this.#freeBytes -= bytes
        heldBytes += bytes
        return true
      },
      leave: () => {
        this.#freeBytes += heldBytes
        heldBytes = 0
      },
    }
  }
}

/** What the body of a request takes of the room. */
export interface BodyPlace {
  /** False: there is no room. */
  take(bytes: number): boolean
  leave(): void
}

/** Reads a body with limits on size and time. A refused body is not read to its end. */
export function readBody(stream: Readable, bytesMax: number, clock: Clock): Promise<BodyReading> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const finish = (reading: BodyReading) => {
      pace.cancel()
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      // The rest is discarded with the connection.
      if (typeof reading === 'string') stream.on('error', () => {}).pause()
      resolve(reading)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bytesMax) finish('too large')
      else chunks.push(chunk)
    }
    const onEnd = () => finish(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes))
    const onBroken = () => finish('broken off')
    const pace = paceOf(
      clock,
      () => bytes,
      () => finish('too slow'),
    )
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}

/** Calls `onTooSlow` once if the body arrives too slowly. */
export function paceOf(clock: Clock, bytes: () => number, onTooSlow: () => void): { cancel(): void } {
  const startedAtMs = clock.nowMs()
  const deadlineAtMs = () => startedAtMs + GRACE_MS + (bytes() / BYTES_PER_SECOND_MIN) * 1000
  const look = () => {
    if (clock.nowMs() >= deadlineAtMs()) onTooSlow()
    else timer = clock.schedule(deadlineAtMs(), look)
  }
  let timer = clock.schedule(deadlineAtMs(), look)
  return { cancel: () => timer.cancel() }
}

/** Of a refused body; our choice: more than any import. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024
const DISCARDED_MS_MAX = 5_000

/**
 * Reads what is left of a refused body and forgets it: many clients read the answer only when they have sent
 * everything, and one that is cut off meanwhile never sees it. False: too much or too slow; close the connection.
 */
export function discardRest(stream: Readable, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0
    const finish = (isWhole: boolean) => {
      timer.cancel()
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      if (!isWhole) stream.on('error', () => {}).pause()
      resolve(isWhole)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > DISCARDED_BYTES_MAX) finish(false)
    }
    const onEnd = () => finish(true)
    const onBroken = () => finish(false)
    const timer = clock.schedule(clock.nowMs() + DISCARDED_MS_MAX, onBroken)
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken).resume()
  })
}
