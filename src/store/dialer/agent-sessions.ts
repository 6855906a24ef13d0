import type { AgentName } from '../../kernel/ids.ts'
import type { NodeLease } from '../../ports/attempt.ts'
import type { SavedAgentSession } from '../../ports/dialer-repository.ts'
import type { Pools } from '../db/pools.ts'
import { query } from '../db/transaction.ts'

/** Keeps a seat under the node's name. What a newer lease of the node wrote is not touched. */
export async function saveAgentSession(
  { control }: Pools,
  { node, fence }: NodeLease,
  session: SavedAgentSession,
): Promise<void> {
  await query(
    control,
    `insert into seats (node, agent, leg, bridge, saved, fence) values ($1, $2, $3, $4, $5, $6)
     on conflict (node, agent) do update set leg = excluded.leg, bridge = excluded.bridge, saved = excluded.saved,
       fence = excluded.fence where seats.fence <= excluded.fence`,
    [node, session.agent, session.leg, session.bridge, JSON.stringify(session.saved), fence],
  )
}

/** Removes a seat; silent when there is none, or when a newer lease of the node wrote it. */
export async function removeAgentSession(
  { control }: Pools,
  { node, fence }: NodeLease,
  agent: AgentName,
): Promise<void> {
  await query(control, 'delete from seats where node = $1 and agent = $2 and fence <= $3', [node, agent, fence])
}

/** The seats of a node, by the names of the agents. */
export async function agentSessions({ control }: Pools, node: string): Promise<readonly SavedAgentSession[]> {
  return query(control, 'select agent, leg, bridge, saved from seats where node = $1 order by agent', [node])
}
