import type { AgentName } from '../../kernel/ids.ts'
import type { AgentDesktop } from '../../ports/agent-desktop.ts'
import type { Asker } from '../http/route.ts'

/** Whether a supervisor sees this agent and acts upon them: one of teams, if they share a team (rest-35). */
export function seesAgent(
  agentDesktop: Pick<AgentDesktop, 'teamsOf'>,
  { teams }: Pick<Asker, 'teams'>,
  agent: AgentName,
): boolean {
  return teams === undefined || agentDesktop.teamsOf(agent).some((team) => teams.includes(team))
}
