import type { AtMs, Clock } from '../kernel/clock.ts'

/** Real time, counted from another instant: a call can begin on a Sunday. */
interface MovableClock extends Clock {
  /** It is this instant now. Timers that run keep their length. */
  set(atMs: AtMs): void
}

/** A clock that runs as fast as `real`. */
export function movableClock(real: Clock, startAtMs: AtMs): MovableClock {
  let aheadMs = startAtMs - real.nowMs()
  return {
    nowMs: () => real.nowMs() + aheadMs,
    schedule: (atMs, action) => real.schedule(atMs - aheadMs, action),
    set(atMs) {
      aheadMs = atMs - real.nowMs()
    },
  }
}
