import type { LegId, ListeningId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'

/** Hears what simulated callers say, as the switch with an engine for speech does. */
export class SimHearing {
  readonly #emit: (event: PbxEvent) => void
  /** One at a time for each leg. */
  readonly #listened = new Map<LegId, ListeningId>()

  constructor(emit: (event: PbxEvent) => void) {
    this.#emit = emit
  }

  begin(listening: ListeningId, leg: LegId): void {
    this.#listened.set(leg, listening)
  }

  stop(listening: ListeningId): void {
    for (const [leg, id] of this.#listened) if (id === listening) this.#listened.delete(leg)
  }

  gone(leg: LegId): void {
    this.#listened.delete(leg)
  }

  /** Words that nobody listens to are lost. */
  said(leg: LegId, text: string, confidence: number): void {
    const listening = this.#listened.get(leg)
    if (listening === undefined) return
    this.#emit({ type: 'leg.speaks', leg, listening })
    this.#emit({ type: 'leg.said', leg, listening, text, confidence })
  }
}
