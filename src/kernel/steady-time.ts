/** Clocks that are kept right by small corrections differ by less between two readings. */
const STEP_MS = 2_000
/** Our choice: a bad step of a time server is mended sooner, and dialing rests while a new time is doubted. */
const DOUBT_MS = 60_000

/**
 * The wall clock, without its jumps: a time that is suddenly another one is believed when it has stood for a minute. A
 * day ahead for a moment would sign, plan and erase by a time that never came (storage-13).
 */
export class SteadyTime {
  /** How far the wall clock is ahead of the monotonic one, as it is believed. */
  #offsetMs: number | undefined
  #doubted: { readonly offsetMs: number; readonly sinceMs: number } | undefined

  /**
   * Whether the wall clock was ahead of what was read last. It stepped, or the computer slept: in a sleep the monotonic
   * clock stands still, so what was true until a moment ago may be long over.
   */
  get isOvertaken(): boolean {
    return this.#doubted !== undefined && this.#doubted.offsetMs > this.#offsetMs!
  }

  /** An instant, of both clocks at once. The second one counts from any beginning, and never jumps. */
  read(wallMs: number, monotonicMs: number): number {
    const offsetMs = wallMs - monotonicMs
    if (this.#offsetMs === undefined || Math.abs(offsetMs - this.#offsetMs) <= STEP_MS) {
      this.#doubted = undefined
      this.#offsetMs = offsetMs
      return wallMs
    }
    if (this.#doubted === undefined || Math.abs(offsetMs - this.#doubted.offsetMs) > STEP_MS) {
      this.#doubted = { offsetMs, sinceMs: monotonicMs }
    }
    if (monotonicMs - this.#doubted.sinceMs >= DOUBT_MS) {
      this.#doubted = undefined
      this.#offsetMs = offsetMs
      return wallMs
    }
    return Math.floor(monotonicMs + this.#offsetMs)
  }
}
