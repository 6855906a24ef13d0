/**
 * Policy E (dialing-rules.md 3.8): marginal risk, with a price that follows the credit of the ledger.
 *
 * Each further abandoned call saves less idle time, therefore a steady price beats a swinging one: the price is the one
 * that would use up the budget by the end of the window. The working credit carries the lines in flight; below it,
 * credit is worth more and the price falls. Towards the end of the window the policy releases the reserve, because
 * credit that is left over is lost.
 */
import type { WrapUp } from '../../acd/agent-session-messages.ts'
import type { LedgerState } from '../ledger.ts'
import { type Learnt, learnFact, nothingLearnt } from './learned-distributions.ts'
import { placeByRisk } from './lines-to-place.ts'
import type { Pacer, PacingSnapshot } from './pacer-interface.ts'
import { type Tables, tablesOf } from './tables.ts'

export interface PacedCampaign {
  readonly capBasisPoints: number
  readonly waitMs: number
  readonly wrapUp: WrapUp
}

/** The constants of the policy, measured in dialing-rules.md 3.8. Times are in seconds. */
interface Terms {
  /** How strongly the price falls below the working credit, and rises above it. */
  readonly below: number
  readonly above: number
  /** The time before the end of the window at which the release of the reserve begins. */
  readonly tailS: number
  /** The price at the working credit, for a cap of 3 %. */
  readonly logPrice: number
}

const SMALL: Terms = { below: 0.45, above: 0.45, tailS: 3_600, logPrice: -3.7 }
const LARGE: Terms = { below: 1.3, above: 0, tailS: 1_500, logPrice: -4 }
/** Timed wrap-ups make forecasts more certain: the same budget is used up at a lower price. */
const LOG_PRICE_TIMED = -4.1
/** A team with less working credit than this is small. */
const SMALL_BELOW = 5
const LOG_PRICE_MAX = 0.5
/** The share of time that agents are busy, for estimates of the hours to come. */
const BUSY = 0.9

/** Policy E for one campaign. Its state is what it has learnt, nothing else. */
export function pricedRiskPacer(campaign: PacedCampaign): Pacer<Learnt> {
  const { waitMs } = campaign
  return {
    begin: nothingLearnt,
    learn: learnFact,
    place: (snapshot, { inUse, hitRate }) => {
      const tables = tablesOf(inUse, campaign)
      const priced = snapshot.ledgers.map((ledger) => priceOf(ledger, snapshot, tables, hitRate))
      const { riskMax, credit } = priced.reduce((low, one) => (one.riskMax < low.riskMax ? one : low), FREE)
      return placeByRisk(snapshot, { tables, hitRate, waitMs, riskMax, credit })
    },
  }
}

/** Without a ledger, only lines that idle agents cover are placed, at any price. */
const FREE = { riskMax: Math.exp(LOG_PRICE_MAX), credit: 0 }

/** The risk that one ledger allows the next line now. */
export function priceOf(
  { rule, tally }: LedgerState,
  { agents, shiftLeftMs }: PacingSnapshot,
  tables: Tables,
  hitRate: number,
): { readonly riskMax: number; readonly credit: number } {
  const cap = rule.capBasisPoints / 10_000
  const credit = cap * tally.answered - tally.abandoned
  const answersPerS = (BUSY * agents) / tables.meanServiceS
  const lineS = hitRate * tables.meanAnswerS + (1 - hitRate) * tables.meanFailureS
  const linesOut = (answersPerS / Math.max(0.01, hitRate)) * lineS
  const working = 1 + 1.25 * linesOut
  const terms = working < SMALL_BELOW ? SMALL : LARGE
  const leftS = shiftLeftMs / 1_000
  const reserve = working * Math.min(1, leftS / terms.tailS)
  // Without a known end of the window there is no estimate of the rest: the credit alone sets the price.
  const toCome = Math.min(leftS, 30 * 86_400) * answersPerS
  const rate = clamp(1 + (credit - reserve) / (cap * (toCome + 30)), 0.03, 20)
  const excess = clamp((credit - reserve) / (reserve + 1), -1.5, 3)
  const even = tables.isTimed ? LOG_PRICE_TIMED : terms.logPrice
  const log = even + Math.log(cap / 0.03) + Math.log(rate) + (excess < 0 ? terms.below : terms.above) * excess
  return { riskMax: cap > 0 ? Math.exp(Math.min(LOG_PRICE_MAX, log)) : 0, credit }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
