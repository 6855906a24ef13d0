/** Lets so many in at once, and lets so many wait. */
export class Gate {
  readonly #insideMax: number
  readonly #waitingMax: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(insideMax: number, waitingMax: number) {
    this.#insideMax = insideMax
    this.#waitingMax = waitingMax
  }

  /** Runs `work` when there is room; `full` when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T | 'full'> {
    if (this.#inside >= this.#insideMax) {
      if (this.#waiting.length >= this.#waitingMax) return 'full'
      await new Promise<void>((enter) => this.#waiting.push(enter))
    } else this.#inside++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#inside--
    }
  }
}
