/** Every way to pace, by name: what campaigns dial with, what runs in their shadow, what the simulator compares. */
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

/** The way that a campaign's mode asks for. */
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

/** The pacer of that name for a campaign with about so many agents. What it remembers is its own affair. */
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

/** What a pacer of that name begins with, where the campaign's laws are known already. */
export function memoryFor(pace: Pace, campaign: Paced, learnt: Learnt = nothingLearnt()): unknown {
  if (pace === 'price') return learnt
  const memory = pacerFor(pace, campaign, 1).begin()
  return pace === 'risk' ? { ...(memory as object), learnt } : memory
}

/** In basis points; 0 without any ledger. */
function tightestCap({ ledgers }: Pick<Campaign, 'ledgers'>): number {
  return ledgers.length === 0 ? 0 : Math.min(...ledgers.map(({ capBasisPoints }) => capBasisPoints))
}
