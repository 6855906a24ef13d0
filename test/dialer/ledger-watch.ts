/** Follows one ledger through its events and keeps account of everything that broke it, by name. */
import {
  capOf,
  type LedgerRule,
  type LedgerState,
  linesAllowed,
  linesAtRisk,
  type Tally,
} from '../../src/dialer/ledger.ts'

/** What happens to a ledger. Facts, in the order of the engine's queue. */
export type LedgerEvent =
  /** The pacer wants that many lines; no more are placed than the rule allows. */
  | { readonly type: 'lines.wanted'; readonly lines: number }
  /** Busy, no answer, a machine: a line ended without a person. */
  | { readonly type: 'line.failed' }
  /** A person answered; the agent idle for longest takes the call, or it waits. */
  | { readonly type: 'line.answered' }
  /** One who waits gave up by themselves, in time. */
  | { readonly type: 'caller.left' }
  /** A waiting callee got no agent. */
  | { readonly type: 'call.abandoned' }
  | { readonly type: 'agent.freed' }
  /** An idle agent went, asked or not. */
  | { readonly type: 'agent.left' }
  /** The phone of the agent who took a call failed: the caller waits again. */
  | { readonly type: 'agent.failed' }
  /** Answered calls grew older than the window. */
  | { readonly type: 'window.moved'; readonly gone: Tally }

/** The events that can break the rule; nothing else does, which a property test holds. */
export type LedgerBreaker = 'agent.left' | 'agent.failed' | 'window.moved'

/** A ledger at one instant. */
export interface LedgerWatch extends LedgerState {
  /** Calls beyond what the rule allows, by what put them there: shown to supervisors, never forgotten. */
  readonly broken: Readonly<Record<LedgerBreaker, number>>
}

/** An empty ledger. */
export function openLedger(rule: LedgerRule): LedgerWatch {
  return {
    rule,
    tally: { answered: 0, abandoned: 0 },
    live: { inFlight: 0, waiting: 0, idleAgents: 0 },
    broken: { 'agent.left': 0, 'agent.failed': 0, 'window.moved': 0 },
  }
}

/** The ledger after an event. An event that cannot be (nobody waits, no line is out) changes nothing. */
export function afterEvent(watch: LedgerWatch, event: LedgerEvent): LedgerWatch {
  const changed = { ...watch, ...changeBy(watch, event) }
  const excess = excessOf(changed) - excessOf(watch)
  if (excess <= 0 || !isBreaker(event.type)) return changed
  return { ...changed, broken: { ...watch.broken, [event.type]: watch.broken[event.type] + excess } }
}

/** By how many calls the rule is broken now, or would be if everybody answered; 0 while it holds. */
export function excessOf({ rule, tally: { answered, abandoned }, live }: LedgerState): number {
  const excessWith = (inFlight: number) => {
    const allowed = Math.floor((capOf(rule) * (answered + inFlight)) / 10_000)
    return abandoned + linesAtRisk({ ...live, inFlight }) - allowed
  }
  return Math.max(0, excessWith(0), excessWith(live.inFlight))
}

function isBreaker(type: LedgerEvent['type']): type is LedgerBreaker {
  return type === 'agent.left' || type === 'agent.failed' || type === 'window.moved'
}

function changeBy(ledger: LedgerState, event: LedgerEvent): Partial<LedgerState> {
  const { tally, live } = ledger
  const { inFlight, waiting, idleAgents } = live
  switch (event.type) {
    case 'lines.wanted':
      return { live: { ...live, inFlight: inFlight + Math.min(event.lines, linesAllowed(ledger)) } }
    case 'line.failed':
      return inFlight === 0 ? {} : { live: { ...live, inFlight: inFlight - 1 } }
    case 'line.answered': {
      if (inFlight === 0) return {}
      const answered = { tally: { ...tally, answered: tally.answered + 1 } }
      const served = { inFlight: inFlight - 1, waiting, idleAgents: idleAgents - 1 }
      const unserved = { inFlight: inFlight - 1, waiting: waiting + 1, idleAgents }
      return { ...answered, live: idleAgents > 0 ? served : unserved }
    }
    case 'caller.left':
      return waiting === 0 ? {} : { live: { ...live, waiting: waiting - 1 } }
    case 'call.abandoned':
      if (waiting === 0) return {}
      return { live: { ...live, waiting: waiting - 1 }, tally: { ...tally, abandoned: tally.abandoned + 1 } }
    case 'agent.freed':
      // The one who waits longest has them at once.
      return { live: waiting > 0 ? { ...live, waiting: waiting - 1 } : { ...live, idleAgents: idleAgents + 1 } }
    case 'agent.left':
      return idleAgents === 0 ? {} : { live: { ...live, idleAgents: idleAgents - 1 } }
    case 'agent.failed':
      return { live: idleAgents > 0 ? { ...live, idleAgents: idleAgents - 1 } : { ...live, waiting: waiting + 1 } }
    case 'window.moved':
      return { tally: less(tally, event.gone) }
  }
}

function less(tally: Tally, gone: Tally): Tally {
  const answered = Math.max(0, tally.answered - gone.answered)
  return { answered, abandoned: Math.min(answered, Math.max(0, tally.abandoned - gone.abandoned)) }
}
