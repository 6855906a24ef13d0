import type { AgentName } from '../../kernel/ids.ts'
import type { AgentNodes } from '../../ports/nodes.ts'

/** Why the agent cannot log in on this node. Without an answer nobody logs in: two people might get one agent. */
export async function whyNotHere(agentNodes: AgentNodes, agent: AgentName): Promise<string | undefined> {
  try {
    const node = await agentNodes.claim(agent)
    return node === undefined ? undefined : `You are logged in on the node ${node}. Log out there first.`
  } catch {
    return 'Whether you are logged in on another node cannot be found out now. Try again.'
  }
}
