import type { AtMs } from '../kernel/clock.ts'
import type { AgentName } from '../kernel/ids.ts'
import type { AgentStatus } from '../ports/agent-desktop.ts'
import type { AgentSessionCommand } from './agent-session-messages.ts'

interface Waiting {
  readonly status: AgentStatus
  /** Then they need one from then on. */
  readonly hasScreen: boolean
}

/** Agents who logged in while a caller had their phone, or while the call of their last session was being hung up. */
export class WaitingLogIns {
  readonly #agents = new Map<AgentName, Waiting>()

  has(agent: AgentName): boolean {
    return this.#agents.has(agent)
  }

  /** Screens and boards show that the log-in waits. */
  statuses(): AgentStatus[] {
    return [...this.#agents.values()].map(({ status }) => status)
  }

  add(agent: AgentName, nowMs: AtMs, hasScreen: boolean): AgentSessionCommand[] {
    if (this.#agents.has(agent)) return []
    const status = { ...loggedOut(agent, nowMs), asked: 'logIn' } as const
    this.#agents.set(agent, { status, hasScreen })
    return [{ type: 'seat.changed', agent, status }]
  }

  takeBack(agent: AgentName, nowMs: AtMs): AgentSessionCommand[] {
    if (!this.#agents.delete(agent)) return []
    return [{ type: 'seat.changed', agent, status: loggedOut(agent, nowMs) }]
  }

  /** The agents whose phones are free by now. */
  take(isPhoneTaken: (agent: AgentName) => boolean): (readonly [agent: AgentName, hadScreen: boolean])[] {
    const free = [...this.#agents].filter(([agent]) => !isPhoneTaken(agent))
    for (const [agent] of free) this.#agents.delete(agent)
    return free.map(([agent, { hasScreen }]) => [agent, hasScreen])
  }
}

function loggedOut(agent: AgentName, sinceAtMs: AtMs): AgentStatus {
  return { agent, state: 'loggedOut', sinceAtMs }
}
