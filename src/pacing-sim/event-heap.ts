/** Events in the order of their due times; ties in the order of creation. There is no object per event. */

/** Room for 2^26 events in a day of up to 37 hours: key = due time × 2^26 + number, exact in a double. */
const NUMBERS = 2 ** 26

/** A binary heap of keys, each with a number as payload. */
export class EventHeap {
  #keys = new Float64Array(1024)
  #payloads = new Int32Array(1024)
  #size = 0
  #number = 0

  /** Due time of the next event; Infinity without one. */
  get nextAtMs(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : Math.floor(this.#keys[0]! / NUMBERS)
  }

  /** Key of the next event; there must be one. */
  get nextKey(): number {
    return this.#keys[0]!
  }

  /** Payload of the next event; there must be one. */
  get nextPayload(): number {
    return this.#payloads[0]!
  }

  /** Adds an event. Whole milliseconds. The returned key tells its maker later whether the event still counts. */
  push(atMs: number, payload: number): number {
    if (this.#size === this.#keys.length) this.#grow()
    const key = atMs * NUMBERS + this.#number++
    const [keys, payloads] = [this.#keys, this.#payloads]
    let at = this.#size++
    while (at > 0) {
      const above = (at - 1) >> 1
      if (keys[above]! <= key) break
      keys[at] = keys[above]!
      payloads[at] = payloads[above]!
      at = above
    }
    keys[at] = key
    payloads[at] = payload
    return key
  }

  pop(): void {
    const [keys, payloads] = [this.#keys, this.#payloads]
    const size = --this.#size
    const key = keys[size]!
    const payload = payloads[size]!
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      if (below + 1 < size && keys[below + 1]! < keys[below]!) below++
      if (keys[below]! >= key) break
      keys[at] = keys[below]!
      payloads[at] = payloads[below]!
      at = below
    }
    keys[at] = key
    payloads[at] = payload
  }

  #grow(): void {
    const [keys, payloads] = [this.#keys, this.#payloads]
    this.#keys = new Float64Array(2 * keys.length)
    this.#keys.set(keys)
    this.#payloads = new Int32Array(2 * payloads.length)
    this.#payloads.set(payloads)
  }
}
