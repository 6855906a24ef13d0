import type { Readable } from 'node:stream'
import type { Clock } from '../../kernel/clock.ts'
import { type BodyFault, paceOf } from './read-body.ts'

/** The body is not taken; nothing more of it is read. */
export class BodyRefused extends Error {
  readonly fault: BodyFault

  constructor(fault: BodyFault) {
    super(`the body is ${fault}`)
    this.fault = fault
  }
}

/**
 * A body as it comes, no faster than it is asked for. Throws `BodyRefused` for one that is too large, too slow or cut
 * off; the stream itself is left as it is, because the answer goes over the same connection.
 */
export async function* bodyPieces(stream: Readable, bytesMax: number, clock: Clock): AsyncGenerator<Buffer> {
  const came: (Buffer | BodyFault | 'end')[] = []
  let onCome: () => void = () => {}
  const put = (what: Buffer | BodyFault | 'end') => {
    came.push(what)
    onCome()
  }
  let bytes = 0
  const onData = (piece: Buffer) => {
    bytes += piece.length
    stream.pause()
    put(bytes > bytesMax ? 'too large' : piece)
  }
  const onEnd = () => put('end')
  const onBroken = () => put('broken off')
  const pace = paceOf(
    clock,
    () => bytes,
    () => put('too slow'),
  )
  stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  try {
    for (;;) {
      if (came.length === 0) {
        const coming = new Promise<void>((resolve) => {
          onCome = resolve
        })
        stream.resume()
        await coming
      }
      const next = came.shift()!
      if (next === 'end') return
      if (typeof next === 'string') throw new BodyRefused(next)
      yield next
    }
  } finally {
    pace.cancel()
    stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
    stream.on('error', () => {}).pause()
  }
}
