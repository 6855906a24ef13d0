/** Forecasts by age: built from learnt distributions every few minutes, read many times a second. */
import type { WrapUp } from '../../acd/agent-session-messages.ts'
import { survivalOf } from './hazards.ts'
import type { LearnedDistributions } from './learned-distributions.ts'
import { shareBelow } from './ring-time-distribution.ts'

/** Forecasts reach 36 seconds ahead: nearly every answered line is answered sooner. */
const HORIZON_S = 36
/** The width of a column; its instant is the middle. */
const COLUMN_S = 2
/** An upper bound of the number of columns. */
export const COLUMNS_MAX = 64
/** Columns with a smaller share of the answers are left out. */
const SHARE_MIN = 2e-4
/** The resolution of lines' ages, up to 64 s. */
const LINE_AGE_S = 0.25
/** The number of line ages. */
export const LINE_AGES = 256
/** Begins of the age spans of talks and wrap-ups, in seconds: 2 s wide up to a minute, then wider; the last is open. */
const AGENT_AGES_S: readonly number[] = [...steps(0, 60, 2), ...steps(60, 180, 4), ...steps(180, 1_200, 20), 1_200]
/** The number of age spans. */
export const AGENT_AGES = AGENT_AGES_S.length

/** Rows by age, with a column for every two seconds ahead. In rows of pairs the second is the variance of the first. */
export interface Tables {
  readonly columns: number
  readonly isTimed: boolean
  /** Of lines that will be answered and are not yet answered at that age: the share answered by then. */
  readonly answeredBy: Float64Array
  /** The shares of all answers and of all failures that come after an age. */
  readonly answersLeft: Float64Array
  readonly failuresLeft: Float64Array
  /** Pairs: the probability that an agent who talks, or wraps up, is free in time for a callee who answers then. */
  readonly talkFree: Float64Array
  readonly wrapUpFree: Float64Array
  /** The instant of each column, in seconds from now. */
  readonly aheadS: Float64Array
  /** Of new lines that will be answered: the share answered in each column, and by its middle. */
  readonly answerIn: Float64Array
  readonly answerBy: Float64Array
  readonly meanAnswerS: number
  readonly meanFailureS: number
  readonly meanServiceS: number
}

interface Waits {
  readonly waitMs: number
  readonly wrapUp: WrapUp
}

/** A cache: tables are big and distributions are plain data; the tables live as long as their distributions. */
const made = new WeakMap<LearnedDistributions, Map<string, Tables>>()

/** The tables of these distributions, built at the first call. */
export function tablesOf(distributions: LearnedDistributions, { waitMs, wrapUp }: Waits): Tables {
  const key = `${waitMs} ${wrapUp.kind === 'timed' ? wrapUp.lengthMs : 'byHand'}`
  const byWaits = made.get(distributions) ?? new Map<string, Tables>()
  const known = byWaits.get(key)
  if (known) return known
  const rings = ringTables(distributions)
  const tables = { ...rings, ...agentTables(distributions, wrapUp, Math.floor(waitMs / 1_000), rings.aheadS) }
  made.set(distributions, byWaits.set(key, tables))
  return tables
}

/** The row of a line's age, in quarters of a second. */
export function lineAgeAt(ageMs: number): number {
  return Math.min(LINE_AGES - 1, Math.max(0, Math.floor(ageMs / (LINE_AGE_S * 1_000))))
}

/** For lines of that age: the probability of an answer at all, over the share of answers still to come. */
export function hitsAt({ answersLeft, failuresLeft }: Tables, hitRate: number, age: number): number {
  const left = hitRate * (answersLeft[age] as number) + (1 - hitRate) * (failuresLeft[age] as number)
  return left < 1e-6 ? 0 : hitRate / left
}

/** The share of a column's time after an instant, in seconds from now. */
export function shareBehind({ aheadS }: Tables, column: number, fromS: number): number {
  return Math.min(1, Math.max(0, ((aheadS[column] as number) - fromS) / COLUMN_S + 0.5))
}

/** The age span of an agent's talk or wrap-up. */
export function agentAgeAt(ageMs: number): number {
  const ageS = ageMs / 1_000
  if (ageS < 60) return Math.max(0, Math.floor(ageS / 2))
  if (ageS < 180) return 30 + Math.floor((ageS - 60) / 4)
  return Math.min(AGENT_AGES - 1, 60 + Math.floor((ageS - 180) / 20))
}

function ringTables({ rings }: LearnedDistributions) {
  const answered = shareBelow(rings.answers)
  const failed = shareBelow(rings.failures)
  const shareIn = (aheadS: number) => answered(aheadS + COLUMN_S / 2) - answered(aheadS - COLUMN_S / 2)
  const likely = steps(0, HORIZON_S, COLUMN_S).filter((aheadS) => shareIn(aheadS) >= SHARE_MIN)
  const aheadS = Float64Array.from(likely.length > 0 ? likely : [0])
  const columns = aheadS.length
  const all = aheadS.reduce((sum, second) => sum + shareIn(second), 0)
  const answeredBy = new Float64Array(LINE_AGES * columns)
  const answersLeft = new Float64Array(LINE_AGES)
  const failuresLeft = new Float64Array(LINE_AGES)
  for (let age = 0; age < LINE_AGES; age++) {
    const ageS = (age + 0.5) * LINE_AGE_S
    answersLeft[age] = 1 - answered(ageS)
    failuresLeft[age] = 1 - failed(ageS)
    for (const [column, second] of aheadS.entries()) {
      answeredBy[age * columns + column] = answered(ageS + second) - answered(ageS)
    }
  }
  return {
    columns,
    aheadS,
    answeredBy,
    answersLeft,
    failuresLeft,
    answerIn: aheadS.map((second) => shareIn(second) / Math.max(1e-9, all)),
    answerBy: aheadS.map((second) => answered(second)),
    meanAnswerS: meanOf(rings.answers),
    meanFailureS: meanOf(rings.failures),
  }
}

function meanOf(counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.reduce((sum, count, place) => sum + count * (place + 0.5) * 0.5, 0) / Math.max(1e-9, total)
}

function agentTables({ talks, wrapUps }: LearnedDistributions, wrapUp: WrapUp, waitS: number, aheadS: Float64Array) {
  // In whole seconds: a wrap-up of twenty seconds needs this resolution.
  const seconds = 1_200 + 2 * HORIZON_S
  const talking = survivalOf(talks, 1, seconds)
  const wrapping = survivalOf(wrapUps, 1, seconds)
  const wrapped = Float64Array.from({ length: 2 * HORIZON_S }, (_, second) => {
    if (wrapUp.kind === 'timed') return second * 1_000 >= wrapUp.lengthMs ? 1 : 0
    return 1 - (wrapping[second] as number)
  })
  const columns = aheadS.length
  const talkFree = new Float64Array(AGENT_AGES * columns)
  const wrapUpFree = new Float64Array(AGENT_AGES * columns)
  for (const [age, fromS] of AGENT_AGES_S.entries()) {
    const ageS = Math.floor((fromS + (AGENT_AGES_S[age + 1] ?? fromS)) / 2)
    for (const [column, second] of aheadS.entries()) {
      const untilS = second + waitS
      talkFree[age * columns + column] = freeBy(talking, ageS, untilS, wrapped)
      const left = (wrapping[ageS + untilS] as number) / Math.max(1e-12, wrapping[ageS] as number)
      wrapUpFree[age * columns + column] = 1 - left
    }
  }
  const wrapUpS = wrapUp.kind === 'timed' ? wrapUp.lengthMs / 1_000 : sumOf(wrapping)
  return {
    isTimed: wrapUp.kind === 'timed',
    talkFree: withVariance(talkFree),
    wrapUpFree: withVariance(wrapUpFree),
    meanServiceS: sumOf(talking) + wrapUpS,
  }
}

/** The probability that a talk of that age and the wrap-up after it are over within `untilS`. */
function freeBy(talking: Float64Array, ageS: number, untilS: number, wrapped: Float64Array): number {
  const alive = Math.max(1e-12, talking[ageS] as number)
  let free = 0
  for (let end = 0; end < untilS; end++) {
    const ends = (talking[ageS + end] as number) - (talking[ageS + end + 1] as number)
    free += (ends * ((wrapped[untilS - end] as number) + (wrapped[untilS - end - 1] as number))) / 2
  }
  return free / alive
}

/** Pairs of each share and its variance, because they are read together. */
function withVariance(shares: Float64Array): Float64Array {
  return Float64Array.from({ length: 2 * shares.length }, (_, place) => {
    const share = shares[place >> 1] as number
    return place % 2 === 0 ? share : share * (1 - share)
  })
}

function sumOf(alive: Float64Array): number {
  return alive.reduce((sum, share) => sum + share, 0) - 0.5
}

function steps(from: number, to: number, by: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / by) }, (_, place) => from + place * by)
}
