import type { AtMs, Clock } from '../kernel/clock.ts'

export interface ExpiringEntry<T> {
  readonly key: string
  readonly value: T
  readonly leftMs: number
}

/** Entries with a life time: an entry disappears after it, unless it is set again. */
export class ExpiringMap<T> {
  readonly #clock: Clock
  readonly #all = new Map<string, { readonly value: T; readonly untilAtMs: AtMs }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  set(key: string, value: T, lifeMs: number): void {
    this.#all.set(key, { value, untilAtMs: this.#clock.nowMs() + lifeMs })
  }

  /** Harmless when the entry is missing. */
  delete(key: string): void {
    this.#all.delete(key)
  }

  clear(): void {
    this.#all.clear()
  }

  /** The live entries, in the order in which they were first set. */
  entries(): ExpiringEntry<T>[] {
    const nowMs = this.#clock.nowMs()
    for (const [key, { untilAtMs }] of this.#all) if (untilAtMs <= nowMs) this.#all.delete(key)
    return [...this.#all].map(([key, { value, untilAtMs }]) => ({ key, value, leftMs: untilAtMs - nowMs }))
  }

  /** The same without keys and life times. */
  values(): T[] {
    return this.entries().map(({ value }) => value)
  }
}
