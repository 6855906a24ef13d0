import type { Readable } from 'node:stream'
import type { Clock } from '../../kernel/clock.ts'
import { type BodyFault, paceOf } from './read-body.ts'

/** The body was refused; the rest of it is not read. */
export class BodyRefused extends Error {
  readonly fault: BodyFault

  constructor(fault: BodyFault) {
    super(`the body is ${fault}`)
    this.fault = fault
  }
}

/** Throws `BodyRefused` if too large, too slow or incomplete. The stream stays: the response uses its connection. */
export async function* bodyPieces(stream: Readable, bytesMax: number, clock: Clock): AsyncGenerator<Buffer> {
  const arrived: (Buffer | BodyFault | 'end')[] = []
  let onArrived: () => void = () => {}
  const put = (what: Buffer | BodyFault | 'end') => {
    arrived.push(what)
    onArrived()
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
      if (arrived.length === 0) {
        const arrival = new Promise<void>((resolve) => {
          onArrived = resolve
        })
        stream.resume()
        await arrival
      }
      const next = arrived.shift()!
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
