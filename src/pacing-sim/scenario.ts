/** A day to be simulated, as data. Instants are milliseconds since the begin of the day, when all agents log in. */
import type { Distribution } from './distributions.ts'

export interface Scenario {
  readonly title: string
  readonly agents: number
  readonly dayMs: number
  /** The begin of the day since midnight, for values by hour of the clock. */
  readonly beginsAtMs: number
  readonly campaigns: readonly CampaignScenario[]
  /** Maximum lines in flight for each agent present, whatever the policy says. */
  readonly linesPerAgentMax: number
  /** Lines of the trunks, including lines in conversation. */
  readonly trunkLines: number
  readonly breaks: readonly BreakPlan[]
  readonly faults: readonly Fault[]
  /** Days and seed of a report; the command line may name others. */
  readonly days: number
  readonly seed: number
}

export interface CampaignScenario {
  readonly name: string
  readonly capBasisPoints: number
  /** For each agent, answered calls of earlier days that the ledger still counts; none of them was abandoned. */
  readonly carriedPerAgent: number
  readonly hit: HitModel
  readonly postDialMs: number
  /** The ringing time until a person answers; a time above the limit is drawn again. */
  readonly ring: Distribution
  readonly ringLimitMs: number
  /** Outcomes of dials that no person answers. Shares are weights. */
  readonly failures: readonly FailureModel[]
  readonly talk: Distribution
  readonly wrapUp: WrapUpModel
  readonly loss: LossModel
  /** Absent: detection is immediate and without error. */
  readonly detection?: DetectionModel
  /** The dialer hangs up this long after the dial without an answer; absent: the ring limit and the failures decide. */
  readonly giveUpAfterMs?: number
}

export interface HitModel {
  /** Levels of the rate, each from an instant on, the first from 0. A new list has a new level. */
  readonly levels: readonly { readonly fromMs: number; readonly rate: number }[]
  /** The level varies by this share, as one sine wave over the day. */
  readonly sineShare: number
  readonly spells: readonly { readonly fromMs: number; readonly toMs: number; readonly factor: number }[]
}

/** One kind of failure; `after` counts from the dial. */
export interface FailureModel {
  readonly share: number
  readonly after: Distribution
  /** A machine answered; imperfect detection may take it for a person. */
  readonly isMachine: boolean
}

/** Wrap-up that the agent ends, or timed wrap-up, which cannot be extended. */
export type WrapUpModel =
  | { readonly kind: 'byHand'; readonly distribution: Distribution }
  | { readonly kind: 'timed'; readonly lengthMs: number }

/** How a waiting callee is lost: the dialer drops the call, or the callee hangs up. Both count as abandoned. */
export type LossModel =
  | { readonly kind: 'dropped'; readonly afterMs: number }
  | { readonly kind: 'patience'; readonly distribution: Distribution; readonly waitMs: number }

/** Machine detection with errors. The line is in flight until detection decides. */
interface DetectionModel {
  /** The share of persons taken for machines: the dialer hangs up. */
  readonly falsePositive: number
  /** The share of machines taken for persons: an agent gets the call. */
  readonly falseNegative: number
  readonly takes: Distribution
  readonly machineTalk: Distribution
}

/** A share of the agents asks for a break at a random instant of that span, and goes as soon as the ledgers allow. */
export interface BreakPlan {
  readonly share: number
  readonly fromMs: number
  readonly toMs: number
  readonly lengthMs: number
}

/** A fault from an instant on, for a time. */
export type Fault =
  /** The phones of a share of the agents drop, with their conversations. */
  | { readonly kind: 'phonesDrop'; readonly fromMs: number; readonly forMs: number; readonly share: number }
  /** The carrier refuses every dial at once (503). */
  | { readonly kind: 'carrierRefuses'; readonly fromMs: number; readonly forMs: number }
  | { readonly kind: 'linesBusy'; readonly fromMs: number; readonly forMs: number }

/** The wait that the rules allow a callee. */
export function waitMsOf(loss: LossModel): number {
  return loss.kind === 'dropped' ? loss.afterMs : loss.waitMs
}

/** The share of dials that a person answers, at an instant of the day. */
export function hitRateAt({ levels, sineShare, spells }: HitModel, nowMs: number, dayMs: number): number {
  let rate = 0
  for (const level of levels) if (level.fromMs <= nowMs) rate = level.rate
  if (sineShare !== 0) rate *= 1 + sineShare * Math.sin((2 * Math.PI * nowMs) / dayMs)
  for (const { fromMs, toMs, factor } of spells) if (fromMs <= nowMs && nowMs < toMs) rate *= factor
  return Math.min(1, Math.max(0, rate))
}
