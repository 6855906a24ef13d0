import type { AtMs } from '../../kernel/clock.ts'

const WINDOW_MS = 60_000
const LOCK_MAX_MS = 15 * 60_000
/** Counters reset after this time without a failure. */
const FORGET_MS = 60 * 60_000
const NAMES_MAX = 20_000
/** F-J8: an operator should investigate. */
const ALARM_AT = 20

interface Tries {
  /** Times of the failures within the window. */
  recentAtMs: AtMs[]
  total: number
  lockedUntilAtMs: AtMs
  lockMs: number
  lastAtMs: AtMs
}

/** Too many in a minute lock a name, such as an IP address, for one minute, doubling to 15, without checks (D-31). */
export class FailedTries {
  readonly #perMinuteMax: number
  readonly #tries = new Map<string, Tries>()

  constructor(perMinuteMax: number) {
    this.#perMinuteMax = perMinuteMax
  }

  /** Remaining lock time; 0 if the name is not locked. */
  lockedMs(name: string, nowMs: AtMs): number {
    return Math.max(0, (this.#tries.get(name)?.lockedUntilAtMs ?? 0) - nowMs)
  }

  /** Counts a failure. Every 20th returns `alarm`. */
  fail(name: string, nowMs: AtMs): 'counted' | 'alarm' {
    const tries = this.#of(name, nowMs)
    tries.recentAtMs = [...tries.recentAtMs.filter((atMs) => atMs > nowMs - WINDOW_MS), nowMs]
    tries.lastAtMs = nowMs
    if (tries.recentAtMs.length >= this.#perMinuteMax) {
      tries.lockMs = Math.min(LOCK_MAX_MS, tries.lockMs * 2)
      tries.lockedUntilAtMs = nowMs + tries.lockMs
      tries.recentAtMs = []
    }
    return ++tries.total % ALARM_AT === 0 ? 'alarm' : 'counted'
  }

  #of(name: string, nowMs: AtMs): Tries {
    const known = this.#tries.get(name)
    const isFresh = known === undefined || known.lastAtMs < nowMs - FORGET_MS
    const fresh = { recentAtMs: [], total: 0, lockedUntilAtMs: 0, lockMs: WINDOW_MS / 2, lastAtMs: nowMs }
    const tries = isFresh ? fresh : known
    this.#tries.delete(name)
    this.#tries.set(name, tries)
    if (this.#tries.size > NAMES_MAX) this.#tries.delete(this.#tries.keys().next().value ?? name)
    return tries
  }
}
