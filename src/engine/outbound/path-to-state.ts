import type { AttemptEvent } from '../../dialer/attempt.machine.ts'
import type { AgentName, LegId } from '../../kernel/ids.ts'

/**
 * The events that lead a new machine to a ringing leg, or into a conversation with an agent. A callee without one rings
 * until the answer is sent again; where an agent has said that it is a machine, nobody shall be asked for.
 */
export function pathTo(
  session: { readonly agent: AgentName; readonly agentLeg: LegId } | '' | undefined,
  isMarkedMachine: boolean,
): AttemptEvent[] {
  const ringing: AttemptEvent[] = [{ type: 'permitted' }, { type: 'leg.ringing' }]
  const answered: AttemptEvent[] = [...ringing, { type: 'leg.answered' }, { type: 'person.heard' }]
  if (!session) return isMarkedMachine ? answered : ringing
  const { agent, agentLeg } = session
  return [
    ...answered,
    { type: 'agent.given', agent, agentLeg },
    { type: 'agent.connected' },
    ...(isMarkedMachine ? [{ type: 'machine.marked' } as const] : []),
  ]
}
