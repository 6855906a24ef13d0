/** What is to happen in a day whatever is dialed: breaks wished for, and faults. */
import { DRAWN, rowOf, uniformAt } from './outcomes.ts'
import type { BreakPlan, Fault, Scenario } from './scenario.ts'

export type Planned =
  | { readonly type: 'breakWished'; readonly atMs: number; readonly agent: number; readonly lengthMs: number }
  | { readonly type: 'faultBegins' | 'faultEnds'; readonly atMs: number; readonly fault: Fault }

/** In no order. Of a share of the agents the first ones break, so that more of them means the same ones and others. */
export function planOf({ agents, breaks, faults }: Scenario, seed: number, day: number): Planned[] {
  const wished = breaks.flatMap((plan, index) => commands(plan, index, agents, seed, day))
  const failed = faults.flatMap((fault): Planned[] => [
    { type: 'faultBegins', atMs: fault.fromMs, fault },
    { type: 'faultEnds', atMs: fault.fromMs + fault.forMs, fault },
  ])
  return [...wished, ...failed]
}

/** How many agents a share is. At least one, for any share above 0. */
export function agentsOf(share: number, agents: number): number {
  return share === 0 ? 0 : Math.max(1, Math.round(share * agents))
}

function commands(plan: BreakPlan, index: number, agents: number, seed: number, day: number): Planned[] {
  const row = rowOf(seed, day, index, DRAWN.breakAt)
  return Array.from({ length: agentsOf(plan.share, agents) }, (_, agent) => {
    const atMs = Math.round(plan.fromMs + (plan.toMs - plan.fromMs) * uniformAt(row, agent))
    return { type: 'breakWished', atMs, agent, lengthMs: plan.lengthMs } as const
  })
}
