/** Runs each forecast in a thread: seconds of computation must not delay calls. */
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { Forecast, Forecaster, Forecasting, ForecastOrder } from '../../ports/forecaster.ts'

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
  const busy = new Map<CorporationId, Worker>()
  let isClosed = false
  return {
    async forecast(corporation, order) {
      if (isClosed) return { ok: false, why: 'closed' }
      if (busy.has(corporation) || busy.size >= THREADS_MAX) return { ok: false, why: 'busy' }
      const thread = startThread(order)
      busy.set(corporation, thread)
      try {
        const found = await result(thread, clock, timeoutMs)
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
    // The thread gets no secrets, and prints nothing.
    env: {},
    stdout: true,
    stderr: true,
  })
}

function result(thread: Worker, clock: Clock, timeoutMs: number): Promise<Forecasting> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve({ ok: false, why: 'tooLong' })
    const timer = clock.schedule(clock.nowMs() + timeoutMs, giveUp)
    thread.once('message', (forecast: Forecast) => resolve({ ok: true, forecast }))
    thread.once('error', reject)
    // After a message or an error this changes nothing.
    thread.once('exit', () => {
      timer.cancel()
      giveUp()
    })
  })
}
