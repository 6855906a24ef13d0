import type { Log } from '../kernel/log.ts'
import type { BoardLine } from '../ports/live.ts'

/** Listeners to board lines in this process. */
export class BoardListeners {
  readonly #log: Log
  /** By unique keys: the same function may listen twice. */
  readonly #all = new Map<symbol, (line: BoardLine) => void>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Listens until the returned function is called; calling it twice is harmless. */
  add(listener: (line: BoardLine) => void): () => void {
    const key = Symbol('listener')
    this.#all.set(key, listener)
    return () => void this.#all.delete(key)
  }

  /** Notifies all listeners. A listener that throws is logged, and affects neither the caller nor the others. */
  notify(line: BoardLine): void {
    for (const listener of this.#all.values()) {
      try {
        listener(line)
      } catch (error) {
        this.#log.error({ err: error, type: line.what.type }, 'a listener for board lines threw')
      }
    }
  }

  clear(): void {
    this.#all.clear()
  }
}
