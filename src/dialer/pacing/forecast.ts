/** How many agents will be spare in each second to come: what is free or will be, less what will be answered. */
import type { PacingSnapshot } from './pacer.ts'
import { AGENT_AGE_S, AGENT_AGES, HORIZON_S, LINE_AGE_S, LINE_AGES, type Tables } from './tables.ts'

/** Spare agents `ahead` seconds from now, if no further line is placed: mean and variance, one for each second. */
export interface Forecast {
  readonly mean: Float64Array
  readonly variance: Float64Array
  /** The share of new lines that a person answers. */
  readonly hitRate: number
}

/** Scratch memory, reused: a decision is made several times a second, and nothing of it outlives the decision. */
const lineCounts = new Int32Array(LINE_AGES)
const talkCounts = new Int32Array(AGENT_AGES)
const wrapUpCounts = new Int32Array(AGENT_AGES)
const mean = new Float64Array(HORIZON_S)
const variance = new Float64Array(HORIZON_S)

/** `waitS`: whole seconds that a person who answered may be left waiting. Valid until the next forecast is made. */
export function forecast(snapshot: PacingSnapshot, tables: Tables, hitRate: number, waitS: number): Forecast {
  const { live, ages } = snapshot
  mean.fill(live.idleAgents - live.waiting)
  variance.fill(0)
  addAgents(ages.talksMs, talkCounts, tables.talkFree, tables.talkVariance, waitS)
  addAgents(ages.wrapUpsMs, wrapUpCounts, tables.wrapUpFree, tables.wrapUpVariance, waitS)
  for (let place = 0; place < ages.wrapUpsLeftMs.length; place++) {
    const fromS = Math.max(0, Math.ceil((ages.wrapUpsLeftMs[place] as number) / 1_000) - waitS)
    for (let ahead = fromS; ahead < HORIZON_S; ahead++) mean[ahead]! += 1
  }
  takeLines(ages.linesMs, tables, hitRate)
  return { mean, variance, hitRate }
}

/** An agent counts for an answer when they are free within the wait after it. */
function addAgents(
  agesMs: ArrayLike<number>,
  counts: Int32Array,
  free: Float64Array,
  variances: Float64Array,
  waitS: number,
): void {
  const oldest = countAges(agesMs, counts, AGENT_AGE_S * 1_000)
  for (let age = 0; age <= oldest; age++) {
    const count = counts[age] as number
    if (count === 0) continue
    counts[age] = 0
    const row = age * HORIZON_S
    for (let ahead = 0; ahead < HORIZON_S; ahead++) {
      const column = row + Math.min(HORIZON_S - 1, ahead + waitS)
      mean[ahead]! += count * (free[column] as number)
      variance[ahead]! += count * (variances[column] as number)
    }
  }
}

function takeLines(agesMs: ArrayLike<number>, tables: Tables, hitRate: number): void {
  const { answeredBy, answersLeft, failuresLeft } = tables
  const oldest = countAges(agesMs, lineCounts, LINE_AGE_S * 1_000)
  for (let age = 0; age <= oldest; age++) {
    const count = lineCounts[age] as number
    if (count === 0) continue
    lineCounts[age] = 0
    const left = hitRate * (answersLeft[age] as number) + (1 - hitRate) * (failuresLeft[age] as number)
    if (left < 1e-6) continue
    const scale = hitRate / left
    const row = age * HORIZON_S
    for (let ahead = 0; ahead < HORIZON_S; ahead++) {
      const share = Math.min(1, scale * (answeredBy[row + ahead] as number))
      mean[ahead]! -= count * share
      variance[ahead]! += count * share * (1 - share)
    }
  }
}

/** Counts ages into spans; the place of the oldest, -1 without any. */
function countAges(agesMs: ArrayLike<number>, counts: Int32Array, spanMs: number): number {
  let oldest = -1
  for (let place = 0; place < agesMs.length; place++) {
    const age = Math.min(counts.length - 1, Math.max(0, Math.floor((agesMs[place] as number) / spanMs)))
    counts[age]! += 1
    if (age > oldest) oldest = age
  }
  return oldest
}
