import { seededRandom } from '../kernel/random.ts'
import { type CampaignCounts, CampaignDay } from './campaign-day.ts'
import { Day, type DialWatch } from './day.ts'
import { AWAY, ON_BREAK, TALKING, TIMED_WRAP_UP, WRAPPING_UP } from './floor.ts'
import type { Histogram } from './histogram.ts'
import { knownDistributions } from './known-distributions.ts'
import { planOf } from './plan.ts'
import type { PolicyFactory } from './policy.ts'
import { type Scenario, waitMsOf } from './scenario.ts'

interface DayOptions {
  readonly seed: number
  /** From 0; each day has its own fates. */
  readonly day: number
  readonly onDial?: DialWatch
}

interface CampaignResult extends CampaignCounts {
  readonly name: string
  readonly policy: string
  readonly answered: number
  readonly waits: Histogram
  readonly ratesPct: readonly number[]
}

/** The result of a day. Times are sums over all agents. */
export interface DayResult {
  readonly day: number
  readonly dayMs: number
  readonly talkMs: number
  readonly wrapUpMs: number
  /** Time logged in and not on a break. */
  readonly staffedMs: number
  readonly campaigns: readonly CampaignResult[]
  readonly idles: Histogram
  /** The maximum of lines in flight of one campaign for each agent present. */
  readonly linesPerAgentMax: number
  readonly decisions: number
}

const DAY_MS = 24 * 3_600_000
/** Day 0 is an ordinary Monday. */
const FIRST_MIDNIGHT_AT_MS = Date.UTC(2026, 0, 5)

/** Runs one day. Throws if the simulator contradicts itself or a policy breaks its promise. */
export function runDay(scenario: Scenario, factory: PolicyFactory, { seed, day, onDial }: DayOptions): DayResult {
  const { agents, dayMs } = scenario
  const beginAtMs = FIRST_MIDNIGHT_AT_MS + day * DAY_MS + scenario.beginsAtMs
  const campaigns = scenario.campaigns.map((campaign, index) => {
    const policy = factory({
      agents,
      capBasisPoints: campaign.capBasisPoints,
      waitMs: waitMsOf(campaign.loss),
      knownDistributions: knownDistributions(campaign, scenario),
      random: seededRandom(seed * 65_536 + day * 16 + index),
    })
    return new CampaignDay(index, campaign, policy, { seed, day, agents, dayMs, beginAtMs })
  })
  const run = new Day(scenario, campaigns, planOf(scenario, seed, day), beginAtMs, onDial)
  run.run()
  return resultOf(run, day, dayMs)
}

function resultOf(
  { floor, campaigns, idles, linesPerAgentMax, decisions }: Day,
  day: number,
  dayMs: number,
): DayResult {
  const spent = (...states: readonly number[]) => states.reduce((sum, state) => sum + floor.spentMs[state]!, 0)
  return {
    day,
    dayMs,
    talkMs: spent(TALKING),
    wrapUpMs: spent(WRAPPING_UP, TIMED_WRAP_UP),
    staffedMs: floor.size * dayMs - spent(ON_BREAK, AWAY),
    campaigns: campaigns.map(({ scenario, policy, answered, counts, waits, ratesPct }) => ({
      name: scenario.name,
      policy: policy.name,
      answered,
      waits,
      ratesPct,
      ...counts,
    })),
    idles,
    linesPerAgentMax,
    decisions,
  }
}
