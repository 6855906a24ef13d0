/** Runs each forecast in a process of its own: seconds of computation must not delay calls. */
import type { Clock } from '../../kernel/clock.ts'
import { JobProcesses } from '../../kernel/job-process.ts'
import type { Forecast, Forecaster, ForecastOrder } from '../../ports/forecaster.ts'

interface ForecasterDependencies {
  readonly clock: Clock
  readonly timeoutMs?: number
}

/** The largest forecast takes about a third of it. */
const TIMEOUT_MS = 20_000
const MEMORY_MB = 512
/** Of all corporations together; each needs a core. */
const PROCESSES_MAX = 2

/** The forecaster of this node. A process lives for one forecast. */
export function processForecaster({ clock, timeoutMs = TIMEOUT_MS }: ForecasterDependencies): Forecaster {
  const script = new URL('./forecast-process.ts', import.meta.url)
  const limits = { timeoutMs, memoryMb: MEMORY_MB, processesMax: PROCESSES_MAX }
  const processes = new JobProcesses<ForecastOrder, Forecast>({ script, clock, ...limits })
  return {
    async forecast(corporation, order) {
      const found = await processes.run(corporation, order)
      return found.ok ? { ok: true, forecast: found.result } : found
    },
    close: () => processes.close(),
  }
}
