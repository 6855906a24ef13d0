import type { Log } from '../kernel/log.ts'
import type { BoardLine } from '../ports/live.ts'

/** Who hears board lines in this process. */
export class BoardListeners {
  readonly #log: Log
  /** Each under a key of its own: the same function may listen twice. */
  readonly #all = new Map<symbol, (line: BoardLine) => void>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Listens until the answer is called; calling it twice is harmless. */
  add(listener: (line: BoardLine) => void): () => void {
    const key = Symbol('listener')
    this.#all.set(key, listener)
    return () => void this.#all.delete(key)
  }

  /** Tells everybody. A listener's mistake is logged: neither the teller nor the other listeners suffer from it. */
  notify(line: BoardLine): void {
    for (const listener of this.#all.values()) {
      try {
        listener(line)
      } catch (error) {
        this.#log.error({ err: error, type: line.what.type }, 'a listener to board lines failed')
      }
    }
  }

  /** Nobody listens any more. */
  clear(): void {
    this.#all.clear()
  }
}
