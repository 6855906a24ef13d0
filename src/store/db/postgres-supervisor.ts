import type { Clock, Timer } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'

const LOOK_MS = 500
const LONGEST_PAUSE_MS = 30_000

export interface ServerWatch {
  /** Resolves when no restart is in progress. */
  end(): Promise<void>
}

/** Restarts the embedded server when its process has ended (F-D1), with growing pauses if it does not start. */
export function keepServerAlive(
  server: Pick<EmbeddedPostgres, 'start' | 'runningPid'>,
  clock: Clock,
  log: Log,
): ServerWatch {
  let timer: Timer | undefined
  let looking: Promise<void> | undefined
  let pauseMs = LOOK_MS
  let isEnded = false
  const look = async () => {
    if (server.runningPid() !== undefined) {
      pauseMs = LOOK_MS
      return
    }
    log.warn({}, 'the database server is gone; it is started again')
    const problem = await server.start()
    pauseMs = problem ? Math.min(pauseMs * 2, LONGEST_PAUSE_MS) : LOOK_MS
    if (problem) log.error({ ...problem, pauseMs }, 'the database server does not start')
    else log.info({}, 'the database server is back')
  }
  const lookLater = () => {
    timer = clock.schedule(clock.nowMs() + pauseMs, () => {
      looking = look()
        .catch((error: unknown) => log.error({ error }, 'the database server cannot be looked after'))
        .then(() => (isEnded ? undefined : lookLater()))
    })
  }
  lookLater()
  return {
    end: async () => {
      isEnded = true
      timer?.cancel()
      await looking
    },
  }
}
