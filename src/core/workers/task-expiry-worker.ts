/** Finishes call tasks whose validity is over, twice a minute (campaigns-58). */
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import { DatabaseUnavailable, type DialerRepository } from '../../ports/dialer-repository.ts'

interface TaskExpiryDependencies {
  readonly dialerRepository: Pick<DialerRepository, 'expireTasks'>
  readonly clock: Clock
  readonly log: Log
}

/** The gate refuses an expired task at once; an integrator reads its status within a minute. */
const EVERY_MS = 30_000

/** Several nodes may each run one: each task expires once. */
export function taskExpiryWorker({ dialerRepository, clock, log }: TaskExpiryDependencies): Periodic {
  const work = async () => {
    try {
      await dialerRepository.expireTasks(clock.nowMs())
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) log.error({ error }, 'call tasks could not be expired')
    }
  }
  return new Periodic({ clock, pauseMs: () => EVERY_MS, work })
}
