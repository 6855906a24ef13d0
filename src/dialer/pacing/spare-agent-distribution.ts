/**
 * The exact distribution of spare agents, for small teams. Each agent who may become free and each line that may be
 * answered is an independent chance with a probability of its own (a Poisson-binomial distribution). With few chances,
 * the normal approximation errs most at small risks, and prices are small.
 */
import type { PacingSnapshot } from './pacer-interface.ts'
import { agentAgeAt, COLUMNS_MAX, hitsAt, lineAgeAt, shareBehind, type Tables } from './tables.ts'

/** For each column, the probability that at most a number of chances come true, if no further line is placed. */
interface SpareAgentDistribution {
  /** Rows by column: the probability of none, at most 1, at most 2 …; from `width` on it is 1 or not needed. */
  readonly atMost: Float64Array
  readonly width: number
  /** No agent is spare if at most this many chances come true. */
  readonly needed: number
  readonly hitRate: number
}

/** The maximum of lines and agents for the exact distribution. */
const CHANCES_MAX = 32

/** Scratch arrays, reused: the pacer decides several times a second and needs a result only for one decision. */
const likelihoods = new Float64Array(COLUMNS_MAX * (CHANCES_MAX + 1))
const shares = new Float64Array(COLUMNS_MAX)

/** Whether lines and agents are few enough for the exact distribution. */
export function areFew(snapshot: PacingSnapshot): boolean {
  return chancesOf(snapshot) <= CHANCES_MAX
}

/** The distribution for up to `most` further lines, valid until the next call. `waitMs`: a callee's longest wait. */
export function spareAgentDistribution(
  snapshot: PacingSnapshot,
  tables: Tables,
  { hitRate, waitMs }: { readonly hitRate: number; readonly waitMs: number },
  most: number,
): SpareAgentDistribution {
  const { live, ages } = snapshot
  const { linesMs, talksMs, wrapUpsMs, wrapUpsLeftMs } = ages
  const { columns, talkFree, wrapUpFree, answeredBy } = tables
  const needed = linesMs.length + live.waiting + (snapshot.agentsForCallers ?? 0) - live.idleAgents
  const width = Math.max(1, Math.min(chancesOf(snapshot), needed + most) + 1)
  likelihoods.fill(0, 0, columns * width)
  for (let column = 0; column < columns; column++) likelihoods[column * width] = 1
  let chances = 0
  const add = (shareIn: (column: number) => number) => {
    for (let column = 0; column < columns; column++) shares[column] = shareIn(column)
    addChance(++chances, columns, width)
  }
  for (let one = 0; one < talksMs.length; one++) {
    const row = agentAgeAt(talksMs[one] as number) * columns
    add((column) => talkFree[2 * (row + column)] as number)
  }
  for (let one = 0; one < wrapUpsMs.length; one++) {
    const row = agentAgeAt(wrapUpsMs[one] as number) * columns
    add((column) => wrapUpFree[2 * (row + column)] as number)
  }
  for (let one = 0; one < wrapUpsLeftMs.length; one++) {
    const fromS = ((wrapUpsLeftMs[one] as number) - waitMs) / 1_000
    add((column) => shareBehind(tables, column, fromS))
  }
  for (let one = 0; one < linesMs.length; one++) {
    const age = lineAgeAt(linesMs[one] as number)
    const scale = hitsAt(tables, hitRate, age)
    add((column) => 1 - scale * (answeredBy[age * columns + column] as number))
  }
  for (let column = 0; column < columns; column++) addUp(column * width, width)
  return { atMost: likelihoods, width, needed, hitRate }
}

/** The risk of the next line after `placed` new lines: no agent is spare when it is answered. 0 to 1. */
export function exactRiskOfNext(
  { atMost, width, needed, hitRate }: SpareAgentDistribution,
  tables: Tables,
  placed: number,
): number {
  const { answerIn, answerBy, columns } = tables
  let risk = 0
  for (let column = 0; column < columns; column++) {
    const each = Math.min(1 - 1e-9, hitRate * (answerBy[column] as number))
    // The probability that this many new lines are answered by then: a binomial distribution, term by term.
    let likelihood = (1 - each) ** placed
    for (let answered = 0; answered <= placed; answered++) {
      const place = needed + answered
      const none = place < 0 ? 0 : place < width ? (atMost[column * width + place] as number) : 1
      risk += (answerIn[column] as number) * likelihood * none
      likelihood *= ((placed - answered) / (answered + 1)) * (each / (1 - each))
    }
  }
  return risk
}

function chancesOf({ ages: { linesMs, talksMs, wrapUpsMs, wrapUpsLeftMs } }: PacingSnapshot): number {
  return linesMs.length + talksMs.length + wrapUpsMs.length + wrapUpsLeftMs.length
}

/** Adds the chance whose probability by column stands in `shares`; `chances` includes it. */
function addChance(chances: number, columns: number, width: number): void {
  const top = Math.min(chances, width - 1)
  for (let column = 0; column < columns; column++) {
    const share = shares[column] as number
    if (share === 0) continue
    const row = column * width
    for (let place = row + top; place > row; place--) {
      const one = likelihoods[place - 1] as number
      likelihoods[place] = one * share + (likelihoods[place] as number) * (1 - share)
    }
    likelihoods[row]! *= 1 - share
  }
}

function addUp(from: number, width: number): void {
  for (let place = from + 1; place < from + width; place++) likelihoods[place]! += likelihoods[place - 1] as number
}
