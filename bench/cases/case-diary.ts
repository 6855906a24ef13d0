/** The responses that the clients of a case storm got, for comparison with the database afterwards. */
import { quantile } from '../statistics.ts'

/** The outcome of one request. `cut`: the client or the database disconnected; the change may have happened. */
export type Outcome = 'created' | 'merged' | 'changed' | 'commented' | 'read' | 'refused' | 'cut'

/** Written by all clients. */
export class CaseDiary {
  readonly counts: Record<Outcome, number> = {
    created: 0,
    merged: 0,
    changed: 0,
    commented: 0,
    read: 0,
    refused: 0,
    cut: 0,
  }
  /** Of whole answers, ms. */
  readonly timesMs: number[] = []
  /** Cases that were answered, with the ETag that came last. */
  readonly etags = new Map<number, string>()
  /** Case → its number. */
  readonly numbers = new Map<number, number>()
  /** Titles that cases were made with or got by an accepted change. */
  readonly titles = new Set<string>()
  /** Comments that were accepted. */
  readonly comments = new Set<string>()
  /** What should never have been answered. */
  readonly faults: string[] = []
  readonly #versions = new Set<string>()

  /** Notes an accepted request that certainly changed the case: no two of them give the same version. */
  noteVersion(eactId: number, etag: string): void {
    if (this.#versions.has(etag)) this.faults.push(`INV-C7: two changes were answered with the ETag ${etag}`)
    this.#versions.add(etag)
    this.etags.set(eactId, etag)
  }

  /** How many requests were made. */
  get requests(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0)
  }

  /** Milliseconds that the share `part` of the answers did not exceed. */
  quantileMs(part: number): number {
    return quantile(this.timesMs, part)
  }
}
