/**
 * Algorithm C (dialing-rules.md 3.4b): a Monte-Carlo look-ahead. It plays the queue through many futures, each drawn
 * from the rest of the learned distributions, and counts late agents. A referee for policy E, which looks at
 * each instant by itself: this sees who took whose agent, and is some hundred times as dear. For small teams: a future
 * has draws of its own for 48 lines, 48 agents and 32 new lines; beyond that draws are used twice.
 */
import type { WrapUp } from '../src/acd/agent-session-messages.ts'
import { type Hazards, survivalOf } from '../src/dialer/pacing/hazards.ts'
import {
  type LearnedDistributions,
  type Learnt,
  learnFact,
  nothingLearnt,
} from '../src/dialer/pacing/learned-distributions.ts'
import { oneToOne, type Pacer, type PacingSnapshot, withinLimits } from '../src/dialer/pacing/pacer-interface.ts'
import { type PacedCampaign, priceOf } from '../src/dialer/pacing/priced-risk.ts'
import { RING_SPAN_S, RING_SPANS } from '../src/dialer/pacing/ring-time-distribution.ts'
import { tablesOf } from '../src/dialer/pacing/tables.ts'
import type { Random } from '../src/kernel/random.ts'

/** The draws of so many futures. The same ones for every question: answers differ by what is asked, not by luck. */
interface Futures {
  readonly count: number
  readonly draws: Float64Array
}

/** What futures are played from. */
interface LookedAt {
  readonly snapshot: PacingSnapshot
  readonly laws: LearnedDistributions
  readonly hitRate: number
  readonly waitMs: number
  readonly wrapUp: WrapUp
}

const LINES = 48
const AGENTS = 48
const NEW_LINES = 32
const STRIDE = 2 * (LINES + AGENTS + NEW_LINES)
const FUTURES = 300
/** More than trunks, ledgers and agents allow to any small team. */
const WANTED = 1_000
/** Half an hour, in seconds: the look-ahead ignores agents who talk for longer. */
const REACH_S = 1_800

/** Draws futures once and for all. */
export function drawFutures(random: Random, count = FUTURES): Futures {
  return { count, draws: Float64Array.from({ length: count * STRIDE }, () => random.next()) }
}

/**
 * How likely the next line, if answered, finds no agent in time when `placed` new ones are out beside what is out
 * already; `others`: how many more of the others are lost for it.
 */
export function riskByFutures(
  at: LookedAt,
  { count, draws }: Futures,
  placed: number,
): { own: number; others: number } {
  const samplers = samplersOf(at)
  const waitS = at.waitMs / 1_000
  let own = 0
  let others = 0
  for (let future = 0; future < count; future++) {
    const draw = (place: number) => draws[future * STRIDE + place] as number
    const answers = answersIn(at, samplers, draw, placed)
    const free = freeIn(at, samplers, draw)
    const extra = samplers.answerAt(draw(2 * (LINES + AGENTS) + 2 * (placed % NEW_LINES) + 1), 0)
    const without = lostOf(answers, free, waitS, Number.NaN)
    const along = lostOf(
      [...answers, extra].sort((a, b) => a - b),
      free,
      waitS,
      extra,
    )
    if (along.isLost) own++
    others += along.lost - without.lost - (along.isLost ? 1 : 0)
  }
  return { own: own / count, others: others / count }
}

/** The referee as a pacer: policy E's price, and risks out of futures. */
export function lookAheadPacer(campaign: PacedCampaign, random: Random): Pacer<Learnt> {
  const futures = drawFutures(random)
  return {
    begin: nothingLearnt,
    learn: learnFact,
    place: (snapshot, { inUse, hitRate }) => {
      const tables = tablesOf(inUse, campaign)
      const prices = snapshot.ledgers.map((ledger) => priceOf(ledger, snapshot, tables, hitRate).riskMax)
      const riskMax = Math.min(...prices, 1)
      const most = withinLimits(WANTED, 'risk', snapshot).lines
      const at = { snapshot, laws: inUse, hitRate, waitMs: campaign.waitMs, wrapUp: campaign.wrapUp }
      let lines = Math.min(most, Math.max(0, oneToOne(snapshot.live)))
      while (lines < most && riskByFutures(at, futures, lines).own <= riskMax) lines++
      return withinLimits(lines, 'risk', snapshot)
    },
  }
}

type Draw = (place: number) => number

interface Samplers {
  /** When a line of that age is answered, seconds from now, if it is. */
  answerAt(draw: number, ageS: number): number
  /** How likely a line of that age is answered at all. */
  hitAt(ageS: number): number
  talkLeft(draw: number, ageS: number): number
  wrapUpLeft(draw: number, ageS: number): number
}

const made = new WeakMap<
  LearnedDistributions,
  Omit<Samplers, 'hitAt'> & { failedBy(ageS: number): number; answeredBy(ageS: number): number }
>()

function samplersOf({ laws: distributions, hitRate, wrapUp }: LookedAt): Samplers {
  const known = made.get(distributions) ?? distributionSamplers(distributions)
  made.set(distributions, known)
  const hitAt = (ageS: number) => {
    const coming = hitRate * (1 - known.answeredBy(ageS))
    return coming / Math.max(1e-9, coming + (1 - hitRate) * (1 - known.failedBy(ageS)))
  }
  const timedS = wrapUp.kind === 'timed' ? wrapUp.lengthMs / 1_000 : undefined
  return { ...known, hitAt, ...(timedS !== undefined && { wrapUpLeft: (_: number, ageS: number) => timedS - ageS }) }
}

function distributionSamplers({ rings, talks, wrapUps }: LearnedDistributions) {
  const [answered, failed] = [sumsOf(rings.answers), sumsOf(rings.failures)]
  const by = (sums: Float64Array) => (ageS: number) => {
    const at = Math.min(RING_SPANS, ageS / RING_SPAN_S)
    const below = Math.floor(at)
    const low = sums[below] as number
    return low + (at - below) * ((sums[Math.min(RING_SPANS, below + 1)] as number) - low)
  }
  const answeredBy = by(answered)
  const answerAt = (draw: number, ageS: number) => {
    const share = answeredBy(ageS) + draw * (1 - answeredBy(ageS))
    const span = firstWhere(answered.length, (place) => (answered[place] as number) >= share)
    const [low, high] = [answered[Math.max(0, span - 1)] as number, answered[span] as number]
    const within = high > low ? (share - low) / (high - low) : 1
    return Math.max(0, (Math.max(0, span - 1) + within) * RING_SPAN_S - ageS)
  }
  return { answerAt, answeredBy, failedBy: by(failed), talkLeft: lengthLeft(talks), wrapUpLeft: lengthLeft(wrapUps) }
}

function sumsOf(counts: readonly number[]): Float64Array {
  const sums = new Float64Array(RING_SPANS + 1)
  for (const [place, count] of counts.entries()) sums[place + 1] = (sums[place] as number) + count
  const total = Math.max(1e-9, sums[RING_SPANS] as number)
  return sums.map((sum) => sum / total)
}

function lengthLeft(hazards: Hazards): (draw: number, ageS: number) => number {
  const alive = survivalOf(hazards, 1, REACH_S)
  return (draw, ageS) => {
    const from = Math.min(REACH_S - 1, Math.floor(ageS))
    const share = (1 - draw) * (alive[from] as number)
    const end = firstWhere(REACH_S - from, (place) => (alive[from + place] as number) <= share)
    return Math.max(0, end - 0.5)
  }
}

/** The first place for which it holds, as it does for all that follow; `count - 1` where for none. */
function firstWhere(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The instants of answers, in order; waiting callees count as answered now. */
function answersIn({ snapshot }: LookedAt, samplers: Samplers, draw: Draw, placed: number): number[] {
  const { linesMs } = snapshot.ages
  const answers = Array.from({ length: snapshot.live.waiting }, () => 0)
  for (let line = 0; line < linesMs.length; line++) {
    const ageS = (linesMs[line] as number) / 1_000
    const place = 2 * (line % LINES)
    if (draw(place) < samplers.hitAt(ageS)) answers.push(samplers.answerAt(draw(place + 1), ageS))
  }
  for (let line = 0; line < placed; line++) {
    const place = 2 * (LINES + AGENTS) + 2 * (line % NEW_LINES)
    if (draw(place) < samplers.hitAt(0)) answers.push(samplers.answerAt(draw(place + 1), 0))
  }
  return answers.sort((a, b) => a - b)
}

/** The instants at which agents become free, in order. An agent who takes a call stays busy for the rest. */
function freeIn({ snapshot: { live, ages } }: LookedAt, samplers: Samplers, draw: Draw): number[] {
  const free = Array.from({ length: live.idleAgents }, () => 0)
  let agent = 0
  const place = () => 2 * (LINES + (agent++ % AGENTS))
  for (let one = 0; one < ages.talksMs.length; one++) {
    const at = place()
    const talkS = samplers.talkLeft(draw(at), (ages.talksMs[one] as number) / 1_000)
    free.push(talkS + samplers.wrapUpLeft(draw(at + 1), 0))
  }
  for (let one = 0; one < ages.wrapUpsMs.length; one++) {
    free.push(samplers.wrapUpLeft(draw(place()), (ages.wrapUpsMs[one] as number) / 1_000))
  }
  for (let one = 0; one < ages.wrapUpsLeftMs.length; one++) free.push((ages.wrapUpsLeftMs[one] as number) / 1_000)
  return free.sort((a, b) => a - b)
}

/** The first callee to answer gets the first free agent, or is lost after the wait. */
function lostOf(answers: readonly number[], free: readonly number[], waitS: number, watched: number) {
  let next = 0
  let lost = 0
  let isLost = false
  for (const atS of answers) {
    if ((free[next] ?? Number.POSITIVE_INFINITY) <= atS + waitS) next++
    else {
      lost++
      if (atS === watched) isLost = true
    }
  }
  return { lost, isLost }
}
