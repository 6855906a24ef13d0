/** One tab of a browser holds the phone of a user (Web Locks); other browsers are the node's business. */
import type { PhoneEvent } from './phone-messages.ts'

/** `name` is one per user. Whoever finds it held asks again, or takes it over. */
export class PhoneLock {
  readonly #name: string
  readonly #tell: (event: PhoneEvent) => void
  #release: (() => void) | undefined

  constructor(name: string, tell: (event: PhoneEvent) => void) {
    this.#name = name
    this.#tell = tell
  }

  /** Tells `lock.taken`, or `lock.held` at once; a lock that is taken over tells its old holder `lock.lost`. */
  take(takeOver: boolean): void {
    if (this.#release) return this.#tell({ type: 'lock.taken' })
    const options = takeOver ? { steal: true } : { ifAvailable: true }
    navigator.locks
      .request(this.#name, options, (lock) => {
        if (!lock) return this.#tell({ type: 'lock.held' })
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#release = resolve
        this.#tell({ type: 'lock.taken' })
        return promise
      })
      .catch(() => {
        this.#release = undefined
        this.#tell({ type: 'lock.lost' })
      })
  }

  release(): void {
    this.#release?.()
    this.#release = undefined
  }
}
