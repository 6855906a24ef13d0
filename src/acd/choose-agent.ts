/** Which idle agent an answered callee or a waiting caller gets. */
import type { AgentSession } from './agent-session.ts'

/** Idle agents, the next one to be taken first: those with fewer teams, then the longest idle, then by name. */
export function inOrderOfChoice(
  idle: readonly AgentSession[],
  teamsOf: (session: AgentSession) => number,
): AgentSession[] {
  return [...idle].sort((a, b) => teamsOf(a) - teamsOf(b) || a.sinceAtMs - b.sinceAtMs || (a.agent < b.agent ? -1 : 1))
}
