/** A queue for work of limited concurrency: hashing, spreadsheets, speech. */
export class ConcurrencyLimit {
  readonly #runningMax: number
  readonly #waitingMax: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** Without `waitingMax` the caller bounds the number of tasks. */
  constructor(runningMax: number, waitingMax = Number.POSITIVE_INFINITY) {
    this.#runningMax = runningMax
    this.#waitingMax = waitingMax
  }

  /** Runs `task` in order of arrival; returns `full`, without running it, when `waitingMax` tasks wait already. */
  async tryRun<T>(task: () => Promise<T>): Promise<T | 'full'> {
    if (this.#running >= this.#runningMax && this.#waiting.length >= this.#waitingMax) return 'full'
    return this.run(task)
  }

  /** Runs `task` in order of arrival, however many wait. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#runningMax) this.#running++
    else await new Promise<void>((enter) => this.#waiting.push(enter))
    try {
      return await task()
    } finally {
      // The slot is handed over, not released: no newcomer can slip in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
