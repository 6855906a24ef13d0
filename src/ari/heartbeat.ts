import type { AtMs, Clock, Timer } from '../kernel/clock.ts'

const PING_EVERY_MS = 2_000

/** Three pings without any sign of life (F-A2: a dead socket is noticed within 6 s). */
const SILENT_MAX_MS = 3 * PING_EVERY_MS

/** Notices a dead socket that was not closed. Anything received is a sign of life. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #ping: () => void
  readonly #onDead: () => void
  #heardAtMs: AtMs
  #timer: Timer

  constructor(clock: Clock, ping: () => void, onDead: () => void) {
    this.#clock = clock
    this.#ping = ping
    this.#onDead = onDead
    this.#heardAtMs = clock.nowMs()
    this.#timer = clock.schedule(this.#heardAtMs + PING_EVERY_MS, () => this.#beat())
  }

  heard(): void {
    this.#heardAtMs = this.#clock.nowMs()
  }

  stop(): void {
    this.#timer.cancel()
  }

  #beat(): void {
    const nowMs = this.#clock.nowMs()
    const deadAtMs = this.#heardAtMs + SILENT_MAX_MS
    if (nowMs >= deadAtMs) {
      this.#onDead()
      return
    }
    this.#ping()
    this.#timer = this.#clock.schedule(Math.min(nowMs + PING_EVERY_MS, deadAtMs), () => this.#beat())
  }
}
