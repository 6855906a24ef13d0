import type { Log } from '../kernel/log.ts'

/** Types that are told apart; what goes beyond is counted together. */
const TYPES_MAX = 200

/** Counts what is passed over, and logs each kind of it once, so that a surprise is seen but never floods. */
export class EventTally {
  readonly #log: Log
  readonly #counts = new Map<string, number>()

  constructor(log: Log) {
    this.#log = log
  }

  /** `type` is Asterisk's word, so it is cut before it is kept. Without a `why` it is not worth a line. */
  count(type: string, why?: string): void {
    const name = type.slice(0, 60)
    const key = this.#counts.has(name) || this.#counts.size < TYPES_MAX ? name : 'others'
    const before = this.#counts.get(key) ?? 0
    this.#counts.set(key, before + 1)
    if (why && before === 0)
      this.#log.warn({ event: key, why }, 'an event from Asterisk was passed over; told once per type')
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }
}
