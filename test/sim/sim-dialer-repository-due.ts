import type { AtMs } from '../../src/kernel/clock.ts'
import type { CallTaskId } from '../../src/kernel/ids.ts'

interface Entry {
  readonly atMs: AtMs
  readonly task: CallTaskId
}

/** The tasks of a campaign that wait for their instant, in the order in which they are due; the older one first. */
export class SimDueList {
  readonly #entries: Entry[] = []

  add(atMs: AtMs, task: CallTaskId): void {
    this.#entries.splice(this.#placeOf(atMs, task), 0, { atMs, task })
  }

  remove(atMs: AtMs, task: CallTaskId): void {
    const place = this.#placeOf(atMs, task)
    if (this.#entries[place]?.task === task) this.#entries.splice(place, 1)
  }

  /** Those that are due at `atMs`; nothing may be added or removed meanwhile. */
  *dueAt(atMs: AtMs): Generator<CallTaskId> {
    for (const entry of this.#entries) {
      if (entry.atMs > atMs) return
      yield entry.task
    }
  }

  /** Where it stands, or would stand. */
  #placeOf(atMs: AtMs, task: CallTaskId): number {
    let from = 0
    let to = this.#entries.length
    while (from < to) {
      const middle = (from + to) >> 1
      const entry = this.#entries[middle]!
      if (entry.atMs < atMs || (entry.atMs === atMs && entry.task < task)) from = middle + 1
      else to = middle
    }
    return from
  }
}
