/** A day of a real campaign as a scenario: by what it has learnt of its people, and by its settings. */
import { survivalOf } from '../dialer/pacing/hazards.ts'
import type { Learnt } from '../dialer/pacing/learned-distributions.ts'
import { RING_SPAN_S, RING_SPANS, shareBelow } from '../dialer/pacing/ring-time-distribution.ts'
import type { Distribution } from './distributions.ts'
import type { HitModel, Scenario } from './scenario.ts'

interface DaySettings {
  readonly capBasisPoints: number
  readonly waitMs: number
  /** Undefined where agents end their wrap-ups. */
  readonly timedWrapUpMs: number | undefined
  readonly linesPerAgentMax: number
}

/** Who works, and when; `beginsAtMs` counts from midnight UTC, as learnt hours do. */
interface DayRoster {
  readonly agents: number
  readonly hours: number
  readonly beginsAtMs: number
}

const HOUR_MS = 3_600_000
/** The rate of an hour is believed from so many lines on, as pacers do. */
const LINES_MIN = 50
/** Talks are looked at so far ahead; whoever talks longer has talked two hours. */
const TALK_S = 7_200
/** What fewer than this share outlasts is left out of tables. */
const ALIVE_MIN = 1e-6

/**
 * The scenario. Ages of answers and of failures are those that were learnt, from the dial on, hence without a post-dial
 * delay and with the ring timeout that held then. The trunks have lines enough, and the list does not come to an end.
 */
export function scenarioFrom(
  learnt: Learnt,
  settings: DaySettings,
  { agents, hours, beginsAtMs }: DayRoster,
): Scenario {
  const { laws: distributions } = learnt
  const dayMs = Math.round(hours * HOUR_MS)
  const { timedWrapUpMs } = settings
  const campaign = {
    name: 'campaign',
    capBasisPoints: settings.capBasisPoints,
    carriedPerAgent: 0,
    hit: hitOf(learnt, beginsAtMs, dayMs),
    postDialMs: 0,
    ring: ageDistribution(distributions.rings.answers),
    ringLimitMs: RING_SPANS * RING_SPAN_S * 1_000,
    failures: [{ share: 1, after: ageDistribution(distributions.rings.failures), isMachine: false }],
    talk: lengthDistribution(survivalOf(distributions.talks, 1, TALK_S + 1)),
    wrapUp:
      timedWrapUpMs === undefined
        ? ({ kind: 'byHand', law: lengthDistribution(survivalOf(distributions.wrapUps, 1, TALK_S + 1)) } as const)
        : ({ kind: 'timed', lengthMs: timedWrapUpMs } as const),
    loss: { kind: 'dropped', afterMs: settings.waitMs } as const,
  }
  return {
    title: 'forecast',
    agents,
    dayMs,
    beginsAtMs,
    campaigns: [campaign],
    linesPerAgentMax: settings.linesPerAgentMax,
    trunkLines: 10_000,
    breaks: [],
    faults: [],
    days: 1,
    seed: 1,
  }
}

/** The rate of each hour where it is known, else the latest. */
function hitOf({ hours, hitRate }: Learnt, beginsAtMs: number, dayMs: number): HitModel {
  const rateOf = (hour: number) => {
    const { answers, lines } = hours[hour % 24]!
    return lines >= LINES_MIN ? Math.min(1, answers / lines) : hitRate
  }
  const first = Math.floor(beginsAtMs / HOUR_MS)
  const levels = [{ fromMs: 0, rate: rateOf(first) }]
  for (let hour = first + 1; hour * HOUR_MS < beginsAtMs + dayMs; hour++) {
    levels.push({ fromMs: hour * HOUR_MS - beginsAtMs, rate: rateOf(hour) })
  }
  return { levels, sineShare: 0, spells: [] }
}

function ageDistribution(counts: readonly number[]): Distribution {
  const below = shareBelow(counts)
  const edges = Array.from({ length: RING_SPANS + 1 }, (_, place) => place * RING_SPAN_S)
  return { kind: 'table', ms: edges.map((ageS) => ageS * 1_000), cdf: edges.map(below) }
}

function lengthDistribution(alive: Float64Array): Distribution {
  const gone = alive.findIndex((share) => share < ALIVE_MIN)
  const known = Array.from(gone < 0 ? alive : alive.subarray(0, Math.max(2, gone + 1)))
  return { kind: 'table', ms: known.map((_, second) => second * 1_000), cdf: known.map((share) => 1 - share) }
}
