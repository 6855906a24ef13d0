/** Ends of lines that failed before any ring, kept back until the engine knows whether their carrier is down. */
import type { AtMs, Timer } from '../../kernel/clock.ts'
import type { LegId } from '../../kernel/ids.ts'
import type { EngineContext } from '../context.ts'
import { FAILURES_WITHIN_MS } from './trunk-limits.ts'

interface Failure {
  readonly trunk: string
  readonly atMs: AtMs
  /** Writes the end. `isSpared`: the carrier was down, and the attempt does not count. */
  readonly write: (isSpared: boolean) => void
}

/** The ends of the last ten seconds: the failures that reveal an outage are spared as well (campaigns-43). */
export class CarrierFailures {
  readonly #context: EngineContext
  readonly #kept = new Map<LegId, Failure & { readonly timer: Timer }>()

  constructor(context: EngineContext) {
    this.#context = context
  }

  /** Whether the end of this leg is still to be written. */
  holds(leg: LegId): boolean {
    return this.#kept.has(leg)
  }

  keep(leg: LegId, failure: Failure): void {
    const { clock } = this.#context.dependencies
    const timer = clock.schedule(failure.atMs + FAILURES_WITHIN_MS, () =>
      this.#context.enqueue(() => this.#write(leg, false)),
    )
    this.#kept.set(leg, { ...failure, timer })
  }

  trunkFails(name: string): void {
    for (const [leg, { trunk }] of this.#kept) if (trunk === name) this.#write(leg, true)
  }

  /** The engine stops: in doubt an attempt counts. */
  writeAll(): void {
    for (const leg of this.#kept.keys()) this.#write(leg, false)
  }

  #write(leg: LegId, isSpared: boolean): void {
    const failure = this.#kept.get(leg)
    if (!failure) return
    failure.timer.cancel()
    this.#kept.delete(leg)
    failure.write(isSpared)
  }
}
