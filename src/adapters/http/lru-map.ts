/** A map of at most `max` entries: it drops the least recently used one. */
export class LruMap<K, V> {
  readonly #max: number
  /** A Map keeps the order of insertion: its first key is the oldest. */
  readonly #entries = new Map<K, V>()

  constructor(max: number) {
    this.#max = max
  }

  /** Reading counts as use. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#max) this.delete(this.#entries.keys().next().value as K)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  /** From the oldest to the newest; does not count as use. */
  values(): IterableIterator<V> {
    return this.#entries.values()
  }

  get size(): number {
    return this.#entries.size
  }
}
