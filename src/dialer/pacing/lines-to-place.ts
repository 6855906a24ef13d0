/** Places lines while the next one's risk is below a price, and no longer than ledgers, agents and trunks allow. */
import { type LedgerState, linesAllowedByAll } from '../ledger.ts'
import type { Placing } from '../placing.ts'
import { forecast } from './forecast.ts'
import { oneToOne, type PacingSnapshot } from './pacer-interface.ts'
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

/** Decisions come each quarter of a second: an agent is counted for the wait less one of them. */
const REACTION_MS = 250

/** Agents whose timed wrap-up is over before whoever answers now has waited too long: as good as idle (form L2). */
export function soonIdle({ ages }: PacingSnapshot, waitMs: number): number {
  let count = 0
  for (let place = 0; place < ages.wrapUpsLeftMs.length; place++) {
    if ((ages.wrapUpsLeftMs[place] as number) <= waitMs - REACTION_MS) count++
  }
  return count
}

/** The decision. One line for each idle agent is always allowed; beyond that each line is weighed. */
export function placeByRisk(snapshot: PacingSnapshot, weighing: Weighing): Placing {
  const { live, agents, linesFree, linesPerAgentMax } = snapshot
  const soon = soonIdle(snapshot, weighing.waitMs)
  const base = oneToOne(live)
  const ledgers = soon === 0 ? snapshot.ledgers : snapshot.ledgers.map((ledger) => withMoreIdle(ledger, soon))
  const room = linesAllowedByAll(ledgers, { ...live, idleAgents: live.idleAgents + soon })
  const agentRoom = Math.floor(linesPerAgentMax * agents) - live.inFlight - live.waiting
  if (![base, room, agentRoom, linesFree].every(Number.isFinite)) return { lines: 0, why: 'notKnown' }
  const limits = [
    ['ledgerFull', Math.max(room, base)],
    ['agentMax', agentRoom],
    ['trunkFull', linesFree],
  ] as const
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

/** The risk of one line more than so many: exactly where few are looked at, else by normal laws. */
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
