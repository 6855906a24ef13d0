/** Supervises our own Asterisk: whatever ended it, or keeps it from answering, it is started again (faults.md 2.A). */
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

/** What a supervisor works with. */
export interface SupervisorOptions {
  /** Starts Asterisk with the configuration in force. */
  readonly startAgain: () => Promise<PrivateAsterisk | NotStarted>
  /** Whether it says anything when it is asked; false costs the time that it was given. */
  readonly answers: (asterisk: PrivateAsterisk) => Promise<boolean>
  readonly clock: Clock
  readonly log: Log
}

/** A check is one read of /proc. Callers hear nothing while Asterisk is away, so the checks are frequent. */
const CHECK_EVERY_MS = 250
/** Our choice: of an Asterisk that is silent for so long nobody has heard anything either, and nothing else ends it. */
const ASK_EVERY_MS = 10_000
const SILENT_MAX = 12
/** After a failed start (a port is taken, a disk is full) the pause doubles up to this. */
const LONGEST_PAUSE_MS = 30_000

/** Starts our own Asterisk again whenever its process is gone, or hangs. */
export function asteriskSupervisor(first: PrivateAsterisk, options: SupervisorOptions): AsteriskSupervisor {
  const { startAgain, clock, log } = options
  const silence = silenceOf(options)
  let current = first
  let timer: Timer | undefined
  let checking: Promise<void> | undefined
  let pauseMs = CHECK_EVERY_MS
  let isStopped = false
  const check = async () => {
    if (current.isAlive()) {
      pauseMs = CHECK_EVERY_MS
      if (!(await silence.isTooLong(current)) || isStopped) return
      log.error({ pid: current.pid }, 'Asterisk hangs; it is killed, and its calls end')
      return current.kill()
    }
    log.error({ pid: current.pid }, 'Asterisk is gone; starting it again')
    const started = await startAgain()
    if (started.ok) {
      current = started
      pauseMs = CHECK_EVERY_MS
      silence.ends()
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

/** Counted in questions, not in time: a computer that slept has missed no answer. */
function silenceOf({ answers, clock, log }: SupervisorOptions) {
  let askAtMs = clock.nowMs() + ASK_EVERY_MS
  let silences = 0
  return {
    ends() {
      silences = 0
    },
    async isTooLong(asterisk: PrivateAsterisk): Promise<boolean> {
      const nowMs = clock.nowMs()
      // A clock that was ahead and was set right asks now.
      if (nowMs < askAtMs && askAtMs <= nowMs + ASK_EVERY_MS) return false
      const isSilent = !(await answers(asterisk)) && asterisk.isAlive()
      askAtMs = clock.nowMs() + ASK_EVERY_MS
      silences = isSilent ? silences + 1 : 0
      if (isSilent) log.warn({ pid: asterisk.pid, silences, of: SILENT_MAX }, 'Asterisk runs and does not answer')
      return silences >= SILENT_MAX
    },
  }
}
