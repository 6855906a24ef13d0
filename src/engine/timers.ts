import type { Clock, Timer } from '../kernel/clock.ts'

/** Timers that stop together with their owner. */
export class Timers {
  readonly #clock: Clock
  readonly #timers = new Set<Timer>()
  #isStopped = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  after(ms: number, action: () => void): void {
    if (this.#isStopped) return
    const timer = this.#clock.schedule(this.#clock.nowMs() + ms, () => {
      this.#timers.delete(timer)
      action()
    })
    this.#timers.add(timer)
  }

  every(ms: number, action: () => void): void {
    this.after(ms, () => {
      action()
      this.every(ms, action)
    })
  }

  /** Resolves after so long, or never when `stop` comes first. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  stop(): void {
    this.#isStopped = true
    for (const timer of this.#timers) timer.cancel()
    this.#timers.clear()
  }
}
