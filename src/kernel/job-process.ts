/** Runs computations that would hold the service for seconds, each in a thread of its own. */
import { Worker } from 'node:worker_threads'
import type { Clock } from './clock.ts'

/** `busy`: as many threads run as may. `tooLong`: given up. `closed`: the service stops. */
export type JobResult<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly why: 'busy' | 'tooLong' | 'closed' }

interface JobThreadsOptions {
  /** Posts its result to `parentPort`. */
  readonly script: URL
  readonly clock: Clock
  readonly timeoutMs: number
  readonly memoryMb: number
  /** Of all together; each needs a core. */
  readonly threadsMax: number
}

/** A thread lives for one job. */
export class JobThreads<Order, Result> {
  readonly #options: JobThreadsOptions
  readonly #busy = new Map<unknown, Worker>()
  #isClosed = false

  constructor(options: JobThreadsOptions) {
    this.#options = options
  }

  /** One job at a time for each `owner`. Rejects if the thread throws. */
  async run(owner: unknown, order: Order): Promise<JobResult<Result>> {
    if (this.#isClosed) return { ok: false, why: 'closed' }
    if (this.#busy.has(owner) || this.#busy.size >= this.#options.threadsMax) return { ok: false, why: 'busy' }
    const thread = this.#start(order)
    this.#busy.set(owner, thread)
    try {
      const found = await this.#result(thread)
      return this.#isClosed ? { ok: false, why: 'closed' } : found
    } finally {
      await thread.terminate()
      this.#busy.delete(owner)
    }
  }

  /** What is being computed is given up. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#busy.values()].map((thread) => thread.terminate()))
  }

  #start(order: Order): Worker {
    return new Worker(this.#options.script, {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMb },
      // The thread gets no secrets, and prints nothing.
      env: {},
      stdout: true,
      stderr: true,
    })
  }

  #result(thread: Worker): Promise<JobResult<Result>> {
    const { clock, timeoutMs } = this.#options
    return new Promise((resolve, reject) => {
      const giveUp = () => resolve({ ok: false, why: 'tooLong' })
      const timer = clock.schedule(clock.nowMs() + timeoutMs, giveUp)
      thread.once('message', (result: Result) => resolve({ ok: true, result }))
      thread.once('error', reject)
      // After a message or an error this changes nothing.
      thread.once('exit', () => {
        timer.cancel()
        giveUp()
      })
    })
  }
}
