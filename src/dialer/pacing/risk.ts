/** The probability that the next line, if answered, finds no agent in time (dialing-rules.md 3.4, marginal risk). */
import type { Forecast } from './forecast.ts'
import { normalCdf } from './hazards.ts'
import type { Tables } from './tables.ts'

/** Keeps the distribution of a certain forecast from becoming a step. */
const VARIANCE_MIN = 0.02

/** The risk of the next line after `placed` new lines; 0 to 1. */
export function riskOfNext({ spare, hitRate }: Forecast, tables: Tables, placed: number): number {
  const { answerIn, answerBy, columns } = tables
  let risk = 0
  for (let column = 0; column < columns; column++) {
    const each = hitRate * (answerBy[column] as number)
    const mean = (spare[2 * column] as number) - placed * each
    const variance = (spare[2 * column + 1] as number) + placed * each * (1 - each) + VARIANCE_MIN
    risk += (answerIn[column] as number) * below((0.5 - mean) / Math.sqrt(variance))
  }
  return risk
}

/** The normal distribution function, from a table with steps of 1/128; exact to five digits. */
const STEPS = 128
const REACH = 6
const CDF = Float64Array.from({ length: 2 * REACH * STEPS + 2 }, (_, place) => normalCdf(place / STEPS - REACH))

function below(z: number): number {
  if (z <= -REACH) return 0
  if (z >= REACH) return 1
  const at = (z + REACH) * STEPS
  const place = Math.floor(at)
  const low = CDF[place] as number
  return low + (at - place) * ((CDF[place + 1] as number) - low)
}
