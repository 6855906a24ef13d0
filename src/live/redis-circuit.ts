import type { AtMs, Clock } from '../kernel/clock.ts'
import type { ClassifiedTrouble } from './redis-error.ts'

/** Failures in a row that open a circuit. */
const FAILURES_TO_OPEN = 3

/** Shorter than a beat, so that every beat may be the probe that finds Redis well again. */
const PROBE_EVERY_MS = 500

/**
 * Stops asking a Redis that fails (F-C4), so that nobody waits for it again and again.
 *
 *   closed ──3 failures in a row──▶ open ──one probe each half second: worked──▶ closed
 *
 * One for each kind of command: a full Redis refuses to be told, but can be asked.
 */
export class Circuit {
  readonly #clock: Clock
  #failures = 0
  #trouble: ClassifiedTrouble | undefined
  #nextProbeAtMs: AtMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What opened it; undefined while it is closed. */
  get trouble(): ClassifiedTrouble | undefined {
    return this.#trouble
  }

  /** Whether to send a command now. An open circuit says yes once per interval: that one is the probe. */
  mayAsk(): boolean {
    if (!this.#trouble) return true
    if (this.#clock.nowMs() < this.#nextProbeAtMs) return false
    this.#nextProbeAtMs = this.#clock.nowMs() + PROBE_EVERY_MS
    return true
  }

  /** A command was answered. */
  worked(): void {
    this.#failures = 0
    this.#trouble = undefined
  }

  /** Redis answered a command of another kind: whatever else is wrong, it is not away. */
  reached(): void {
    if (this.#trouble?.trouble === 'away') this.worked()
  }

  /** A command was refused, or not answered in time. */
  failed(why: ClassifiedTrouble): void {
    if (++this.#failures < FAILURES_TO_OPEN) return
    this.#trouble = why
  }

  /** There is a new connection: the next command may be the probe. */
  probeNow(): void {
    this.#nextProbeAtMs = 0
  }
}
