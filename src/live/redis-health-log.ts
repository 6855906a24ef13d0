import type { Log } from '../kernel/log.ts'
import { type ClassifiedTrouble, TROUBLES, type Trouble } from './redis-error.ts'

/** Logs the health of Redis once per change, not once per command. */
export class HealthNotes {
  readonly #place: string
  readonly #log: Log
  #noted: Trouble | 'well' | undefined

  /** `place` is host and port, without credentials. */
  constructor(place: string, log: Log) {
    this.#place = place
    this.#log = log
  }

  well(): void {
    if (this.#noted === 'well') return
    this.#noted = 'well'
    this.#log.info({ place: this.#place }, 'this node exchanges live state with the others through Redis')
  }

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
