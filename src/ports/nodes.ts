/** What several nodes must not do at the same time (storage-07). */
import type { AgentName } from '../kernel/ids.ts'

/** On which node an agent is logged in: two people never get one agent. */
export interface AgentNodes {
  /** From now on the agent is of this node. The answer is the node that has the agent instead, if it lives. */
  claim(agent: AgentName): Promise<string | undefined>
  /** Silent when the agent is of another node. */
  release(agent: AgentName): Promise<void>
}

/** Two processes have one `NODE_NAME`: only the one whose lease lives may use it. */
export class LeaseHeldElsewhere extends Error {
  constructor(node: string) {
    super(`another instance of the node ${node} has a lease that lives; give each process a NODE_NAME of its own`)
  }
}
