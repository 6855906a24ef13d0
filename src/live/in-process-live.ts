/** The live port for a single node: it hears itself only. */
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { LiveAgent, LiveNode, LivePort } from '../ports/live.ts'
import { BoardListeners } from './board-listeners.ts'
import { ExpiringMap } from './expiring-map.ts'

/** The live port of a process without Redis. Nothing outlives the process, or its `close`. */
export function inProcessLive(clock: Clock, log: Log): LivePort {
  const nodes = new ExpiringMap<LiveNode>(clock)
  const agents = new ExpiringMap<LiveAgent>(clock)
  const listeners = new BoardListeners(log)
  let isClosed = false
  return {
    kind: 'alone',
    beat: async (node, lifeMs) => {
      if (!isClosed) nodes.set(node.node, { ...node, seenAtMs: clock.nowMs() }, lifeMs)
    },
    nodes: async () => nodes.values(),
    showAgent: async (agent, lifeMs) => {
      if (!isClosed) agents.set(agent.agent, agent, lifeMs)
    },
    hideAgent: async (agent) => agents.delete(agent),
    agents: async () => agents.values(),
    publishBoard: (line) => listeners.notify(line),
    onBoard: (listener) => (isClosed ? () => {} : listeners.add(listener)),
    isConnected: () => !isClosed,
    close: async () => {
      isClosed = true
      nodes.clear()
      agents.clear()
      listeners.clear()
    },
  }
}
