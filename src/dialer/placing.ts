export type PacingReason =
  | 'byHand' // the number of lines that agents asked for
  | 'oneToOne' // one for each idle agent
  | 'ratio' // a number of lines for each idle agent
  | 'risk' // the next line would be lost too likely
  | 'enoughOut' // the lines in flight are enough
  | 'noIdleAgent'
  | 'callersWaiting' // callers get the next free agents: nothing beyond one line for each idle agent
  | 'callbackDue' // an agent is to be free for a promised callback
  | 'slowedDown' // an order of the supervisor
  | 'notItsTurn' // another campaign of the same agents or trunk is behind its share
  | 'ledgerFull' // more could be abandoned than a ledger allows
  | 'agentMax' // the maximum lines for each agent
  | 'trunkFull' // all its lines are dialed, or claimed for calls that are about to be dialed
  | 'paced' // no more calls may be placed over the trunk in this second, or in this tenth
  | 'noTrunk' // the configuration has no trunk for the campaign
  | 'carrierFailing' // calls over the trunk fail: one probe at a time
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
