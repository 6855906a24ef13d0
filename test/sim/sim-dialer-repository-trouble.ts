import type { AtMs } from '../../src/kernel/clock.ts'
import { type Random, randomInt } from '../../src/kernel/random.ts'

/** How much goes wrong, each as a chance from 0 to 1 for one request. */
export interface RepositoryFaults {
  /** It is never applied, and rejected. */
  readonly before: number
  /** It is applied, and rejected all the same: an unknown commit (F-D7). */
  readonly after: number
  /** It takes `slowMs` longer, on the way there or back; rejected where that is longer than anybody waits (F-D4). */
  readonly slow: number
  readonly slowMs: readonly [from: number, to: number]
}

/** A time without database; requests in flight are applied, and their responses lost (F-D2). */
export interface Away {
  readonly fromAtMs: AtMs
  readonly untilAtMs: AtMs
}

/** What becomes of one request. */
export interface Fate {
  readonly thereMs: number
  readonly backMs: number
  readonly strikes: 'before' | 'after' | 'never'
}

/** No statement of the dial path may take longer (F-D4). */
export const STATEMENT_TIMEOUT_MS = 3_000

/** Nothing goes wrong. */
export const NO_FAULTS: RepositoryFaults = { before: 0, after: 0, slow: 0, slowMs: [0, 0] }

/** Draws the fate of a request. Each takes the same number of draws: one fault does not move all others. */
export function drawFate(random: Random, latencyMs: readonly [number, number], faults: RepositoryFaults): Fate {
  const there = randomInt(random, ...latencyMs)
  const back = randomInt(random, ...latencyMs)
  const [chance, slowChance, side] = [random.next(), random.next(), random.next()]
  const slowMs = randomInt(random, ...faults.slowMs)
  const strikes = chance < faults.before ? 'before' : chance < faults.before + faults.after ? 'after' : 'never'
  if (slowChance >= faults.slow) return { thereMs: there, backMs: back, strikes }
  const isTooSlow = slowMs >= STATEMENT_TIMEOUT_MS
  const waitMs = Math.min(slowMs, STATEMENT_TIMEOUT_MS)
  if (side < 0.5) return { thereMs: there + waitMs, backMs: back, strikes: isTooSlow ? 'before' : strikes }
  return { thereMs: there, backMs: back + waitMs, strikes: isTooSlow && strikes === 'never' ? 'after' : strikes }
}

/** Whether the database is unavailable at an instant. */
export function isAway(away: readonly Away[], atMs: AtMs): boolean {
  return away.some(({ fromAtMs, untilAtMs }) => fromAtMs <= atMs && atMs < untilAtMs)
}
