import type { Clock, Timer } from './clock.ts'

/** What is done again and again. */
interface PeriodicDependencies {
  readonly clock: Clock
  /** How long nothing is done after each time. */
  readonly pauseMs: () => number
  /** Never rejects: it says itself what went wrong. Where `mayGoOn` is false it ends as soon as it can. */
  readonly work: (mayGoOn: () => boolean) => Promise<void>
}

/** Does it from `start` to `stop`, with a pause after each time. Mutable state with a lifetime, hence a class. */
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

  /** Resolves when what is under way has ended. Stopping twice is silent. */
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
