/**
 * How many lines the pacers `price` and `risk` place now: lines while the next line's risk is below a price, within the
 * limits of ledgers, agents and trunks. `pacer-of-mode.ts` names the pacer of each mode.
 */
import { type LedgerState, linesAllowedByAll } from '../ledger.ts'
import type { PacingReason, Placing } from '../placing.ts'
import { forecast } from './forecast.ts'
import { oneToOne, oneToOneLimit, type PacingSnapshot } from './pacer-interface.ts'
import { riskOfNext } from './risk.ts'
import { areFew, exactRiskOfNext, spareAgentDistribution } from './spare-agent-distribution.ts'
import type { Tables } from './tables.ts'

interface Weighing {
  readonly tables: Tables
  readonly hitRate: number
  readonly waitMs: number
  readonly riskMax: number
  readonly credit: number
}

/** Decisions come every quarter of a second: an agent must be free one decision before the callee's wait ends. */
const REACTION_MS = 250

/** Agents whose timed wrap-up ends while a callee who answers now may still wait. They count as idle (form L2). */
export function soonIdle({ ages }: PacingSnapshot, waitMs: number): number {
  let count = 0
  for (let place = 0; place < ages.wrapUpsLeftMs.length; place++) {
    if ((ages.wrapUpsLeftMs[place] as number) <= waitMs - REACTION_MS) count++
  }
  return count
}

/** The decision. One line for each idle agent is always allowed; the pacer weighs the risk of each further line. */
export function placeByRisk(snapshot: PacingSnapshot, weighing: Weighing): Placing {
  const { live, agents, linesFree, linesFreeWhy = 'trunkFull', linesPerAgentMax } = snapshot
  const soon = soonIdle(snapshot, weighing.waitMs)
  const base = oneToOne(live)
  const ledgers = soon === 0 ? snapshot.ledgers : snapshot.ledgers.map((ledger) => withMoreIdle(ledger, soon))
  const room = linesAllowedByAll(ledgers, { ...live, idleAgents: live.idleAgents + soon })
  const agentRoom = Math.floor(linesPerAgentMax * agents) - live.inFlight - live.waiting
  if (![base, room, agentRoom, linesFree].every(Number.isFinite)) return { lines: 0, why: 'notKnown' }
  const limits: readonly (readonly [PacingReason, number])[] = [
    ...oneToOneLimit(snapshot),
    ['ledgerFull', Math.max(room, base)],
    ['agentMax', agentRoom],
    [linesFreeWhy, linesFree],
  ]
  const [why, most] = limits.reduce((tightest, limit) => (limit[1] < tightest[1] ? limit : tightest))
  const { riskMax, credit } = weighing
  const covered = Math.max(0, Math.floor(Math.min(base, most)))
  if (most <= covered) return { lines: covered, why: whyNot(covered, base, why, snapshot) }
  const riskAfter = riskOf(snapshot, weighing, most)
  let lines = covered
  let risk = riskAfter(lines)
  while (lines < most && risk <= riskMax) {
    lines++
    risk = riskAfter(lines)
  }
  return { lines, why: lines >= most ? why : 'risk', weighed: { risk, riskMax, credit, room } }
}

/** The risk of the next line: exact for small teams, else by the normal approximation. */
function riskOf(snapshot: PacingSnapshot, { tables, hitRate, waitMs }: Weighing, most: number) {
  if (areFew(snapshot)) {
    const distribution = spareAgentDistribution(snapshot, tables, { hitRate, waitMs }, most)
    return (placed: number) => exactRiskOfNext(distribution, tables, placed)
  }
  const seen = forecast(snapshot, tables, hitRate, waitMs)
  return (placed: number) => riskOfNext(seen, tables, placed)
}

function whyNot(lines: number, base: number, limit: Placing['why'], { live }: PacingSnapshot): Placing['why'] {
  if (lines > 0) return lines === base ? 'oneToOne' : limit
  if (base > 0) return limit
  return live.idleAgents === 0 ? 'noIdleAgent' : limit
}

function withMoreIdle(ledger: LedgerState, more: number): LedgerState {
  return { ...ledger, live: { ...ledger.live, idleAgents: ledger.live.idleAgents + more } }
}
