import type { Placing } from '../placing.ts'
import { FORGETFUL, oneToOne, type Pacer, type PacingSnapshot, withinLimits } from './pacer-interface.ts'

/** A fixed ratio on idle agents, behind the ledgers. `linesPerAgent` below 1 is taken for 1. */
export function powerPacer(linesPerAgent: number): Pacer<undefined> {
  return { ...FORGETFUL, place: (snapshot) => placeByRatio(linesPerAgent, snapshot) }
}

/** `ratio` lines for each idle agent, lines in flight included; at least one for each (dialing-rules.md 3.3). */
export function placeByRatio(ratio: number, snapshot: PacingSnapshot): Placing {
  const { inFlight, waiting, idleAgents } = snapshot.live
  const base = oneToOne(snapshot.live)
  const byRatio = Math.round(ratio * idleAgents) - inFlight - waiting
  return byRatio > base ? withinLimits(byRatio, 'ratio', snapshot) : withinLimits(base, 'oneToOne', snapshot)
}
