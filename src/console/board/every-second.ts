/** One beat a second for everything that counts time on a board. */
import { browserClock } from '../stream/browser-clock.ts'

const SECOND_MS = 1_000
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
  return browserClock.schedule(browserClock.nowMs() + SECOND_MS, () => {
    next = inASecond()
    for (const one of told) one()
  })
}
