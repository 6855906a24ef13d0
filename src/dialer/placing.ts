/** How many lines are placed now, and why: what every pacer answers. */

/** Why that many and no more. */
export type PacingReason =
  | 'byHand' // agents asked for so many
  | 'oneToOne' // one for each idle agent
  | 'ratio' // so many for each idle agent
  | 'risk' // the next one would be lost too likely
  | 'enoughOut' // what is out already is enough
  | 'noIdleAgent'
  | 'ledgerFull' // more could be abandoned than a ledger allows
  | 'agentMax' // the most lines for each agent
  | 'trunkFull'
  | 'notKnown'

/** The decision: whole lines, 0 or more. */
export interface Placing {
  readonly lines: number
  readonly why: PacingReason
  /** What a pacer that weighs risks went by, for screens and records. */
  readonly weighed?: Weighed
}

/** The figures behind a decision of a pacer that weighs risks. */
export interface Weighed {
  /** How likely the next line, if answered, would be lost: 0 to 1. */
  readonly risk: number
  /** What that may be at most now. */
  readonly riskMax: number
  /** Calls that may still be abandoned now, in the tightest ledger; whole and parts. */
  readonly credit: number
  /** Lines that the ledgers allow. */
  readonly room: number
}
