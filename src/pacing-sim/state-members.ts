/** The members of a state in a packed list, with an age for each. Pacers read it; no call allocates. */
export class Members {
  /** Unordered. */
  readonly list: number[] = []
  /** One age for each member of `list`; `agesAt` fills it. */
  readonly agesMs: number[] = []
  #places = new Int32Array(64)

  get size(): number {
    return this.list.length
  }

  /** Adds a member that is not in the list. */
  add(member: number): void {
    if (member >= this.#places.length) this.#grow(member)
    this.#places[member] = this.list.length
    this.list.push(member)
    this.agesMs.push(0)
  }

  /** Removes a member of the list. */
  remove(member: number): void {
    const place = this.#places[member]!
    const last = this.list.pop()!
    this.agesMs.pop()
    if (last === member) return
    this.list[place] = last
    this.#places[last] = place
  }

  /** Sets each age to `sign` × (now − the member's instant) and returns the ages. */
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
