/** A day to be simulated, as data. Instants of the day are milliseconds since it begins, when all agents log in. */
import type { Distribution } from './distributions.ts'

export interface Scenario {
  readonly title: string
  readonly agents: number
  readonly dayMs: number
  /** When the day begins, since midnight: for what is told in hours of the clock. */
  readonly beginsAtMs: number
  readonly campaigns: readonly CampaignScenario[]
  /** Most lines out for each agent who is there, whatever the policy says. */
  readonly linesPerAgentMax: number
  /** Lines that the trunks have, talking ones included. */
  readonly trunkLines: number
  readonly breaks: readonly BreakPlan[]
  readonly faults: readonly Fault[]
  /** Days and seed of a report, unless others are asked for. */
  readonly days: number
  readonly seed: number
}

export interface CampaignScenario {
  readonly name: string
  readonly capBasisPoints: number
  /** Answered calls of earlier days, none of them abandoned, that the ledger still counts; for each agent. */
  readonly carriedPerAgent: number
  readonly hit: HitModel
  readonly postDialMs: number
  /** How long it rings until a person answers; longer ones than the limit are drawn again. */
  readonly ring: Distribution
  readonly ringLimitMs: number
  /** What becomes of the dials that no person answers. Shares are weights. */
  readonly failures: readonly FailureModel[]
  readonly talk: Distribution
  readonly wrapUp: WrapUpModel
  readonly loss: LossModel
  /** Absent: persons and machines are told apart at once and without error. */
  readonly detection?: DetectionModel
  /** We hang up who has not answered so long after the dial; absent: the ring limit and the failures decide. */
  readonly giveUpAfterMs?: number
}

export interface HitModel {
  /** Levels from an instant on; the first from 0. A new list is a new level. */
  readonly levels: readonly { readonly fromMs: number; readonly rate: number }[]
  /** The level swings by this share, one whole sine over the day. */
  readonly sineShare: number
  readonly spells: readonly { readonly fromMs: number; readonly toMs: number; readonly factor: number }[]
}

/** One way to fail; `after` counts from the dial. */
export interface FailureModel {
  readonly share: number
  readonly after: Distribution
  /** A machine answered: what imperfect detection may take for a person. */
  readonly isMachine: boolean
}

/** Wrap-up that an agent ends, or that ends by itself and that nobody can extend. */
export type WrapUpModel =
  | { readonly kind: 'byHand'; readonly law: Distribution }
  | { readonly kind: 'timed'; readonly lengthMs: number }

/** When a person who answered and got nobody is lost: we drop them, or they hang up. Both count as abandoned. */
export type LossModel =
  | { readonly kind: 'dropped'; readonly afterMs: number }
  | { readonly kind: 'patience'; readonly law: Distribution; readonly waitMs: number }

/** Machine detection that errs. Until it decides, the line is in flight. */
interface DetectionModel {
  /** Persons taken for machines: hung up on. */
  readonly falsePositive: number
  /** Machines taken for persons: an agent gets them. */
  readonly falseNegative: number
  readonly takes: Distribution
  readonly machineTalk: Distribution
}

/** A share of the agents wishes to go at an instant drawn from that span, and goes as soon as the ledgers allow. */
export interface BreakPlan {
  readonly share: number
  readonly fromMs: number
  readonly toMs: number
  readonly lengthMs: number
}

/** Something goes wrong from an instant on, for so long. */
export type Fault =
  /** The phones of a share of the agents drop, what they talk about as well. */
  | { readonly kind: 'phonesDrop'; readonly fromMs: number; readonly forMs: number; readonly share: number }
  /** The carrier refuses every dial at once (503). */
  | { readonly kind: 'carrierRefuses'; readonly fromMs: number; readonly forMs: number }
  | { readonly kind: 'linesBusy'; readonly fromMs: number; readonly forMs: number }

/** How long an answered person may wait by the rules. */
export function waitMsOf(loss: LossModel): number {
  return loss.kind === 'dropped' ? loss.afterMs : loss.waitMs
}

/** The share of dials that persons answer at an instant of the day. */
export function hitRateAt({ levels, sineShare, spells }: HitModel, nowMs: number, dayMs: number): number {
  let rate = 0
  for (const level of levels) if (level.fromMs <= nowMs) rate = level.rate
  if (sineShare !== 0) rate *= 1 + sineShare * Math.sin((2 * Math.PI * nowMs) / dayMs)
  for (const { fromMs, toMs, factor } of spells) if (fromMs <= nowMs && nowMs < toMs) rate *= factor
  return Math.min(1, Math.max(0, rate))
}
