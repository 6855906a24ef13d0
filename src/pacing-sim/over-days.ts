/** Sums up many days of one policy: means, 95 % intervals, worst days. */

import type { CampaignCounts } from './campaign-day.ts'
import type { Histogram } from './histogram.ts'
import type { PolicyFactory } from './policy.ts'
import { type DayResult, runDay } from './run-day.ts'
import type { Scenario } from './scenario.ts'

/** A mean over days, with half of its 95 % interval: 0 for a single day. */
export interface Estimate {
  readonly mean: number
  readonly ci: number
}

/** The figures of dialing-rules.md 3.6. Shares in percent, lengths in seconds. */
export interface Summary {
  readonly policy: string
  readonly scenario: string
  readonly agents: number
  readonly days: number
  readonly seed: number
  /** Talk and wrap-up over the time logged in without breaks; mean of the days and half of its 95 % interval. */
  readonly occupancyPct: number
  readonly occupancyCi: number
  /** Abandoned over answered, all days together; then mean of the days and half of its interval; the worst day. */
  readonly abandonedPct: number
  readonly abandonedCi: number
  readonly abandonedWorstDayPct: number
  /** The share of the day; of several campaigns, the worst one's. */
  readonly timeAboveCapPct: number
  readonly talkMinPerHour: number
  readonly idleMeanS: number
  readonly idleP95S: number
  readonly waitP95S: number
  readonly waitMaxS: number
  readonly dialsPerConversation: number
  readonly ringsCutPerConversation: number
  /** Persons taken for machines and hung up on, in percent of all persons who answered. */
  readonly hungUpOnPct: number
  readonly linesPerAgentMax: number
  readonly conversations: number
  readonly campaigns: readonly CampaignSummary[]
}

interface CampaignSummary {
  readonly name: string
  readonly answered: number
  readonly abandonedPct: number
  readonly abandonedWorstDayPct: number
  readonly timeAboveCapPct: number
}

interface DaysPlan {
  readonly name: string
  readonly policy: PolicyFactory
  readonly days: number
  readonly seed: number
  readonly onDay?: (result: DayResult) => void
}

/** Runs the days, from 0, and adds them up. */
export function runDays(scenario: Scenario, { name, policy, days, seed, onDay }: DaysPlan): Summary {
  const results: DayResult[] = []
  for (let day = 0; day < days; day++) {
    const result = runDay(scenario, policy, { seed, day })
    results.push(result)
    onDay?.(result)
  }
  return summaryOf(scenario, name, seed, results)
}

/** Occupancy of a day, in percent; 0 without agents. */
export function occupancyPctOf({ talkMs, wrapUpMs, staffedMs }: DayResult): number {
  return percent(talkMs + wrapUpMs, staffedMs)
}

/** Abandoned over answered of a day, all campaigns together, in percent. */
export function abandonedPctOf({ campaigns }: Pick<DayResult, 'campaigns'>): number {
  return percent(sumOf(campaigns, 'abandoned'), sumOf(campaigns, 'answered'))
}

/** Sums up the days; there must be at least one. */
function summaryOf(scenario: Scenario, policy: string, seed: number, results: readonly DayResult[]): Summary {
  const all = results.flatMap(({ campaigns }) => campaigns)
  const occupancy = estimate(results.map(occupancyPctOf))
  const abandoned = results.map(abandonedPctOf)
  const idles = joined(results.map(({ idles }) => idles))
  const waits = joined(all.map(({ waits }) => waits))
  const names = scenario.campaigns.map(({ name }) => name)
  const campaigns = names.map((name, index) => campaignSummary(name, index, results))
  const conversations = sumOf(all, 'connected')
  const persons = sumOf(all, 'answered') + sumOf(all, 'personsHungUpOn')
  const staffedMs = results.reduce((sum, { staffedMs }) => sum + staffedMs, 0)
  return {
    policy,
    scenario: scenario.title,
    agents: scenario.agents,
    days: results.length,
    seed,
    occupancyPct: occupancy.mean,
    occupancyCi: occupancy.ci,
    abandonedPct: abandonedPctOf({ campaigns: all }),
    abandonedCi: estimate(abandoned).ci,
    abandonedWorstDayPct: Math.max(...abandoned),
    timeAboveCapPct: Math.max(...campaigns.map(({ timeAboveCapPct }) => timeAboveCapPct)),
    talkMinPerHour: (60 * results.reduce((sum, { talkMs }) => sum + talkMs, 0)) / staffedMs,
    idleMeanS: idles.meanMs / 1000,
    idleP95S: idles.quantileMs(0.95) / 1000,
    waitP95S: waits.quantileMs(0.95) / 1000,
    waitMaxS: waits.maxMs / 1000,
    dialsPerConversation: sumOf(all, 'dials') / conversations,
    ringsCutPerConversation: sumOf(all, 'ringsCut') / conversations,
    hungUpOnPct: percent(sumOf(all, 'personsHungUpOn'), persons),
    linesPerAgentMax: Math.max(...results.map(({ linesPerAgentMax }) => linesPerAgentMax)),
    conversations,
    campaigns,
  }
}

/** The mean and half of its 95 % interval, by Student's distribution. */
export function estimate(values: readonly number[]): Estimate {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  if (count < 2) return { mean, ci: 0 }
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, ci: student(count - 1) * Math.sqrt(squares / (count - 1) / count) }
}

/** The 97.5 % quantile of Student's distribution; error at most 0.3 % from 2 degrees on (Cornish–Fisher expansion). */
function student(degrees: number): number {
  if (degrees === 1) return 12.706
  const z = 1.959964
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ]
  return terms.reduce((sum, term, power) => sum + term / degrees ** power, 0)
}

function campaignSummary(name: string, index: number, results: readonly DayResult[]): CampaignSummary {
  const days = results.map(({ campaigns }) => campaigns[index]!)
  const aboveMs = sumOf(days, 'aboveCapMs')
  const wholeMs = results.reduce((sum, { dayMs }) => sum + dayMs, 0)
  return {
    name,
    answered: sumOf(days, 'answered'),
    abandonedPct: abandonedPctOf({ campaigns: days }),
    abandonedWorstDayPct: Math.max(...days.map((day) => abandonedPctOf({ campaigns: [day] }))),
    timeAboveCapPct: percent(aboveMs, wholeMs),
  }
}

type Count = keyof CampaignCounts | 'answered'

function sumOf(results: readonly Readonly<Record<Count, number>>[], count: Count): number {
  return results.reduce((sum, result) => sum + result[count], 0)
}

function joined([first, ...others]: readonly Histogram[]): Histogram {
  const all = first!.likewise()
  for (const other of [first!, ...others]) all.include(other)
  return all
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole
}
