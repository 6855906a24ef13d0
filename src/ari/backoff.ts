import type { Random } from '../kernel/random.ts'

const FIRST_MS = 200
const LONGEST_MS = 5_000

/**
 * How long to wait before connection attempt `attempt` (0 = the first after a loss): 0.2 s doubling to 5 s,
 * for ever. Between half and the whole of it, so that several engines do not return in step.
 */
export function backoffMs(attempt: number, random: Random): number {
  const wholeMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16))
  return Math.round(wholeMs * (0.5 + random.next() / 2))
}
