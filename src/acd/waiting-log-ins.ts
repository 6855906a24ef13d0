import type { AtMs } from '../kernel/clock.ts'
import type { AgentName } from '../kernel/ids.ts'
import type { AgentSessionCommand } from './agent-session-messages.ts'

/** Agents who logged in while a caller had their phone, or while the call of their last session was being hung up. */
export class WaitingLogIns {
  /** Each with whether they have a screen, which they need from then on. */
  readonly #agents = new Map<AgentName, boolean>()

  has(agent: AgentName): boolean {
    return this.#agents.has(agent)
  }

  /** The screen shows that the log-in waits. */
  add(agent: AgentName, nowMs: AtMs, hasScreen: boolean): AgentSessionCommand[] {
    if (this.#agents.has(agent)) return []
    this.#agents.set(agent, hasScreen)
    return [changed(agent, nowMs, { asked: 'logIn' })]
  }

  takeBack(agent: AgentName, nowMs: AtMs): AgentSessionCommand[] {
    return this.#agents.delete(agent) ? [changed(agent, nowMs)] : []
  }

  /** The agents whose phones are free by now. */
  take(isPhoneTaken: (agent: AgentName) => boolean): (readonly [agent: AgentName, hadScreen: boolean])[] {
    const free = [...this.#agents].filter(([agent]) => !isPhoneTaken(agent))
    for (const [agent] of free) this.#agents.delete(agent)
    return free
  }
}

function changed(agent: AgentName, sinceAtMs: AtMs, asked: { readonly asked?: 'logIn' } = {}): AgentSessionCommand {
  return { type: 'seat.changed', agent, status: { agent, state: 'loggedOut', sinceAtMs, ...asked } }
}
