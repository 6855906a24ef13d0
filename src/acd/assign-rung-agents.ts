import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, CallId, TeamName } from '../kernel/ids.ts'
import { hasSkills, type Staff } from './team.ts'

/** Somebody's place in a queue. */
interface Place {
  readonly team: TeamName
  /** Higher first. */
  readonly priority: number
  /** The order of arrival. */
  readonly sinceAtMs: AtMs
  /** Decides between those who arrived in the same millisecond; it only grows. */
  readonly ticket: number
}

export interface WaitingCaller extends Place {
  readonly call: CallId
  /** That the agent must have; absent: any agent of the team. */
  readonly skills?: readonly string[] | undefined
}

export interface FreeAgent {
  readonly agent: AgentName
  readonly freeSinceAtMs: AtMs
}

/** Callers by priority, then arrival, each to the longest-idle agent with their skills; none holds up others. */
export function assignAgents(
  callers: readonly WaitingCaller[],
  free: readonly FreeAgent[],
  staff: Staff,
): { readonly call: CallId; readonly agent: AgentName }[] {
  const idle = [...free].sort((a, b) => a.freeSinceAtMs - b.freeSinceAtMs || (a.agent < b.agent ? -1 : 1))
  const pairs: { call: CallId; agent: AgentName }[] = []
  for (const { call, team, skills } of inOrder(callers)) {
    const members = staff.teams.get(team)?.agents ?? []
    const found = idle.findIndex(({ agent }) => members.includes(agent) && hasSkills(staff, agent, skills))
    if (found < 0) continue
    const [{ agent }] = idle.splice(found, 1) as [FreeAgent]
    pairs.push({ call, agent })
    if (idle.length === 0) break
  }
  return pairs
}

/** 1 for the caller who is served next in their team; 0 for who is not there. */
export function positionOf(call: CallId, waiting: readonly (Place & { readonly call?: CallId })[]): number {
  const team = waiting.find((one) => one.call === call)?.team
  const sameTeam = inOrder(waiting).filter((one) => one.team === team)
  return sameTeam.findIndex((one) => one.call === call) + 1
}

/** In the order of service: by priority, then by arrival. */
export function inOrder<P extends Place>(waiting: readonly P[]): P[] {
  return [...waiting].sort((a, b) => b.priority - a.priority || a.sinceAtMs - b.sinceAtMs || a.ticket - b.ticket)
}
