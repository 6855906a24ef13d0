/** Lengths counted in equal bins. Histograms of days can be added, and read as quantiles. */
export class Histogram {
  readonly #binMs: number
  readonly #limitMs: number
  readonly #counts: Uint32Array
  count = 0
  sumMs = 0
  maxMs = 0

  constructor(binMs: number, limitMs: number) {
    this.#binMs = binMs
    this.#limitMs = limitMs
    this.#counts = new Uint32Array(Math.ceil(limitMs / binMs) + 1)
  }

  add(lengthMs: number): void {
    this.count++
    this.sumMs += lengthMs
    if (lengthMs > this.maxMs) this.maxMs = lengthMs
    this.#counts[Math.min(this.#counts.length - 1, Math.floor(lengthMs / this.#binMs))]!++
  }

  likewise(): Histogram {
    return new Histogram(this.#binMs, this.#limitMs)
  }

  include(other: Histogram): void {
    this.count += other.count
    this.sumMs += other.sumMs
    this.maxMs = Math.max(this.maxMs, other.maxMs)
    for (let bin = 0; bin < this.#counts.length; bin++) this.#counts[bin]! += other.#counts[bin]!
  }

  get meanMs(): number {
    return this.count === 0 ? 0 : this.sumMs / this.count
  }

  /** The quantile: the middle of the bin that contains it; 0 for an empty histogram. */
  quantileMs(share: number): number {
    const wanted = share * this.count
    let seen = 0
    for (let bin = 0; bin < this.#counts.length; bin++) {
      seen += this.#counts[bin]!
      if (seen >= wanted && seen > 0) return bin === 0 ? 0 : Math.min(this.maxMs, (bin + 0.5) * this.#binMs)
    }
    return 0
  }
}
