/** One beat a second for everything that counts time on a board. */
import { RealClock } from '../../kernel/clock.ts'

const SECOND_MS = 1_000
const clock = new RealClock()
const told = new Set<() => void>()
let next: { cancel(): void } | undefined

/** Tells once a second, all who want to know in one go; the answer ends it. */
export function everySecond(tell: () => void): () => void {
  told.add(tell)
  next ??= inASecond()
  return () => {
    told.delete(tell)
    if (told.size > 0) return
    next?.cancel()
    next = undefined
  }
}

function inASecond() {
  return clock.schedule(clock.nowMs() + SECOND_MS, () => {
    next = inASecond()
    for (const one of told) one()
  })
}
