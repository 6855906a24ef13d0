/** Forecasts spare agents for each second to come: agents who are or will be free, less calls that will be answered. */
import type { PacingSnapshot } from './pacer-interface.ts'
import { AGENT_AGES, agentAgeAt, COLUMNS_MAX, hitsAt, LINE_AGES, lineAgeAt, type Tables } from './tables.ts'

/** Spare agents in each column, if no further line is placed. */
export interface Forecast {
  /** Pairs of mean and variance. */
  readonly spare: Float64Array
  readonly hitRate: number
}

/** Scratch arrays, reused: the pacer decides several times a second and needs a forecast only for one decision. */
const lineCounts = new Int32Array(LINE_AGES)
const agentCounts = new Int32Array(AGENT_AGES)
const sums = new Float64Array(2 * COLUMNS_MAX)

/** `waitMs`: the longest wait of a callee for an agent. The result is valid until the next forecast. */
export function forecast(snapshot: PacingSnapshot, tables: Tables, hitRate: number, waitMs: number): Forecast {
  const { live, ages } = snapshot
  const spareNow = live.idleAgents - live.waiting - (snapshot.agentsForCallers ?? 0)
  for (let column = 0; column < tables.columns; column++) {
    sums[2 * column] = spareNow
    sums[2 * column + 1] = 0
  }
  addAgents(ages.talksMs, tables.talkFree, 2 * tables.columns)
  addAgents(ages.wrapUpsMs, tables.wrapUpFree, 2 * tables.columns)
  addTimed(ages.wrapUpsLeftMs, tables, waitMs)
  takeLines(ages.linesMs, tables, hitRate)
  return { spare: sums, hitRate }
}

function addAgents(agesMs: ArrayLike<number>, free: Float64Array, width: number): void {
  const count = agesMs.length
  for (let place = 0; place < count; place++) agentCounts[agentAgeAt(agesMs[place] as number)]! += 1
  for (let age = 0; count > 0 && age < AGENT_AGES; age++) {
    const alike = agentCounts[age] as number
    if (alike === 0) continue
    agentCounts[age] = 0
    const row = age * width
    for (let place = 0; place < width; place++) sums[place]! += alike * (free[row + place] as number)
  }
}

/** A timed wrap-up ends for certain: its agent is free for every callee who answers at that time or later. */
function addTimed(leftMs: ArrayLike<number>, { columns, aheadS }: Tables, waitMs: number): void {
  for (let place = 0; place < leftMs.length; place++) {
    const fromS = ((leftMs[place] as number) - waitMs) / 1_000
    for (let column = columns - 1; column >= 0 && (aheadS[column] as number) >= fromS; column--) sums[2 * column]! += 1
  }
}

function takeLines(agesMs: ArrayLike<number>, tables: Tables, hitRate: number): void {
  const { answeredBy, columns } = tables
  const oldest = countLines(agesMs)
  for (let age = 0; age <= oldest; age++) {
    const count = lineCounts[age] as number
    if (count === 0) continue
    lineCounts[age] = 0
    const scale = hitsAt(tables, hitRate, age)
    if (scale === 0) continue
    const row = age * columns
    for (let column = 0; column < columns; column++) {
      const share = scale * (answeredBy[row + column] as number)
      sums[2 * column]! -= count * share
      sums[2 * column + 1]! += count * share * (1 - share)
    }
  }
}

/** Counts lines by age. Returns the index of the oldest line's age; -1 without lines. */
function countLines(agesMs: ArrayLike<number>): number {
  let oldest = -1
  for (let place = 0; place < agesMs.length; place++) {
    const age = lineAgeAt(agesMs[place] as number)
    lineCounts[age]! += 1
    if (age > oldest) oldest = age
  }
  return oldest
}
