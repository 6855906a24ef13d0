/** Forecasts a real campaign: simulates days with its learnt distributions. Pure: the same order, the same forecast. */

import { type Learnt, nothingLearnt } from '../dialer/pacing/learned-distributions.ts'
import { learningFrom } from '../dialer/pacing/saved-learning.ts'
import type { Forecast, ForecastFigure, ForecastOrder, ForecastPacing } from '../ports/forecaster.ts'
import { meanOf, samplerOf } from './distributions.ts'
import { type Estimate, estimate, runDays } from './over-days.ts'
import { policyNamed } from './policies.ts'
import type { DayResult } from './run-day.ts'
import { hitRateAt, type Scenario } from './scenario.ts'
import { scenarioFrom } from './scenario-from.ts'

const POLICIES: Readonly<Record<ForecastPacing, string>> = { price: 'e', risk: 'b', ratio: 'a', oneToOne: 'one-to-one' }
/** From this number of lines on, learnt data outweighs the first guess (dialing-rules.md 3.4). */
const LINES_MIN = 20
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Simulates the days. Throws if the simulator contradicts itself. */
export function forecastOf(order: ForecastOrder): Forecast {
  const { agents, dayMs, beginsAtMs, pacing, days, seed } = order
  const learnt = learningFrom(order.kept) ?? nothingLearnt()
  const scenario = scenarioFrom(learnt, order, { agents, hours: dayMs / HOUR_MS, beginsAtMs })
  const results: DayResult[] = []
  const policy = policyNamed(POLICIES[pacing])!
  const summary = runDays(scenario, { name: pacing, policy, days, seed, onDay: (day) => void results.push(day) })
  const { occupancyPct, occupancyCi, abandonedPct, abandonedCi } = summary
  const dials = results.map(({ campaigns }) => campaigns[0]!.dials)
  const conversations = results.map(({ campaigns }) => campaigns[0]!.connected)
  return {
    occupancyPct: figure({ mean: occupancyPct, ci: occupancyCi }, 100),
    abandonedPct: figure({ mean: abandonedPct, ci: abandonedCi }, 100),
    conversations: figure(estimate(conversations)),
    dials: figure(estimate(dials)),
    idleMeanS: rounded(summary.idleMeanS),
    timeAboveCapPct: rounded(summary.timeAboveCapPct),
    hoursForDueTasks: hoursFor(order, dials),
    laws: distributionsOf(learnt, scenario),
  }
}

/** The hours for all due tasks; undefined if a day had no dial. */
function hoursFor({ dueTasks, dayMs }: ForecastOrder, dials: readonly number[]): ForecastFigure | undefined {
  if (dials.some((count) => count === 0)) return undefined
  return figure(estimate(dials.map((count) => (dueTasks * dayMs) / HOUR_MS / count)))
}

function distributionsOf(learnt: Learnt, { campaigns, dayMs }: Scenario): Forecast['laws'] {
  const { hit, talk, wrapUp } = campaigns[0]!
  const lines = Math.round(learnt.hours.reduce((sum, hour) => sum + hour.lines, 0))
  const minutes = Array.from({ length: Math.ceil(dayMs / MINUTE_MS) }, (_, place) => place * MINUTE_MS)
  const rates = minutes.map((atMs) => hitRateAt(hit, atMs, dayMs))
  const wrapUpMs = wrapUp.kind === 'timed' ? wrapUp.lengthMs : meanOf(samplerOf(wrapUp.distribution))
  return {
    source: lines >= LINES_MIN ? 'learnt' : 'guess',
    lines,
    hitRate: rounded(estimate(rates).mean),
    meanTalkS: rounded(meanOf(samplerOf(talk)) / 1_000),
    meanWrapUpS: rounded(wrapUpMs / 1_000),
  }
}

/** A figure with its interval; no figure is below 0. */
function figure({ mean, ci }: Estimate, most = Number.POSITIVE_INFINITY): ForecastFigure {
  const [low, high] = [Math.max(0, mean - ci), Math.min(most, mean + ci)]
  return { mean: rounded(mean), low: rounded(low), high: rounded(high) }
}

/** Rounded to a thousandth; the simulation is not more exact. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
