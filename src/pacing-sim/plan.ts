/** Events of a day that do not depend on the policy: requests for breaks, and faults. */
import { DRAWN, rowOf, uniformAt } from './outcomes.ts'
import type { BreakPlan, Fault, Scenario } from './scenario.ts'

export type Planned =
  | { readonly type: 'breakRequested'; readonly atMs: number; readonly agent: number; readonly lengthMs: number }
  | { readonly type: 'faultBegins' | 'faultEnds'; readonly atMs: number; readonly fault: Fault }

/** The events, unordered. A share of the agents is always the first ones: a larger share contains a smaller one. */
export function planOf({ agents, breaks, faults }: Scenario, seed: number, day: number): Planned[] {
  const requested = breaks.flatMap((plan, index) => breakRequests(plan, index, agents, seed, day))
  const failed = faults.flatMap((fault): Planned[] => [
    { type: 'faultBegins', atMs: fault.fromMs, fault },
    { type: 'faultEnds', atMs: fault.fromMs + fault.forMs, fault },
  ])
  return [...requested, ...failed]
}

/** The number of agents in a share; at least one for a share above 0. */
export function agentsOf(share: number, agents: number): number {
  return share === 0 ? 0 : Math.max(1, Math.round(share * agents))
}

function breakRequests(plan: BreakPlan, index: number, agents: number, seed: number, day: number): Planned[] {
  const row = rowOf(seed, day, index, DRAWN.breakAt)
  return Array.from({ length: agentsOf(plan.share, agents) }, (_, agent) => {
    const atMs = Math.round(plan.fromMs + (plan.toMs - plan.fromMs) * uniformAt(row, agent))
    return { type: 'breakRequested', atMs, agent, lengthMs: plan.lengthMs } as const
  })
}
