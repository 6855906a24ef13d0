/** Ends expired holds of cases (contract.md §3.1), twice a minute. */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import type { CaseRepository } from '../../ports/case-repository.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'

interface HoldExpiryDependencies {
  readonly cases: Pick<CaseRepository, 'endHolds'>
  readonly clock: Clock
  readonly log: Log
}

/** INV-C6 allows 60 s; half of it is left for a slow database. */
const EVERY_MS = 30_000

/** Several nodes may each run one: each hold is ended once. */
export function holdExpiryWorker({ cases, clock, log }: HoldExpiryDependencies): Periodic {
  const work = async (mayGoOn: () => boolean) => {
    try {
      // Each part has its own time: whoever follows changes would miss those of an old one (cases-24).
      while (mayGoOn() && (await cases.endHolds(clock.nowMs())) > 0);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) log.error({ error }, 'holds of cases could not be ended')
    }
  }
  return new Periodic({ clock, pauseMs: () => EVERY_MS, work })
}
