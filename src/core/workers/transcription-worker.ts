import type { Timer } from '../../kernel/clock.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import { type CallJobDependencies, workOffCallJob } from './call-job.ts'

const LOOK_EVERY_MS = 2_000
/** Jobs at a time: they wait for external services. */
const LANES = 2

/** Transcribes and summarises calls. Several processes may each run one: a job is claimed by one of them. */
export class TranscriptionWorker {
  readonly #dependencies: CallJobDependencies
  readonly #stopping = new AbortController()
  readonly #timers = new Map<number, Timer>()
  readonly #working = new Map<number, Promise<void>>()

  constructor(dependencies: CallJobDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    for (let lane = 0; lane < LANES; lane++) this.#later(lane, 0)
  }

  /** Aborts running jobs and returns them to the queue: a slow service does not delay it. May be called twice. */
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
      else log.error({ err: error }, 'call jobs failed')
    }
  }
}
