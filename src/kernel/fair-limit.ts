import { ConcurrencyLimit } from './concurrency-limit.ts'

interface Owner {
  readonly limit: ConcurrencyLimit
  tasks: number
}

/** Work of limited concurrency, one task of an owner at a time: whoever has many does not keep others waiting. */
export class FairLimit {
  readonly #all: ConcurrencyLimit
  readonly #waitingMax: number
  readonly #owners = new Map<string, Owner>()

  /** `waitingMax`: of one owner. */
  constructor(runningMax: number, waitingMax: number) {
    this.#all = new ConcurrencyLimit(runningMax)
    this.#waitingMax = waitingMax
  }

  /** Returns `full`, without running it, when so many tasks of the owner wait already. */
  async tryRun<T>(owner: string, task: () => Promise<T>): Promise<T | 'full'> {
    const own = this.#owners.get(owner) ?? { limit: new ConcurrencyLimit(1), tasks: 0 }
    if (own.tasks > this.#waitingMax) return 'full'
    this.#owners.set(owner, own)
    own.tasks++
    try {
      return await own.limit.run(() => this.#all.run(task))
    } finally {
      if (--own.tasks === 0) this.#owners.delete(owner)
    }
  }
}
