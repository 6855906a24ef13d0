import type { Clock, Timer } from './clock.ts'

interface PeriodicDependencies {
  readonly clock: Clock
  /** The pause after each run. */
  readonly pauseMs: () => number
  /** Never rejects, and reports its own errors. Where `mayGoOn` is false it ends as soon as it can. */
  readonly work: (mayGoOn: () => boolean) => Promise<void>
}

/** Repeats work from `start` to `stop`, with a pause after each run. */
export class Periodic {
  readonly #dependencies: PeriodicDependencies
  #timer: Timer | undefined
  #working: Promise<void> | undefined
  #isStopped = false

  constructor(dependencies: PeriodicDependencies) {
    this.#dependencies = dependencies
  }

  start(firstAfterMs = 0): void {
    this.#later(firstAfterMs)
  }

  /** Resolves when a running work has ended. Stopping twice is harmless. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    await this.#working
  }

  #later(waitMs: number): void {
    const { clock, pauseMs, work } = this.#dependencies
    if (this.#isStopped) return
    this.#timer = clock.schedule(clock.nowMs() + waitMs, () => {
      this.#working = work(() => !this.#isStopped).finally(() => this.#later(pauseMs()))
    })
  }
}
