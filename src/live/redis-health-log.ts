import type { Log } from '../kernel/log.ts'
import { type ClassifiedTrouble, TROUBLES, type Trouble } from './redis-error.ts'

/** Logs how Redis is: once for each change, not for each command. */
export class HealthNotes {
  readonly #place: string
  readonly #log: Log
  #noted: Trouble | 'well' | undefined

  /** `place` is host and port, without anything secret. */
  constructor(place: string, log: Log) {
    this.#place = place
    this.#log = log
  }

  /** Everything works. */
  well(): void {
    if (this.#noted === 'well') return
    this.#noted = 'well'
    this.#log.info({ place: this.#place }, 'this node and the others tell each other through Redis')
  }

  /** Something does not. */
  ill({ trouble, code }: ClassifiedTrouble): void {
    if (this.#noted === trouble) return
    this.#noted = trouble
    const place = this.#place
    this.#log.warn(
      { place, code },
      `${TROUBLES[trouble]} (until then this node sees only itself; calls are unaffected)`,
    )
  }
}
