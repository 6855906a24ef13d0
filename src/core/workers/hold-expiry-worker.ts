/** Ends holds of cases when their time has passed (contract.md §3.1): looks twice a minute, so that none is late. */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import type { CaseRepository } from '../../ports/case-repository.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'

/** What it works with. */
export interface HoldExpiryDependencies {
  readonly cases: Pick<CaseRepository, 'endHolds'>
  readonly clock: Clock
  readonly log: Log
}

/** INV-C6 allows 60 s, of which half is left for a database that is slow. */
const EVERY_MS = 30_000

/** Several nodes may have one: each hold is ended once. */
export function holdExpiryWorker({ cases, clock, log }: HoldExpiryDependencies): Periodic {
  const work = async () => {
    try {
      await cases.endHolds(clock.nowMs())
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) log.error({ error }, 'holds of cases could not be ended')
    }
  }
  return new Periodic({ clock, pauseMs: () => EVERY_MS, work })
}
