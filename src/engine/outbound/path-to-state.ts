import type { AttemptEvent } from '../../dialer/attempt.machine.ts'
import type { AgentName, LegId } from '../../kernel/ids.ts'

/** The events that lead a new machine to a ringing leg, or into a conversation with an agent. */
export function pathTo(
  session: { readonly agent: AgentName; readonly agentLeg: LegId } | '' | undefined,
  isMarkedMachine: boolean,
): AttemptEvent[] {
  const ringing: AttemptEvent[] = [{ type: 'permitted' }, { type: 'leg.ringing' }]
  if (!session) return ringing
  const { agent, agentLeg } = session
  return [
    ...ringing,
    { type: 'leg.answered' },
    { type: 'person.heard' },
    { type: 'agent.given', agent, agentLeg },
    { type: 'agent.connected' },
    ...(isMarkedMachine ? [{ type: 'machine.marked' } as const] : []),
  ]
}
