/** What a campaign's outcomes have taught its pacer. Plain data, kept over restarts. */
import type { AtMs } from '../../kernel/clock.ts'
import { guessedHazards, type Hazards, withEnd } from './hazards.ts'
import type { PacingFact } from './pacer-interface.ts'
import { GUESSED_RINGS, type RingTimeDistribution, withLine } from './ring-time-distribution.ts'

export interface LearnedDistributions {
  readonly rings: RingTimeDistribution
  readonly talks: Hazards
  readonly wrapUps: Hazards
}

/** Laws, the hit rate, and the laws as they were when tables were last made of them. */
export interface Learnt {
  readonly laws: LearnedDistributions
  /** Share of lines that a person answers, of the latest some hundred. */
  readonly hitRate: number
  /** Answers and lines for each hour of the day (UTC), faded by day: what the hit rate begins with after a pause. */
  readonly hours: readonly { readonly answers: number; readonly lines: number }[]
  readonly lastAtMs: AtMs
  readonly inUse: LearnedDistributions
  readonly inUseSinceAtMs: AtMs
  /** Facts ever, and since then. */
  readonly known: number
  readonly news: number
}

/** The guess to begin with (dialing-rules.md 3.4): weak, some twenty calls outweigh it. */
const GUESSED: LearnedDistributions = {
  rings: GUESSED_RINGS,
  talks: guessedHazards(5, 5, 0.64),
  wrapUps: guessedHazards(5, 3, 0.25),
}
const HIT_RATE_GUESSED = 0.3
/** Each line's weight against the next: the latest 333 make the hit rate (dialing-rules.md 3.4). */
const KEEPS = 0.997
const HOURS_FADE = 0.999
const HOUR_MS = 3_600_000
/** Tables are made anew when a tenth of what is known is new, and then not more often than each five minutes. */
const TABLES_MS = 5 * 60_000
const NEWS_MIN = 20
const NEWS_MAX = 500
/** Until so many facts are known each twenty of them count. */
const FEW = 400
/** The hour's own rate is believed from so many lines on. */
const LINES_MIN = 50

/** What is believed before anything was seen. */
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

/** What is believed after one more fact. */
export function learnFact(learnt: Learnt, fact: PacingFact, nowAtMs: AtMs): Learnt {
  if (fact.type === 'answer.resolved') return learnt
  const distributions = distributionsAfter(learnt.laws, fact)
  const hits = fact.type === 'line.answered' || fact.type === 'line.failed' ? hitsAfter(learnt, fact, nowAtMs) : {}
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
    case 'talk.ended':
      return { ...distributions, talks: withEnd(distributions.talks, fact.lengthMs / 1_000) }
    case 'wrapUp.ended':
      return { ...distributions, wrapUps: withEnd(distributions.wrapUps, fact.lengthMs / 1_000) }
    case 'answer.resolved':
      return distributions
  }
}

function hitsAfter({ hitRate, hours, lastAtMs }: Learnt, { type }: PacingFact, nowAtMs: AtMs) {
  const at = new Date(nowAtMs).getUTCHours()
  const hit = type === 'line.answered' ? 1 : 0
  const before = hours[at] as Learnt['hours'][number]
  // After a pause the rate of long ago says less than that of the same hour on other days.
  const isCold = nowAtMs - lastAtMs > HOUR_MS && before.lines >= LINES_MIN
  const rate = isCold ? before.answers / before.lines : hitRate
  const grown = { answers: before.answers * HOURS_FADE + hit, lines: before.lines * HOURS_FADE + 1 }
  return {
    hitRate: KEEPS * rate + (1 - KEEPS) * hit,
    hours: hours.map((hour, place) => (place === at ? grown : hour)),
  }
}
