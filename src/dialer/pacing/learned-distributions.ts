/** What a pacer learns from its campaign's outcomes. Plain data, kept over restarts. */
import type { AtMs } from '../../kernel/clock.ts'
import { guessedHazards, type Hazards, withEnd } from './hazards.ts'
import type { PacingFact } from './pacer-interface.ts'
import { GUESSED_RINGS, type RingTimeDistribution, withLine, withoutAnswer } from './ring-time-distribution.ts'

export interface LearnedDistributions {
  readonly rings: RingTimeDistribution
  readonly talks: Hazards
  readonly wrapUps: Hazards
}

/** The learnt distributions, the hit rate, and the distributions that the present tables were made of (`inUse`). */
export interface Learnt {
  readonly laws: LearnedDistributions
  /** The share of lines that a person answers, over the latest few hundred lines. */
  readonly hitRate: number
  /** Answers and lines for each hour of the day (UTC), faded by day. After a pause the hit rate restarts from them. */
  readonly hours: readonly { readonly answers: number; readonly lines: number }[]
  readonly lastAtMs: AtMs
  readonly inUse: LearnedDistributions
  readonly inUseSinceAtMs: AtMs
  /** All facts, and the facts since the tables were made. */
  readonly known: number
  readonly news: number
}

/** The first guess (dialing-rules.md 3.4). It is weak: some twenty calls outweigh it. */
const GUESSED: LearnedDistributions = {
  rings: GUESSED_RINGS,
  talks: guessedHazards(5, 5, 0.64),
  wrapUps: guessedHazards(5, 3, 0.25),
}
const HIT_RATE_GUESSED = 0.3
/** The weight of a line relative to the next one: about the latest 333 make the hit rate (dialing-rules.md 3.4). */
const KEEPS = 0.997
const HOURS_FADE = 0.999
const HOUR_MS = 3_600_000
/** Tables are rebuilt when a tenth of all facts is new, at most once in five minutes. */
const TABLES_MS = 5 * 60_000
const NEWS_MIN = 20
const NEWS_MAX = 500
/** Below this number of facts, every twenty new ones rebuild the tables. */
const FEW = 400
/** The number of lines from which the hour's own rate is used. */
const LINES_MIN = 50

/** The state before the first fact. */
export function nothingLearnt(): Learnt {
  const hours = Array.from({ length: 24 }, () => ({ answers: 0, lines: 0 }))
  return {
    laws: GUESSED,
    hitRate: HIT_RATE_GUESSED,
    hours,
    lastAtMs: 0,
    inUse: GUESSED,
    inUseSinceAtMs: 0,
    known: 0,
    news: 0,
  }
}

/** The state after one more fact. */
export function learnFact(learnt: Learnt, fact: PacingFact, nowAtMs: AtMs): Learnt {
  if (fact.type === 'answer.resolved') return learnt
  const distributions = distributionsAfter(learnt.laws, fact)
  const hits = fact.type === 'answer.machine' ? takenBack(learnt, nowAtMs) : hitsAfter(learnt, fact, nowAtMs)
  const next = {
    ...learnt,
    ...hits,
    laws: distributions,
    lastAtMs: nowAtMs,
    known: learnt.known + 1,
    news: learnt.news + 1,
  }
  return areTablesOld(next, nowAtMs) ? { ...next, inUse: distributions, inUseSinceAtMs: nowAtMs, news: 0 } : next
}

function areTablesOld({ known, news, inUseSinceAtMs }: Learnt, nowAtMs: AtMs): boolean {
  if (news < Math.min(NEWS_MAX, Math.max(NEWS_MIN, known / 10))) return false
  return known <= FEW || nowAtMs >= inUseSinceAtMs + TABLES_MS
}

function distributionsAfter(distributions: LearnedDistributions, fact: PacingFact): LearnedDistributions {
  switch (fact.type) {
    case 'line.answered':
    case 'line.failed':
      return {
        ...distributions,
        rings: withLine(distributions.rings, fact.ageMs / 1_000, fact.type === 'line.answered'),
      }
    case 'answer.machine':
      return { ...distributions, rings: withoutAnswer(distributions.rings, fact.ageMs / 1_000) }
    case 'talk.ended':
      return { ...distributions, talks: withEnd(distributions.talks, fact.lengthMs / 1_000) }
    case 'wrapUp.ended':
      return { ...distributions, wrapUps: withEnd(distributions.wrapUps, fact.lengthMs / 1_000) }
    case 'answer.resolved':
      return distributions
  }
}

/**
 * The full weight of one line, not the faded one: the rate is then that of the persons, also while machines of the
 * latest lines are not told yet.
 */
function takenBack({ hitRate, hours }: Learnt, nowAtMs: AtMs) {
  const at = new Date(nowAtMs).getUTCHours()
  const less = ({ answers, lines }: Learnt['hours'][number]) => ({ answers: Math.max(0, answers - 1), lines })
  return {
    hitRate: Math.max(0, hitRate - (1 - KEEPS)),
    hours: hours.map((hour, place) => (place === at ? less(hour) : hour)),
  }
}

function hitsAfter({ hitRate, hours, lastAtMs }: Learnt, { type }: PacingFact, nowAtMs: AtMs) {
  if (type !== 'line.answered' && type !== 'line.failed') return {}
  const at = new Date(nowAtMs).getUTCHours()
  const hit = type === 'line.answered' ? 1 : 0
  const before = hours[at] as Learnt['hours'][number]
  // After a pause, the same hour on other days predicts better than the last rate.
  const isCold = nowAtMs - lastAtMs > HOUR_MS && before.lines >= LINES_MIN
  const rate = isCold ? before.answers / before.lines : hitRate
  const grown = { answers: before.answers * HOURS_FADE + hit, lines: before.lines * HOURS_FADE + 1 }
  return {
    hitRate: KEEPS * rate + (1 - KEEPS) * hit,
    hours: hours.map((hour, place) => (place === at ? grown : hour)),
  }
}
