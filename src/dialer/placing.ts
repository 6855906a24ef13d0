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

/** `lines`: a whole number, 0 or more. */
export interface Placing {
  readonly lines: number
  readonly why: PacingReason
  /** The figures of a pacer that weighs risks, for boards and records. */
  readonly weighed?: Weighed
}

export interface Weighed {
  /** Probability that the next line, if answered, is lost: 0 to 1. */
  readonly risk: number
  readonly riskMax: number
  /** Calls that may still be abandoned now, in the tightest ledger; a fraction. */
  readonly credit: number
  readonly room: number
}
