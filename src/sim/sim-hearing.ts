import type { Clock } from '../kernel/clock.ts'
import type { LegId, ListeningId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'

/** From the first word to the words as text: a number, the pause after it, the engine for speech. */
const SAID_AFTER_MS = 3_000

/** Hears what simulated callers say, as the switch with an engine for speech does. */
export class SimHearing {
  readonly #clock: Clock
  readonly #emit: (event: PbxEvent) => void
  /** One at a time for each leg. */
  readonly #listened = new Map<LegId, ListeningId>()

  constructor(clock: Clock, emit: (event: PbxEvent) => void) {
    this.#clock = clock
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
    this.#clock.schedule(this.#clock.nowMs() + SAID_AFTER_MS, () => {
      if (this.#listened.get(leg) === listening) this.#emit({ type: 'leg.said', leg, listening, text, confidence })
    })
  }
}
