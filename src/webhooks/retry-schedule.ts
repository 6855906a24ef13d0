import type { AtMs } from '../kernel/clock.ts'
import type { Random } from '../kernel/random.ts'
import type { Verdict } from './classify-response.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The waits between ten attempts (Standard Webhooks, "Example retry schedule"; D-27). The first one is at once. */
export const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/** How long a receiver may be down without losing anything: 75 h 35 min (F-E9). */
export const SCHEDULE_MS = RETRY_WAITS_MS.reduce((sum, waitMs) => sum + waitMs, 0)

/** Jitter: receivers that fail together must not be retried together. */
const JITTER = 0.2
/** An overloaded receiver gets a longer pause than five seconds (Svix). */
const STRAINED_WAIT_MIN_MS = MINUTE_MS
/** D-27. Limit of a pause that a receiver asks for. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS
/** After an attempt that does not count: the receiver was not reached, or it was a probe. */
const UNCOUNTED_WAIT_MS = 30 * SECOND_MS

interface Tries {
  /** Failures that count, the last one included. */
  readonly failures: number
  readonly firstAtMs: AtMs
}

/**
 * How long to wait before the next attempt; undefined when the schedule is used up.
 *
 * Our choice: the last attempt is never earlier than `SCHEDULE_MS` after the first. With jitter alone a schedule could
 * end after 60 hours and break the promise that three days of downtime lose nothing.
 */
export function retryWaitMs(
  { failures, firstAtMs }: Tries,
  verdict: Verdict,
  nowMs: AtMs,
  random: Random,
): number | undefined {
  const planned = RETRY_WAITS_MS[failures - 1]
  if (planned === undefined) return undefined
  const jittered = Math.round(planned * (1 + JITTER * (2 * random.next() - 1)))
  const isLast = failures === RETRY_WAITS_MS.length
  return Math.max(jittered, leastWaitMs(verdict), isLast ? firstAtMs + SCHEDULE_MS - nowMs : 0)
}

/** How long to wait after an attempt that does not count. */
export function uncountedWaitMs(verdict: Verdict): number {
  return Math.max(UNCOUNTED_WAIT_MS, leastWaitMs(verdict))
}

function leastWaitMs(verdict: Verdict): number {
  if (verdict.kind !== 'refused') return 0
  const askedForMs = Math.min(verdict.retryAfterMs, RETRY_AFTER_MAX_MS)
  return Math.max(askedForMs, verdict.isStrained ? STRAINED_WAIT_MIN_MS : 0)
}
