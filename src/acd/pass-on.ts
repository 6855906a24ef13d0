import type { AtMs } from '../kernel/clock.ts'
import type { AgentName } from '../kernel/ids.ts'
import type { LoggedInAgentCommand } from './agent-session.ts'
import type { AgentSessionIndex } from './agent-session-index.ts'
import type { Party } from './agent-session-state.ts'

/**
 * The party of one agent becomes the party of another, who is reserved: the one has a wrap-up, the other talks. The
 * legs are moved by whoever asks. Undefined, and nothing changed, where there is no such party or reservation.
 * `ofRung`: the party of an agent without a session.
 */
export function passOn(
  index: AgentSessionIndex,
  from: AgentName,
  to: AgentName,
  nowMs: AtMs,
  ofRung: Party | undefined,
): LoggedInAgentCommand[] | undefined {
  const giver = index.of(from)
  const taker = index.of(to)
  const party = giver?.party ?? ofRung
  if (!party || taker?.work !== 'reserved') return undefined
  return [
    ...(giver ? index.sendToSession(giver, { type: 'party.left' }, nowMs) : []),
    ...index.sendToSession(taker, { type: 'adopt', party }, nowMs),
  ]
}
