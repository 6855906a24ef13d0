/** What a process that died left of its changes gets into the audit trail (F-K5): looks once a minute. */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import type { Audit } from '../../ports/audit.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'

/** What it works with. */
export interface AuditIntentDependencies {
  readonly audit: Pick<Audit, 'takeIntents'>
  readonly clock: Clock
  readonly log: Log
}

const EVERY_MS = 60_000

/** Several nodes may have one: each intent is taken once. */
export function auditIntentWorker({ audit, clock, log }: AuditIntentDependencies): Periodic {
  const work = async (mayGoOn: () => boolean) => {
    try {
      for (let taken = 1; taken > 0 && mayGoOn(); ) {
        taken = await audit.takeIntents(clock.nowMs())
        if (taken > 0) log.warn({ entries: taken }, 'changes that nobody told of are on record now')
      }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'the audit trail cannot be completed')
    }
  }
  return new Periodic({ clock, pauseMs: () => EVERY_MS, work })
}
