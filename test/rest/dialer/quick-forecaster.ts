/** A forecaster without simulation: for worlds that ask for hundreds of forecasts. */
import type { Forecaster } from '../../../src/ports/forecaster.ts'

/** Keeps the port's promises (`test/core/forecast/process-forecaster.test.ts`); its figures are invented. */
export function quickForecaster(): Forecaster {
  let isClosed = false
  return {
    async forecast(_corporation, { seed, dueTasks, agents }) {
      if (isClosed) return { ok: false, why: 'closed' }
      const figure = (mean: number) => ({ mean, low: mean * 0.9, high: mean * 1.1 })
      const distributions = { source: 'guess', lines: 0, hitRate: 0.3, meanTalkS: 180, meanWrapUpS: 20 } as const
      return {
        ok: true,
        forecast: {
          occupancyPct: figure(80),
          abandonedPct: figure(2),
          conversations: figure(100 * agents),
          dials: figure(300 * agents),
          idleMeanS: 20 + (seed % 10),
          timeAboveCapPct: 0,
          laws: distributions,
          hoursForDueTasks: figure(dueTasks / 100),
        },
      }
    },
    async close() {
      isClosed = true
    },
  }
}
