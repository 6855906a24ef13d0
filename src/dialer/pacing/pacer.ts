/** How many lines to place now, and why. One interface for every mode; what may be placed is never a mode's own. */
import { type LedgerState, type LiveLines, linesAllowedByAll } from '../ledger.ts'

/** What a pacer sees, each half second and at each event (dialer.md 3.3). */
export interface PacingSnapshot {
  /** Agents of the campaign who are logged in and not on a break. */
  readonly agents: number
  /** The campaign's own lines and idle agents. */
  readonly live: LiveLines
  /** Every rule that the campaign is under. */
  readonly ledgers: readonly LedgerState[]
  /** Lines that the trunks have left. */
  readonly linesFree: number
  /** Most lines for each agent, whatever the mode says. */
  readonly linesPerAgentMax: number
  /** Lines that agents asked for by hand, each of them reserved for their own. */
  readonly wantedByHand: number
}

/** Why that many and no more. */
export type PacingReason =
  | 'byHand' // agents asked for so many
  | 'oneToOne' // one for each idle agent
  | 'ratio' // so many for each idle agent
  | 'enoughOut' // what is out already is enough
  | 'noIdleAgent'
  | 'ledgerFull' // more could be abandoned than a ledger allows
  | 'agentMax' // the most lines for each agent
  | 'trunkFull'
  | 'notKnown' // a figure is missing or absurd

/** The decision: whole lines, 0 or more. */
export interface Placing {
  readonly lines: number
  readonly why: PacingReason
}

/** A call that a person answered, once it is known what became of it. */
export interface ResolvedAnswer {
  readonly isAbandoned: boolean
}

/** A way to pace. What it learns is plain data that its caller keeps, so that a restart goes on with it. */
export interface Pacer<Memory> {
  begin(): Memory
  place(snapshot: PacingSnapshot, memory: Memory): Placing
  learn(memory: Memory, answer: ResolvedAnswer): Memory
}

/** For pacers that have nothing to learn. */
export const FORGETFUL = { begin: () => undefined, learn: () => undefined } as const

/** One for each idle agent whom nothing that is out may need; below 0 when more is out than agents are idle. */
export function oneToOne({ inFlight, waiting, idleAgents }: LiveLines): number {
  return idleAgents - inFlight - waiting
}

/** Cuts a wish down to what ledgers, agents and trunks allow; the tightest of them is the reason. */
export function withinLimits(wanted: number, wantedWhy: PacingReason, snapshot: PacingSnapshot): Placing {
  const { live, ledgers, agents, linesFree, linesPerAgentMax } = snapshot
  const limits: readonly (readonly [PacingReason, number])[] = [
    [wantedWhy, wanted],
    ['ledgerFull', linesAllowedByAll(ledgers, live)],
    ['agentMax', Math.floor(linesPerAgentMax * agents) - live.inFlight - live.waiting],
    ['trunkFull', linesFree],
  ]
  if (!limits.every(([, lines]) => Number.isFinite(lines))) return { lines: 0, why: 'notKnown' }
  if (wanted <= 0) return { lines: 0, why: live.idleAgents === 0 ? 'noIdleAgent' : 'enoughOut' }
  const [why, lines] = limits.reduce((tightest, limit) => (limit[1] < tightest[1] ? limit : tightest))
  return { lines: Math.max(0, Math.floor(lines)), why }
}
