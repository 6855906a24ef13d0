/** Supervises our own Asterisk: whatever ended it, it is started again (faults.md 2.A). */
import type { PrivateAsterisk } from '../../asterisk/private.ts'
import type { Clock, Timer } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { NotStarted } from './service-input.ts'

export interface AsteriskSupervisor {
  /** The process that runs, or that ran last. */
  readonly current: PrivateAsterisk
  start(): void
  /** Resolves when no restart is under way; Asterisk itself stays as it is. */
  stop(): Promise<void>
}

/** What a supervisor works with. `startAgain` starts Asterisk with the configuration in force. */
export interface SupervisorOptions {
  readonly startAgain: () => Promise<PrivateAsterisk | NotStarted>
  readonly clock: Clock
  readonly log: Log
}

/** A check is one read of /proc. Callers hear nothing while Asterisk is away, so the checks are frequent. */
const CHECK_EVERY_MS = 250
/** After a failed start (a port is taken, a disk is full) the pause doubles up to this. */
const LONGEST_PAUSE_MS = 30_000

/** Starts our own Asterisk again whenever its process is gone. */
export function asteriskSupervisor(
  first: PrivateAsterisk,
  { startAgain, clock, log }: SupervisorOptions,
): AsteriskSupervisor {
  let current = first
  let timer: Timer | undefined
  let checking: Promise<void> | undefined
  let pauseMs = CHECK_EVERY_MS
  let isStopped = false
  const check = async () => {
    if (current.isAlive()) {
      pauseMs = CHECK_EVERY_MS
      return
    }
    log.error({ pid: current.pid }, 'Asterisk is gone; starting it again')
    const started = await startAgain()
    if (started.ok) {
      current = started
      pauseMs = CHECK_EVERY_MS
      return log.warn({ pid: started.pid }, 'Asterisk is back')
    }
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    log.error({ reasons: started.reasons, pauseMs }, 'Asterisk does not start')
  }
  const checkLater = () => {
    timer = clock.schedule(clock.nowMs() + pauseMs, () => {
      checking = check()
        .catch((error: unknown) => log.error({ err: error }, 'the check of Asterisk failed'))
        .then(() => (isStopped ? undefined : checkLater()))
    })
  }
  return {
    get current() {
      return current
    },
    start: checkLater,
    async stop() {
      isStopped = true
      timer?.cancel()
      await checking
    },
  }
}
