/** Our own Asterisk is looked after: whatever ended it, it is started again (faults.md 2.A). */
import type { PrivateAsterisk } from '../../asterisk/private.ts'
import type { Clock, Timer } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { NotStarted } from './service-input.ts'

/** Our own Asterisk while the service runs. */
export interface KeptAsterisk {
  /** The one that runs, or that ran last. */
  readonly current: PrivateAsterisk
  /** Looks after it no more. Returns when nothing of that goes on; the switch itself stays as it is. */
  end(): Promise<void>
}

/** What is needed to keep it alive. `startAgain`: as it was started, with the set-up that is in force. */
export interface AsteriskKeeping {
  readonly startAgain: () => Promise<PrivateAsterisk | NotStarted>
  readonly clock: Clock
  readonly log: Log
}

/** A look is one read of /proc. Callers hear nothing until it is back: not long. */
const LOOK_MS = 250
/** One that does not start (a port was taken, a disk is full) is tried again, less and less often. */
const LONGEST_PAUSE_MS = 30_000

/** Starts our own Asterisk again whenever its process is gone, until it is ended. */
export function keepAsteriskAlive(first: PrivateAsterisk, { startAgain, clock, log }: AsteriskKeeping): KeptAsterisk {
  let current = first
  let timer: Timer | undefined
  let looking: Promise<void> | undefined
  let pauseMs = LOOK_MS
  let isEnded = false
  const look = async () => {
    if (current.isAlive()) {
      pauseMs = LOOK_MS
      return
    }
    log.error({ pid: current.pid }, 'Asterisk is gone; it is started again')
    const started = await startAgain()
    if (started.ok) {
      current = started
      pauseMs = LOOK_MS
      return log.warn({ pid: started.pid }, 'Asterisk is back')
    }
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    log.error({ reasons: started.reasons, pauseMs }, 'Asterisk does not start')
  }
  const lookLater = () => {
    timer = clock.schedule(clock.nowMs() + pauseMs, () => {
      looking = look()
        .catch((error: unknown) => log.error({ err: error }, 'Asterisk cannot be looked after'))
        .then(() => (isEnded ? undefined : lookLater()))
    })
  }
  lookLater()
  return {
    get current() {
      return current
    },
    async end() {
      isEnded = true
      timer?.cancel()
      await looking
    },
  }
}
