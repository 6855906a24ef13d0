/** Completes the audit trail with the changes of processes that died (F-K5), once a minute. */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import type { Audit } from '../../ports/audit.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'

interface AuditIntentDependencies {
  readonly audit: Pick<Audit, 'takeIntents'>
  readonly clock: Clock
  readonly log: Log
}

const EVERY_MS = 60_000

/** Several nodes may each run one: each intent is taken once. */
export function auditIntentWorker({ audit, clock, log }: AuditIntentDependencies): Periodic {
  const work = async (mayGoOn: () => boolean) => {
    try {
      for (let taken = 1; taken > 0 && mayGoOn(); ) {
        taken = await audit.takeIntents(clock.nowMs())
        if (taken > 0) log.warn({ entries: taken }, 'audit entries added for changes of processes that died')
      }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'audit trail could not be completed')
    }
  }
  return new Periodic({ clock, pauseMs: () => EVERY_MS, work })
}
