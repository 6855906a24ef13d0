import type { AgentNodes } from '../../ports/nodes.ts'
import type { Pools } from '../db/pools.ts'
import { query } from '../db/transaction.ts'

/** Of the node of this name. Another node's agents are free once its lease has ended. */
export function postgresAgentNodes({ control }: Pick<Pools, 'control'>, node: string): AgentNodes {
  return {
    async claim(agent) {
      const rows = await query<{ node: string }>(control, CLAIM, [agent, node])
      if (rows.length > 0) return undefined
      const [other] = await query<{ node: string }>(control, 'select node from agent_nodes where agent = $1', [agent])
      return other?.node ?? 'another node'
    },
    async release(agent) {
      await query(control, 'delete from agent_nodes where agent = $1 and node = $2', [agent, node])
    },
  }
}

const CLAIM = `
insert into agent_nodes (agent, node) values ($1, $2)
on conflict (agent) do update set node = excluded.node
  where agent_nodes.node = excluded.node
     or not exists (select from node_leases l where l.node = agent_nodes.node and l.expires_at > clock_timestamp())
returning node`
