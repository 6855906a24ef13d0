/** Counts through forecasts in threads of their own: seconds of pure reckoning, while calls go on beside it. */
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { Forecast, Forecaster, Forecasting, ForecastOrder } from '../../ports/forecaster.ts'

/** What a forecaster is made of. */
export interface ForecasterDependencies {
  readonly clock: Clock
  /** For one forecast. */
  readonly timeoutMs?: number
}

/** Our choice: what may be asked for takes about a third of it. */
const TIMEOUT_MS = 20_000
const MEMORY_MB = 512
/** At the same time, of all corporations; each needs a core. */
const THREADS_MAX = 2

/** A forecaster of this node: others count for themselves. A thread lives as long as its forecast takes. */
export function threadForecaster({ clock, timeoutMs = TIMEOUT_MS }: ForecasterDependencies): Forecaster {
  const busy = new Map<CorporationId, Worker>()
  let isClosed = false
  return {
    async forecast(corporation, order) {
      if (isClosed) return { ok: false, why: 'closed' }
      if (busy.has(corporation) || busy.size >= THREADS_MAX) return { ok: false, why: 'busy' }
      const thread = startThread(order)
      busy.set(corporation, thread)
      try {
        const found = await heard(thread, clock, timeoutMs)
        return isClosed ? { ok: false, why: 'closed' } : found
      } finally {
        await thread.terminate()
        busy.delete(corporation)
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...busy.values()].map((thread) => thread.terminate()))
    },
  }
}

function startThread(order: ForecastOrder): Worker {
  return new Worker(new URL('./forecast-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    // It needs no secret of ours, and prints nothing.
    env: {},
    stdout: true,
    stderr: true,
  })
}

function heard(thread: Worker, clock: Clock, timeoutMs: number): Promise<Forecasting> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve({ ok: false, why: 'tooLong' })
    const timer = clock.schedule(clock.nowMs() + timeoutMs, giveUp)
    thread.once('message', (forecast: Forecast) => resolve({ ok: true, forecast }))
    thread.once('error', reject)
    // After any of the others it changes nothing: somebody ended the thread.
    thread.once('exit', () => {
      timer.cancel()
      giveUp()
    })
  })
}
