/** Who is in some state, packed, with an age for each: what pacers see, without making anything new. */
export class Members {
  /** In no order. */
  readonly list: number[] = []
  /** Of the same length; filled when somebody looks. */
  readonly agesMs: number[] = []
  #places = new Int32Array(64)

  get size(): number {
    return this.list.length
  }

  /** Adds one that is not in. */
  add(member: number): void {
    if (member >= this.#places.length) this.#grow(member)
    this.#places[member] = this.list.length
    this.list.push(member)
    this.agesMs.push(0)
  }

  /** Takes out one that is in. */
  remove(member: number): void {
    const place = this.#places[member]!
    const last = this.list.pop()!
    this.agesMs.pop()
    if (last === member) return
    this.list[place] = last
    this.#places[last] = place
  }

  /** Sets each age to `sign` × (now − the member's instant) and gives them. */
  agesAt(nowMs: number, instants: Float64Array, sign: 1 | -1 = 1): readonly number[] {
    const { list, agesMs } = this
    for (let at = 0; at < list.length; at++) agesMs[at] = sign * (nowMs - instants[list[at]!]!)
    return agesMs
  }

  #grow(member: number): void {
    const places = this.#places
    this.#places = new Int32Array(2 * member)
    this.#places.set(places)
  }
}
