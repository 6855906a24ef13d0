/** A player fetches a recording in many parts: their first one is the hearing (files-and-activities-12). */
import type { AtMs, Clock } from '../../kernel/clock.ts'

/** Our choice: long enough for most recordings, short enough that hearing it again later is seen. */
const ONE_READ_MS = 10 * 60_000
/** Beyond it the oldest are forgotten: then there are more entries, never fewer. */
const READS_MAX = 10_000

interface Read {
  readonly atMs: AtMs
  readonly written: Promise<void>
}

/** Which reads are in the audit trail already. Each node has its own, and a restart forgets them. */
export class PartReads {
  readonly #clock: Clock
  readonly #reads = new Map<string, Read>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when an entry of this read is durable; `write` runs only for the first part in ten minutes. */
  once(who: string, write: () => Promise<void>): Promise<void> {
    const nowMs = this.#clock.nowMs()
    const known = this.#reads.get(who)
    if (known && nowMs >= known.atMs && nowMs < known.atMs + ONE_READ_MS) return known.written
    const read = { atMs: nowMs, written: write() }
    // The order of the map is that of the reads.
    this.#reads.delete(who)
    this.#reads.set(who, read)
    const [oldest] = this.#reads.keys()
    if (this.#reads.size > READS_MAX && oldest !== undefined) this.#reads.delete(oldest)
    // The next part tries again.
    read.written.catch(() => this.#reads.get(who) === read && this.#reads.delete(who))
    return read.written
  }
}
