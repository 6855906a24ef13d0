/** What the server's clock shows, on a computer whose own clock may be wrong. */

const SAMPLES = 5

/** The offset is the median of the last five: one late frame does not move a timer. */
export class ServerTime {
  #offsets: readonly number[] = []

  /** `serverTs` of a frame that came now. */
  heard(serverTs: string, nowMs: number): void {
    const offsetMs = Date.parse(serverTs) - nowMs
    if (Number.isFinite(offsetMs)) this.#offsets = [...this.#offsets.slice(1 - SAMPLES), offsetMs]
  }

  /** The server's time at this instant of ours. */
  at(nowMs: number): number {
    const sorted = [...this.#offsets].sort((a, b) => a - b)
    return nowMs + (sorted[sorted.length >> 1] ?? 0)
  }
}
