import type { Random } from '../kernel/random.ts'

const FIRST_MS = 200
const LONGEST_MS = 5_000

/** Attempt 0 is the first after a loss: half to all of 0.2 s, doubling to 5 s, to keep engines out of step. */
export function backoffMs(attempt: number, random: Random): number {
  const wholeMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16))
  return Math.round(wholeMs * (0.5 + random.next() / 2))
}
