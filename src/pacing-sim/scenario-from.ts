/** Makes a scenario for a day of a real campaign from what it has learnt and from its settings. */
import { survivalOf } from '../dialer/pacing/hazards.ts'
import type { Learnt } from '../dialer/pacing/learned-distributions.ts'
import { RING_SPAN_S, RING_SPANS, shareBelow } from '../dialer/pacing/ring-time-distribution.ts'
import type { Distribution } from './distributions.ts'
import type { HitModel, Scenario } from './scenario.ts'

interface DaySettings {
  readonly capBasisPoints: number
  readonly waitMs: number
  /** Undefined if agents end their wrap-ups. */
  readonly timedWrapUpMs: number | undefined
  readonly linesPerAgentMax: number
}

/** The agents and hours of the day; `beginsAtMs` counts from midnight UTC, as learnt hours do. */
interface DayRoster {
  readonly agents: number
  readonly hours: number
  readonly beginsAtMs: number
}

const HOUR_MS = 3_600_000
/** The number of lines from which the rate of an hour is used, as in pacers. */
const LINES_MIN = 50
/** The maximum length of a talk: two hours; longer talks count as two hours. */
const TALK_S = 7_200
/** Tables leave out lengths that fewer than this share exceed. */
const ALIVE_MIN = 1e-6

/**
 * The scenario. Learnt ages of answers and failures count from the dial; therefore the scenario has no post-dial delay,
 * and the ring timeout is the one at which they were learnt. Trunks have enough lines, and the list does not end.
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
        ? ({
            kind: 'byHand',
            distribution: lengthDistribution(survivalOf(distributions.wrapUps, 1, TALK_S + 1)),
          } as const)
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

/** The rate of each hour if it is known, else the latest rate. */
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
