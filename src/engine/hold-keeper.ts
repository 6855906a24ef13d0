/** Ends holds of cases when their time has passed (Interface §3.1): looks twice a minute, so that none is late. */
import type { Clock, Timer } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Cases } from '../ports/case-desk.ts'
import { RecordsUnavailable } from '../ports/records.ts'

/** What it works with. */
export interface HoldKeeperParts {
  readonly cases: Pick<Cases, 'endHolds'>
  readonly clock: Clock
  readonly log: Log
}

/** INV-C6 allows 60 s, of which half is left for a database that is slow. */
const EVERY_MS = 30_000

/** From `start` to `stop`. Several nodes may have one: each hold is ended once. */
export class HoldKeeper {
  readonly #parts: HoldKeeperParts
  #timer: Timer | undefined
  #look: Promise<void> | undefined
  #isOn = false

  constructor(parts: HoldKeeperParts) {
    this.#parts = parts
  }

  start(): void {
    this.#isOn = true
    this.#look = this.#lookNow()
  }

  /** Resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    this.#isOn = false
    this.#timer?.cancel()
    await this.#look
  }

  async #lookNow(): Promise<void> {
    const { cases, clock, log } = this.#parts
    try {
      await cases.endHolds(clock.nowMs())
    } catch (error) {
      if (!(error instanceof RecordsUnavailable)) log.error({ error }, 'holds of cases could not be ended')
    }
    if (!this.#isOn) return
    this.#timer = clock.schedule(clock.nowMs() + EVERY_MS, () => {
      this.#look = this.#lookNow()
    })
  }
}
