/** Every pacer by name: for campaigns, for their shadow pacers, and for comparison in the simulator. */
import type { Campaign } from '../campaign.ts'
import { type Learnt, nothingLearnt } from './learned-distributions.ts'
import { manualPacer } from './manual.ts'
import { marginalRiskPacer } from './marginal-risk.ts'
import type { Pacer } from './pacer-interface.ts'
import { powerPacer } from './power.ts'
import { pricedRiskPacer } from './priced-risk.ts'
import { progressivePacer } from './progressive.ts'
import { predictivePacer } from './ratio.ts'

export type Pace = Campaign['pacing'] | 'oneToOne' | 'power' | 'manual'

type Paced = Pick<Campaign, 'mode' | 'linesPerAgent' | 'ledgers' | 'agentWaitMs' | 'wrapUp'>

/** The pacer of a campaign's mode. */
export function paceOf({ mode, pacing }: Pick<Campaign, 'mode' | 'pacing'>): Pace {
  switch (mode) {
    case 'manual':
    case 'preview':
      return 'manual'
    case 'progressive':
      return 'oneToOne'
    case 'power':
      return 'power'
    case 'predictive':
      return pacing
  }
}

/** The pacer of that name, for a campaign with about this many agents. The caller does not read what it learns. */
export function pacerFor(pace: Pace, campaign: Paced, agents: number): Pacer<unknown> {
  const { linesPerAgent, agentWaitMs: waitMs, wrapUp } = campaign
  const capBasisPoints = tightestCap(campaign)
  const made: Readonly<Record<Pace, () => Pacer<never>>> = {
    price: () => pricedRiskPacer({ capBasisPoints, waitMs, wrapUp }) as Pacer<never>,
    risk: () => marginalRiskPacer({ capBasisPoints, waitMs, wrapUp }, agents) as Pacer<never>,
    ratio: () => predictivePacer(capBasisPoints) as Pacer<never>,
    oneToOne: () => progressivePacer as Pacer<never>,
    power: () => powerPacer(linesPerAgent) as Pacer<never>,
    manual: () => manualPacer as Pacer<never>,
  }
  return made[pace]() as Pacer<unknown>
}

/** The initial state of a pacer of that name when the campaign's distributions are already known. */
export function memoryFor(pace: Pace, campaign: Paced, learnt: Learnt = nothingLearnt()): unknown {
  if (pace === 'price') return learnt
  const memory = pacerFor(pace, campaign, 1).begin()
  return pace === 'risk' ? { ...(memory as object), learnt } : memory
}

/** In basis points; 0 without a ledger. */
function tightestCap({ ledgers }: Pick<Campaign, 'ledgers'>): number {
  return ledgers.length === 0 ? 0 : Math.min(...ledgers.map(({ capBasisPoints }) => capBasisPoints))
}
