/** Which lines are hung up first when a policy takes some back: the lawful order, and what counts as a short ring. */
import type { Lines } from './lines.ts'

/** A ring shorter than that is cut short: 16 CFR 310.4(b)(4)(ii). */
const MIN_RING_MS = 15_000

/** Whether hanging up at that age cuts a ring short: it rings, and not yet for 15 s. */
export function isShortRing(ageMs: number, postDialMs: number): boolean {
  return ageMs >= postDialMs && ageMs < postDialMs + MIN_RING_MS
}

/** Those that do not ring yet, then those that rang for 15 s, then the youngest. Answered ones are left alone. */
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
