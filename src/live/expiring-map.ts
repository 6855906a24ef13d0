import type { AtMs, Clock } from '../kernel/clock.ts'

/** Something said, and how long it is still to be believed. */
export interface ExpiringEntry<T> {
  readonly key: string
  readonly value: T
  readonly leftMs: number
}

/** What was said with a life time: forgotten when that has passed, unless it is said again. */
export class ExpiringMap<T> {
  readonly #clock: Clock
  readonly #all = new Map<string, { readonly value: T; readonly untilAtMs: AtMs }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Says it, for `lifeMs` from now; what was said under the same key before is void. */
  say(key: string, value: T, lifeMs: number): void {
    this.#all.set(key, { value, untilAtMs: this.#clock.nowMs() + lifeMs })
  }

  /** Takes it back. Harmless when nothing was said. */
  unsay(key: string): void {
    this.#all.delete(key)
  }

  /** Takes everything back. */
  clear(): void {
    this.#all.clear()
  }

  /** What still holds, in the order in which it was first said. */
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
