import { type Learnt, learnFact, nothingLearnt } from './learned-distributions.ts'
import { placeByRisk } from './lines-to-place.ts'
import type { Pacer } from './pacer-interface.ts'
import type { PacedCampaign } from './priced-risk.ts'
import { tablesOf } from './tables.ts'

/** dialing-rules.md 3.4. */
const RISK_MAX_AT_FIRST = 0.012
const RISK_MAX_HIGHEST = 0.6

/**
 * Algorithm B of dialing-rules.md 3.4: it places one more line while the risk of that line is below a threshold. Every
 * answer raises the threshold by the cap, every abandoned call lowers it. `agents`: the approximate team size; larger
 * teams take smaller steps.
 */
export function marginalRiskPacer(
  { capBasisPoints, waitMs, wrapUp }: PacedCampaign,
  agents: number,
): Pacer<{ readonly learnt: Learnt; readonly riskMax: number }> {
  const cap = capBasisPoints / 10_000
  const step = Math.min(0.002, 0.03 / Math.max(1, agents))
  return {
    begin: () => ({ learnt: nothingLearnt(), riskMax: RISK_MAX_AT_FIRST }),
    place: (snapshot, { learnt, riskMax }) => {
      const credit = 0
      const tables = tablesOf(learnt.inUse, { waitMs, wrapUp })
      return placeByRisk(snapshot, { tables, hitRate: learnt.hitRate, waitMs, riskMax, credit })
    },
    learn: ({ learnt, riskMax }, fact, nowAtMs) => {
      if (fact.type !== 'answer.resolved') return { learnt: learnFact(learnt, fact, nowAtMs), riskMax }
      const moved = riskMax + step * (cap - (fact.isAbandoned ? 1 : 0))
      return { learnt, riskMax: Math.min(RISK_MAX_HIGHEST, moved) }
    },
  }
}
