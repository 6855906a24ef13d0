import type { AtMs } from '../../kernel/clock.ts'

/** Renewals are seconds apart; a clock that is set does not move further, a bad step does. */
const STEP_MS = 60_000
/** After a step or a start, for so long. Our choice: a bad time server is noticed, or corrects itself, before. */
const STEADY_MS = 10 * 60_000

/**
 * Whether the database's clock may be trusted to be remembered as the latest instant (F-G2). One that runs ahead for a
 * moment would stop all dialing until that time comes, though it is right again.
 */
export class ClockSteps {
  #last: AtMs | undefined
  #steadySinceMs: AtMs = 0

  /** An instant of the database, and one of the engine. The result tells of a step: by how much, or how far apart. */
  seen(databaseAtMs: AtMs, engineAtMs: AtMs): { readonly stepMs: number; readonly apartMs: number } | undefined {
    const [stepMs, apartMs] = [databaseAtMs - (this.#last ?? databaseAtMs), databaseAtMs - engineAtMs]
    const isStep = Math.max(Math.abs(stepMs), Math.abs(apartMs)) > STEP_MS
    if (isStep || this.#last === undefined) this.#steadySinceMs = databaseAtMs
    this.#last = databaseAtMs
    return isStep ? { stepMs, apartMs } : undefined
  }

  /** The latest instant after `fromMs` that may be remembered; 0: none. */
  seenMaxMs(fromMs: AtMs): AtMs {
    return fromMs - this.#steadySinceMs >= STEADY_MS ? fromMs + STEP_MS : 0
  }
}
