/** What screens and boards are shown of calls and queues. */
import { type AgentName, type CallId, callOf, type TeamName } from '../../kernel/ids.ts'
import type { AgentCall, QueueStatus } from '../../ports/agent-desktop.ts'
import type { EngineContext, LiveCall } from '../context.ts'
import { type LiveAttempt, offeredTask } from '../outbound/live-attempt.ts'

/** A call that the dialer placed, for its agent. */
export function shownCall({ leg, number, activity, group }: LiveAttempt): AgentCall {
  return { call: callOf(leg), direction: 'out', number, activity, task: offeredTask(group.task) }
}

/** A call that came in, for its agent; `matched`: the task of the caller. */
export function shownCaller(
  call: CallId,
  number = '',
  { team, matched }: Partial<Pick<LiveCall, 'team' | 'matched'>> = {},
): AgentCall {
  const task = matched && offeredTask({ ...matched, id: matched.task })
  return { call, direction: 'in', number, ...(task && { task }), ...(team && { team }) }
}

/** The queues of all teams of the installation. */
export function queueStatuses({ distributor, staff }: Pick<EngineContext, 'distributor' | 'staff'>): QueueStatus[] {
  // A free agent whose phone rings for each caller may be at home: one whose phone rings or talks is at work.
  const isRung = (agent: AgentName) => distributor.usesPhone(agent) && !distributor.isLoggedIn(agent)
  return [...staff().teams].map(([team, { agents }]) => ({
    team,
    waiting: distributor.callersWaitingFor(team),
    longestSinceAtMs: distributor.longestWaitSinceAtMs(team),
    ready: distributor.idleAgents(team).length,
    atWork: distributor.readyIn(team) + agents.filter(isRung).length,
  }))
}

/** The teams of the configuration that an agent belongs to. */
export function teamsOf({ staff }: Pick<EngineContext, 'staff'>, agent: AgentName): TeamName[] {
  return [...staff().teams.values()].flatMap(({ name, agents }) => (agents.includes(agent) ? [name] : []))
}
