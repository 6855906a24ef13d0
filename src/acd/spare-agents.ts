import type { AgentName, TeamName } from '../kernel/ids.ts'

export interface IdleAgent {
  readonly agent: AgentName
  readonly teams: readonly TeamName[]
}

/**
 * Idle agents who may do something else now: without any one of them as many lines in flight are covered as with them.
 * One agent covers one line of one of their teams. A pause, a caller of the queue and a reservation take an agent only
 * while they are spare (dialing-rules.md 0.2); ask again after each of them. Agents and lines are matched as far as
 * possible (Kuhn's algorithm). An agent without a line is spare, and so is every agent whose line a spare agent could
 * take, directly or by passing lines on.
 */
export function spareAgents(
  idle: readonly IdleAgent[],
  linesOut: ReadonlyMap<TeamName, number>,
): ReadonlySet<AgentName> {
  const covering = new Map<TeamName, IdleAgent[]>()
  const leftOver: IdleAgent[] = []
  for (const agent of idle) if (!place(agent, linesOut, covering, new Set())) leftOver.push(agent)

  const spare = new Set(leftOver.map(({ agent }) => agent))
  const reached = new Set<TeamName>()
  const open = leftOver.flatMap(({ teams }) => teams)
  for (let team = open.pop(); team !== undefined; team = open.pop()) {
    if (reached.has(team)) continue
    reached.add(team)
    for (const { agent, teams } of covering.get(team) ?? []) {
      spare.add(agent)
      open.push(...teams)
    }
  }
  return spare
}

/** Assigns a line of one of their teams to the agent; agents who have one may have to take another. */
function place(
  agent: IdleAgent,
  linesOut: ReadonlyMap<TeamName, number>,
  covering: Map<TeamName, IdleAgent[]>,
  asked: Set<TeamName>,
): boolean {
  for (const team of agent.teams) {
    const lines = linesOut.get(team) ?? 0
    if (lines <= 0 || asked.has(team)) continue
    asked.add(team)
    const placed = covering.get(team) ?? []
    covering.set(team, placed)
    if (placed.length < lines) {
      placed.push(agent)
      return true
    }
    const moving = placed.findIndex((other) => place(other, linesOut, covering, asked))
    if (moving < 0) continue
    placed[moving] = agent
    return true
  }
  return false
}
