import type { Random } from '../kernel/random.ts'

const FIRST_MS = 200
const LONGEST_MS = 5_000

/**
 * The wait before connection attempt `attempt` (0 = the first after a loss): 0.2 s, doubling to 5 s. The result is
 * between half and the whole of it, to keep several engines from reconnecting in step.
 */
export function backoffMs(attempt: number, random: Random): number {
  const wholeMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16))
  return Math.round(wholeMs * (0.5 + random.next() / 2))
}
