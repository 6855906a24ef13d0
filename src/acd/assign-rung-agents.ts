import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, CallId, TeamName } from '../kernel/ids.ts'
import type { Staff } from './team.ts'

export interface WaitingCaller {
  readonly call: CallId
  readonly team: TeamName
  /** Higher first. */
  readonly priority: number
  /** Place in the order of arrival; it only grows. */
  readonly ticket: number
}

export interface FreeAgent {
  readonly agent: AgentName
  readonly freeSinceAtMs: AtMs
}

/** Callers by priority, then arrival, each to the longest-idle agent of their team; no team holds up another one. */
export function assignAgents(
  callers: readonly WaitingCaller[],
  free: readonly FreeAgent[],
  staff: Staff,
): { readonly call: CallId; readonly agent: AgentName }[] {
  const idle = [...free].sort((a, b) => a.freeSinceAtMs - b.freeSinceAtMs || (a.agent < b.agent ? -1 : 1))
  const pairs: { call: CallId; agent: AgentName }[] = []
  for (const { call, team } of inOrder(callers)) {
    const members = staff.teams.get(team)?.agents ?? []
    const found = idle.findIndex(({ agent }) => members.includes(agent))
    if (found < 0) continue
    const [{ agent }] = idle.splice(found, 1) as [FreeAgent]
    pairs.push({ call, agent })
    if (idle.length === 0) break
  }
  return pairs
}

/** 1 for the caller who is served next in their team. */
export function positionOf(call: CallId, callers: readonly WaitingCaller[]): number {
  const team = callers.find((caller) => caller.call === call)?.team
  const sameTeam = inOrder(callers).filter((caller) => caller.team === team)
  return sameTeam.findIndex((caller) => caller.call === call) + 1
}

/** In the order of service: by priority, then by arrival. */
export function inOrder<C extends WaitingCaller>(callers: readonly C[]): C[] {
  return [...callers].sort((a, b) => b.priority - a.priority || a.ticket - b.ticket)
}
