import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'

export const agentSessions = {
  /** A session that was written under a newer lease of the node does not change. */
  async saveAgentSession({ control }, { node, fence }, session) {
    await query(
      control,
      `insert into seats (node, agent, leg, bridge, saved, fence) values ($1, $2, $3, $4, $5, $6)
       on conflict (node, agent) do update set leg = excluded.leg, bridge = excluded.bridge, saved = excluded.saved,
         fence = excluded.fence, saved_at = excluded.saved_at where seats.fence <= excluded.fence`,
      [node, session.agent, session.leg, session.bridge, JSON.stringify(session.saved), fence],
    )
  },

  /** Does nothing without a session, or if it was written under a newer lease of the node. */
  async removeAgentSession({ control }, { node, fence }, agent) {
    await query(control, 'delete from seats where node = $1 and agent = $2 and fence <= $3', [node, agent, fence])
  },

  async agentSessions({ control }, node) {
    // Whoever logged in on another node meanwhile is no longer of this one.
    const text = `select agent, leg, bridge, saved from seats s
                   where node = $1 and not exists (select from agent_nodes n where n.agent = s.agent and n.node <> $1)
                   order by agent`
    return query(control, text, [node])
  },
} satisfies Partial<In<DialerRepository>>
