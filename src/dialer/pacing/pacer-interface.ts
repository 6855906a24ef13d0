/**
 * What every pacer is asked and answers. `pacer-of-mode.ts` lists the pacers; the default of predictive campaigns
 * decides in `lines-to-place.ts`.
 */
import type { AtMs } from '../../kernel/clock.ts'
import { type LedgerState, type LiveLines, linesAllowedByAll } from '../ledger.ts'
import type { PacingReason, Placing } from '../placing.ts'

/** What a pacer sees, each half second and at each event (dialing-rules.md 3.3). */
export interface PacingSnapshot {
  /** Agents of the campaign who are logged in and not on a break. */
  readonly agents: number
  readonly live: LiveLines
  readonly ledgers: readonly LedgerState[]
  readonly linesFree: number
  readonly linesPerAgentMax: number
  /** Lines that agents asked for by hand, each of them reserved for their own. */
  readonly wantedByHand: number
  readonly ages: PacingAges
  /** Until nothing is dialed any more or the first ledger begins anew; Infinity when neither is in sight. */
  readonly shiftLeftMs: number
}

/** How long everything is under way that forecasts are made of. Milliseconds, in no order. */
export interface PacingAges {
  /** Since the dial, of each line in flight. */
  readonly linesMs: ArrayLike<number>
  /** Since the agent was connected, of each agent who talks. */
  readonly talksMs: ArrayLike<number>
  /** Since the talk ended, of each agent whose wrap-up ends by hand. */
  readonly wrapUpsMs: ArrayLike<number>
  /** What is left of each wrap-up that ends by itself and that nobody can extend. */
  readonly wrapUpsLeftMs: ArrayLike<number>
}

/** Nothing is under way. */
export const NO_AGES: PacingAges = { linesMs: [], talksMs: [], wrapUpsMs: [], wrapUpsLeftMs: [] }

/** What a pacer learns from. Lengths and ages in milliseconds. */
export type PacingFact =
  /** A person answered a line of that age. */
  | { readonly type: 'line.answered'; readonly ageMs: number }
  /** A line of that age ended without a person: busy, no answer, a machine. */
  | { readonly type: 'line.failed'; readonly ageMs: number }
  | { readonly type: 'answer.resolved'; readonly isAbandoned: boolean }
  | { readonly type: 'talk.ended'; readonly lengthMs: number }
  /** Of those that end by hand. */
  | { readonly type: 'wrapUp.ended'; readonly lengthMs: number }

/** A way to pace. What it learns is plain data that its caller keeps, so that a restart goes on with it. */
export interface Pacer<Memory> {
  begin(): Memory
  place(snapshot: PacingSnapshot, memory: Memory): Placing
  learn(memory: Memory, fact: PacingFact, nowAtMs: AtMs): Memory
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
