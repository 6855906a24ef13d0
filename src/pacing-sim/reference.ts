/** The reference cell of the benchmark (dialing-rules.md 3.6), as data. Thresholds and tests start from it. */
import type { CampaignScenario, Scenario } from './scenario.ts'

const SECOND = 1000
const HOUR = 3_600 * SECOND

/** Hit rate 40 %, talk 180 s, wrap-up 20 s by hand, loss after 2 s, cap 3 %. */
export const REFERENCE_CAMPAIGN: CampaignScenario = {
  name: 'reference',
  capBasisPoints: 300,
  carriedPerAgent: 0,
  hit: { levels: [{ fromMs: 0, rate: 0.4 }], sineShare: 0, spells: [] },
  postDialMs: 3 * SECOND,
  ring: { kind: 'lognormal', meanMs: 9 * SECOND, cv: 5 / 9 },
  ringLimitMs: 25 * SECOND,
  failures: [
    { share: 0.15, after: { kind: 'fixed', ms: 4 * SECOND }, isMachine: false },
    { share: 0.3, after: { kind: 'uniform', fromMs: 18 * SECOND, toMs: 25 * SECOND }, isMachine: true },
    { share: 0.55, after: { kind: 'fixed', ms: 28 * SECOND }, isMachine: false },
  ],
  talk: { kind: 'lognormal', meanMs: 180 * SECOND, cv: 1 },
  wrapUp: { kind: 'byHand', distribution: { kind: 'lognormal', meanMs: 20 * SECOND, cv: 0.6 } },
  loss: { kind: 'dropped', afterMs: 2 * SECOND },
}

/** Team size → days that give intervals of about a tenth of a point. */
const DAYS: Readonly<Record<number, number>> = { 5: 120, 10: 80, 30: 30, 100: 16, 300: 6 }

/** Eight hours of the reference campaign, with all agents from begin to end. */
export function referenceScenario(agents: number): Scenario {
  return {
    title: `reference, ${agents} agents`,
    agents,
    dayMs: 8 * HOUR,
    // It ends at 21:00, because a compared policy (TAPERED) depends on that hour.
    beginsAtMs: 13 * HOUR,
    campaigns: [REFERENCE_CAMPAIGN],
    linesPerAgentMax: 6,
    trunkLines: 10_000,
    breaks: [],
    faults: [],
    days: DAYS[agents] ?? 20,
    seed: 1000,
  }
}
