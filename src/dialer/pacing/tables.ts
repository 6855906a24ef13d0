/** Forecasts by age, made of learnt laws once in minutes and read many times a second. */
import type { WrapUp } from '../../calls/seat-talk.ts'
import { survivalOf } from './hazards.ts'
import type { Laws } from './laws.ts'
import { shareBelow } from './ring-law.ts'

/** Forecasts reach 36 seconds ahead: longer than nearly every line that is answered was out. */
export const HORIZON_S = 36
/** Ages of lines, in quarters of a second up to 64 s. */
export const LINE_AGE_S = 0.25
export const LINE_AGES = 256
/** Ages of talks and wrap-ups, in spans of 2 s up to 20 minutes; older ones are taken for as old as that. */
export const AGENT_AGE_S = 2
export const AGENT_AGES = 600

/** What is read off learnt laws. Rows by age, a column for each second ahead. */
export interface Tables {
  /** Of lines that will be answered: the share answered by then, and not yet at that age. */
  readonly answeredBy: Float64Array
  /** The share of coming answers, and of coming failures, that is still to come at an age. */
  readonly answersLeft: Float64Array
  readonly failuresLeft: Float64Array
  /** How likely an agent who talks, or wraps up, is free by then; and the variance of it. */
  readonly talkFree: Float64Array
  readonly talkVariance: Float64Array
  readonly wrapUpFree: Float64Array
  readonly wrapUpVariance: Float64Array
  /** Of a new line that will be answered: the share answered in each second, and by each second. */
  readonly answerIn: Float64Array
  readonly answerBy: Float64Array
  readonly meanAnswerS: number
  readonly meanFailureS: number
  /** Of a talk and its wrap-up. */
  readonly meanServiceS: number
}

/** Tables are big and laws are plain data: as long as somebody holds the laws, their tables are at hand. */
const made = new WeakMap<Laws, Map<string, Tables>>()

/** The tables of these laws; made when they are first asked for. `wrapUp` is the campaign's. */
export function tablesOf(laws: Laws, wrapUp: WrapUp): Tables {
  const key = wrapUp.kind === 'timed' ? `timed ${wrapUp.lengthMs}` : 'byHand'
  const byWrapUp = made.get(laws) ?? new Map<string, Tables>()
  const known = byWrapUp.get(key)
  if (known) return known
  const tables = { ...ringTables(laws), ...agentTables(laws, wrapUp) }
  made.set(laws, byWrapUp.set(key, tables))
  return tables
}

function ringTables({ rings }: Laws) {
  const answered = shareBelow(rings.answers)
  const failed = shareBelow(rings.failures)
  const answeredBy = new Float64Array(LINE_AGES * HORIZON_S)
  const answersLeft = new Float64Array(LINE_AGES)
  const failuresLeft = new Float64Array(LINE_AGES)
  for (let age = 0; age < LINE_AGES; age++) {
    const ageS = (age + 0.5) * LINE_AGE_S
    answersLeft[age] = 1 - answered(ageS)
    failuresLeft[age] = 1 - failed(ageS)
    for (let ahead = 0; ahead < HORIZON_S; ahead++) {
      answeredBy[age * HORIZON_S + ahead] = answered(ageS + ahead) - answered(ageS)
    }
  }
  const answerBy = Float64Array.from({ length: HORIZON_S }, (_, ahead) => answered(ahead))
  const answerIn = answerBy.map((_, ahead) => answered(ahead + 0.5) - answered(ahead - 0.5))
  const all = answerIn.reduce((sum, share) => sum + share, 0)
  return {
    ...{ answeredBy, answersLeft, failuresLeft, answerBy },
    answerIn: answerIn.map((share) => share / Math.max(1e-9, all)),
    meanAnswerS: meanOf(rings.answers),
    meanFailureS: meanOf(rings.failures),
  }
}

function meanOf(counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.reduce((sum, count, place) => sum + count * (place + 0.5) * 0.5, 0) / Math.max(1e-9, total)
}

function agentTables({ talks, wrapUps }: Laws, wrapUp: WrapUp) {
  // In whole seconds: a wrap-up of twenty seconds needs it.
  const seconds = AGENT_AGES * AGENT_AGE_S + HORIZON_S + 1
  const talking = survivalOf(talks, 1, seconds)
  const wrapping = survivalOf(wrapUps, 1, seconds)
  const wrappedBy = (second: number) => {
    if (wrapUp.kind === 'timed') return second * 1_000 >= wrapUp.lengthMs ? 1 : 0
    return second < 0 ? 0 : 1 - (wrapping[second] as number)
  }
  const talkFree = new Float64Array(AGENT_AGES * HORIZON_S)
  const wrapUpFree = new Float64Array(AGENT_AGES * HORIZON_S)
  for (let age = 0; age < AGENT_AGES; age++) {
    const ageS = age * AGENT_AGE_S + 1
    const alive = Math.max(1e-12, talking[ageS] as number)
    for (let ahead = 0; ahead < HORIZON_S; ahead++) {
      let free = 0
      for (let end = 0; end < ahead; end++) {
        const ends = ((talking[ageS + end] as number) - (talking[ageS + end + 1] as number)) / alive
        free += (ends * (wrappedBy(ahead - end) + wrappedBy(ahead - end - 1))) / 2
      }
      talkFree[age * HORIZON_S + ahead] = free
      const left = (wrapping[ageS + ahead] as number) / Math.max(1e-12, wrapping[ageS] as number)
      wrapUpFree[age * HORIZON_S + ahead] = 1 - left
    }
  }
  const variance = (shares: Float64Array) => shares.map((share) => share * (1 - share))
  const wrapUpS = wrapUp.kind === 'timed' ? wrapUp.lengthMs / 1_000 : sumOf(wrapping)
  return {
    ...{ talkFree, wrapUpFree, talkVariance: variance(talkFree), wrapUpVariance: variance(wrapUpFree) },
    meanServiceS: sumOf(talking) + wrapUpS,
  }
}

function sumOf(alive: Float64Array): number {
  return alive.reduce((sum, share) => sum + share, 0) - 0.5
}
