import type { AtMs, Clock } from '../kernel/clock.ts'
import type { ClassifiedTrouble } from './redis-error.ts'

const FAILURES_TO_OPEN = 3

/** Shorter than a beat: every beat may be the probe that finds Redis well again. */
const PROBE_EVERY_MS = 500

/**
 * The circuit of one kind of Redis command (F-C4): while it is open, commands are not sent. A closed circuit opens
 * after 3 failures in a row; a successful probe, one each half second, closes it. There is one per kind of command: a
 * full Redis refuses writes and still answers reads.
 *
 * Not the `HttpCircuitBreaker`: there is one Redis and a command every beat, so failures in a row decide, and the cause
 * is kept for the health log. Not the `TrunkPace` of the engine (`isFailing`): the calls of ten seconds decide there,
 * and its probe is a real call, hence rare.
 */
export class RedisCircuitBreaker {
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

  /** Whether to send a command now. An open circuit lets one per interval through: the probe. */
  mayAsk(): boolean {
    if (!this.#trouble) return true
    if (this.#clock.nowMs() < this.#nextProbeAtMs) return false
    this.#nextProbeAtMs = this.#clock.nowMs() + PROBE_EVERY_MS
    return true
  }

  worked(): void {
    this.#failures = 0
    this.#trouble = undefined
  }

  /** Redis answered a command of another kind: it is not away. */
  reached(): void {
    if (this.#trouble?.trouble === 'away') this.worked()
  }

  failed(why: ClassifiedTrouble): void {
    if (++this.#failures < FAILURES_TO_OPEN) return
    this.#trouble = why
  }

  /** After a reconnect the next command may be the probe. */
  probeNow(): void {
    this.#nextProbeAtMs = 0
  }
}
