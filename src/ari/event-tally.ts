import type { Log } from '../kernel/log.ts'

/** Types counted separately; further types are counted together. */
const TYPES_MAX = 200

/** Counts events that are passed over, and logs each type once. */
export class EventTally {
  readonly #log: Log
  readonly #counts = new Map<string, number>()

  constructor(log: Log) {
    this.#log = log
  }

  /** `type` comes from Asterisk, so it is cut. Without `why` nothing is logged. */
  count(type: string, why?: string): void {
    const name = type.slice(0, 60)
    const key = this.#counts.has(name) || this.#counts.size < TYPES_MAX ? name : 'others'
    const before = this.#counts.get(key) ?? 0
    this.#counts.set(key, before + 1)
    if (why && before === 0)
      this.#log.warn({ event: key, why }, 'an event from Asterisk was passed over; logged once per type')
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }
}
