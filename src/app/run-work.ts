/** Starts the parts of a service one after another and stops them in reverse order. */
import type { Log } from '../kernel/log.ts'
import type { NotStarted } from './service-input.ts'

/** A part of a service that runs until the service stops. */
export interface Work {
  /** For the log and for `/readyz`. */
  readonly name: string
  /** Which stage of a start fails with this part; `ports` when absent. */
  readonly stage?: NotStarted['stage']
  start(): unknown
  /** Silent where the part never started. */
  stop(): unknown
}

/** The parts of one service. */
export class RunningWork {
  readonly #log: Log
  #list: readonly Work[] = []
  readonly #started = new Set<Work>()
  #isStopped = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Resolves when every part runs, or with why one of them does not; the caller then stops them all. */
  async start(list: readonly Work[]): Promise<NotStarted | undefined> {
    this.#list = list
    for (const work of list) {
      if (this.#isStopped) return undefined
      this.#started.add(work)
      try {
        await work.start()
      } catch (error) {
        this.#log.error({ err: error, work: work.name }, 'a part of the service did not start')
        return refusedBy(work.stage ?? 'ports', error)
      }
      this.#log.debug({ work: work.name }, 'a part of the service runs')
    }
    return undefined
  }

  /** Parts that the start has not reached: `/readyz` is not ready before there are none. */
  notRunning(): readonly string[] {
    return this.#list.filter((work) => !this.#started.has(work)).map(({ name }) => name)
  }

  /** A start under way goes no further. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const work of this.#list.toReversed()) {
      await work.stop()
      this.#started.delete(work)
    }
  }
}

/** The refusal of a start, with the reason that the error gives. */
export function refusedBy(stage: NotStarted['stage'], error: unknown): NotStarted {
  return { ok: false, stage, reasons: [error instanceof Error ? error.message : String(error)], problems: [] }
}
