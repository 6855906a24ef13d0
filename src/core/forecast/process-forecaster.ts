/** Runs each forecast in a thread: seconds of computation must not delay calls. */
import type { Clock } from '../../kernel/clock.ts'
import { JobThreads } from '../../kernel/job-thread.ts'
import type { Forecast, Forecaster, ForecastOrder } from '../../ports/forecaster.ts'

interface ForecasterDependencies {
  readonly clock: Clock
  readonly timeoutMs?: number
}

/** The largest forecast takes about a third of it. */
const TIMEOUT_MS = 20_000
const MEMORY_MB = 512
/** Of all corporations together; each thread needs a core. */
const THREADS_MAX = 2

/** The forecaster of this node. A thread lives for one forecast. */
export function threadForecaster({ clock, timeoutMs = TIMEOUT_MS }: ForecasterDependencies): Forecaster {
  const script = new URL('./forecast-thread.ts', import.meta.url)
  const limits = { timeoutMs, memoryMb: MEMORY_MB, threadsMax: THREADS_MAX }
  const threads = new JobThreads<ForecastOrder, Forecast>({ script, clock, ...limits })
  return {
    async forecast(corporation, order) {
      const found = await threads.run(corporation, order)
      return found.ok ? { ok: true, forecast: found.result } : found
    },
    close: () => threads.close(),
  }
}
