import type { Timer } from '../../kernel/clock.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import { type CallJobDependencies, workOffCallJob } from './call-job.ts'

const LOOK_EVERY_MS = 2_000
/** Jobs at a time: they wait for services, which have to serve others as well. */
const LANES = 2

/**
 * Writes recordings down and sums calls up, as long as it runs. Several processes may each have one: a job is
 * nobody else's while somebody is at it. Mutable state with a lifetime, hence a class.
 */
export class TranscriptionWorker {
  readonly #dependencies: CallJobDependencies
  readonly #stopping = new AbortController()
  readonly #timers = new Map<number, Timer>()
  readonly #working = new Map<number, Promise<void>>()

  constructor(dependencies: CallJobDependencies) {
    this.#dependencies = dependencies
  }

  /** Looks for jobs from now on. */
  start(): void {
    for (let lane = 0; lane < LANES; lane++) this.#later(lane, 0)
  }

  /** What is under way is broken off and given back, so that nobody waits for a slow service. Twice is silent. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers.values()) timer.cancel()
    await Promise.all(this.#working.values())
  }

  #later(lane: number, waitMs: number): void {
    const { clock } = this.#dependencies
    if (this.#stopping.signal.aborted) return
    const work = () => {
      this.#working.set(
        lane,
        this.#work().finally(() => this.#later(lane, LOOK_EVERY_MS)),
      )
    }
    this.#timers.set(lane, clock.schedule(clock.nowMs() + waitMs, work))
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping
    try {
      while (!signal.aborted && (await workOffCallJob(this.#dependencies, signal)));
    } catch (error) {
      const { log } = this.#dependencies
      if (error instanceof DatabaseUnavailable) log.warn({ error: error.message }, 'transcripts wait for the database')
      else log.error({ err: error }, 'jobs about calls cannot be worked off')
    }
  }
}
