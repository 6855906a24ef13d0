/** The order in which lines are withdrawn, by the rules on short rings. */
import type { Lines } from './lines.ts'

/** A ring that ends before this is cut short: 16 CFR 310.4(b)(4)(ii). */
const MIN_RING_MS = 15_000

/** Whether a hang-up at that age cuts a ring short: the line rings, and not yet for 15 s. */
export function isShortRing(ageMs: number, postDialMs: number): boolean {
  return ageMs >= postDialMs && ageMs < postDialMs + MIN_RING_MS
}

/** Lines that do not ring yet, then those that rang for 15 s, then the youngest. Answered lines are never chosen. */
export function linesToWithdraw(lines: Lines, count: number, nowMs: number, postDialMs: number): number[] {
  const ageOf = (slot: number) => nowMs - lines.dialedAtMs[slot]!
  const rankOf = (slot: number) => {
    if (ageOf(slot) < postDialMs) return 0
    return isShortRing(ageOf(slot), postDialMs) ? 2 : 1
  }
  const byRank = (a: number, b: number) => rankOf(a) - rankOf(b) || ageOf(a) - ageOf(b) || a - b
  return lines.inFlight.list
    .filter((slot) => lines.answeredAtMs[slot] === 0)
    .sort(byRank)
    .slice(0, count)
}
