/**
 * The input and the decision of every pacer. `pacer-of-mode.ts` lists the pacers; the default of predictive campaigns
 * decides in `lines-to-place.ts`.
 */
import type { AtMs } from '../../kernel/clock.ts'
import { type LedgerState, type LiveLines, linesAllowedByAll } from '../ledger.ts'
import type { PacingReason, Placing } from '../placing.ts'

/** The input of a pacer, at each event and at short intervals between events (dialing-rules.md 3.3). */
export interface PacingSnapshot {
  /** Agents of the campaign who are logged in and not on a break. */
  readonly agents: number
  readonly live: LiveLines
  readonly ledgers: readonly LedgerState[]
  readonly linesFree: number
  /** Why no more lines are free than these; absent: the trunk is full. */
  readonly linesFreeWhy?: PacingReason
  readonly linesPerAgentMax: number
  /** Lines that agents asked for by hand. Each agent is reserved for their own line. */
  readonly wantedByHand: number
  /** Why nothing is placed beyond one line for each idle agent; absent: it may be. */
  readonly onlyOneToOne?: PacingReason | undefined
  /** Agents not idle yet who are for callers when they become free (pacing-13). */
  readonly agentsForCallers?: number
  readonly ages: PacingAges
  /** The time until dialing ends or the first ledger restarts; Infinity if neither is known. */
  readonly shiftLeftMs: number
}

/** Ages of lines, talks and wrap-ups, for forecasts. Milliseconds, unordered. */
export interface PacingAges {
  /** Since the dial, of each line in flight. */
  readonly linesMs: ArrayLike<number>
  /** Since the agent was connected, of each agent who talks. */
  readonly talksMs: ArrayLike<number>
  /** Since the talk ended, of each agent whose wrap-up ends by hand. */
  readonly wrapUpsMs: ArrayLike<number>
  /** The time left of each timed wrap-up. It cannot be extended. */
  readonly wrapUpsLeftMs: ArrayLike<number>
}

/** No line, talk or wrap-up is under way. */
export const NO_AGES: PacingAges = { linesMs: [], talksMs: [], wrapUpsMs: [], wrapUpsLeftMs: [] }

/** A fact that a pacer learns from. Lengths and ages in milliseconds. */
export type PacingFact =
  /** A person answered; `ageMs` counts from the dial. */
  | { readonly type: 'line.answered'; readonly ageMs: number }
  /** A line ended without a person: busy, no answer, a machine. */
  | { readonly type: 'line.failed'; readonly ageMs: number }
  /** A line that was learnt as answered at that age had reached a machine: it failed (campaigns-41). */
  | { readonly type: 'answer.machine'; readonly ageMs: number }
  | { readonly type: 'answer.resolved'; readonly isAbandoned: boolean }
  | { readonly type: 'talk.ended'; readonly lengthMs: number }
  /** Only wrap-ups that the agent ends. */
  | { readonly type: 'wrapUp.ended'; readonly lengthMs: number }

/** A pacing algorithm. The caller keeps what it learns as plain data, also over a restart. */
export interface Pacer<Memory> {
  begin(): Memory
  place(snapshot: PacingSnapshot, memory: Memory): Placing
  learn(memory: Memory, fact: PacingFact, nowAtMs: AtMs): Memory
}

/** For pacers that learn nothing. */
export const FORGETFUL = { begin: () => undefined, learn: () => undefined } as const

/** Further lines that idle agents cover: idle agents less lines in flight and waiting callees. May be below 0. */
export function oneToOne({ inFlight, waiting, idleAgents }: LiveLines): number {
  return idleAgents - inFlight - waiting
}

/** The limit of a snapshot that allows only lines that idle agents cover; none otherwise. */
export function oneToOneLimit({ onlyOneToOne: why, live }: PacingSnapshot): [PacingReason, number][] {
  return why === undefined ? [] : [[why, Math.max(0, oneToOne(live))]]
}

/** Reduces the requested lines to the limits of ledgers, agents and trunks. The tightest limit becomes the reason. */
export function withinLimits(wanted: number, wantedWhy: PacingReason, snapshot: PacingSnapshot): Placing {
  const { live, ledgers, agents, linesFree, linesFreeWhy = 'trunkFull', linesPerAgentMax } = snapshot
  const limits: readonly (readonly [PacingReason, number])[] = [
    [wantedWhy, wanted],
    ...oneToOneLimit(snapshot),
    ['ledgerFull', linesAllowedByAll(ledgers, live)],
    ['agentMax', Math.floor(linesPerAgentMax * agents) - live.inFlight - live.waiting],
    [linesFreeWhy, linesFree],
  ]
  if (!limits.every(([, lines]) => Number.isFinite(lines))) return { lines: 0, why: 'notKnown' }
  if (wanted <= 0) return { lines: 0, why: live.idleAgents === 0 ? 'noIdleAgent' : 'enoughOut' }
  const [why, lines] = limits.reduce((tightest, limit) => (limit[1] < tightest[1] ? limit : tightest))
  return { lines: Math.max(0, Math.floor(lines)), why }
}
