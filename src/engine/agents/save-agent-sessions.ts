/** What of the agents' seats must outlive the engine: which leg is theirs on the switch, whether they are away. */
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentStatus } from '../../ports/agent-desktop.ts'
import type { NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { EngineContext } from '../context.ts'

/** Mutable state with a lifetime, hence a class. */
export class AgentSessionSaver {
  readonly #context: EngineContext
  readonly #dialerRepository: DialerRepository
  readonly #lease: () => NodeLease | undefined
  readonly #kept = new Map<AgentName, string>()

  constructor(context: EngineContext, dialerRepository: DialerRepository, lease: () => NodeLease | undefined) {
    this.#context = context
    this.#dialerRepository = dialerRepository
    this.#lease = lease
  }

  /** The lease is there again: what could not be written meanwhile is written now. */
  again(): void {
    this.#kept.clear()
    for (const status of this.#context.distributor.statuses()) this.changed(status)
  }

  /** An agent's state has changed; it is written where a restart would need it. */
  changed({ agent, state, reason }: AgentStatus): void {
    const lease = this.#lease()
    if (!lease) return
    const session = this.#context.distributor.savedSession(agent)
    const kept = session && `${session.leg} ${session.bridge} ${state === 'reserved' ? 'ready' : state} ${reason}`
    if (kept === this.#kept.get(agent)) return
    if (kept === undefined) this.#kept.delete(agent)
    else this.#kept.set(agent, kept)
    const asked = session
      ? this.#dialerRepository.saveAgentSession(lease, session)
      : this.#dialerRepository.removeAgentSession(lease, agent)
    // Written again at the next change; a restart before that calls the agent's phone once more.
    asked.catch(() => this.#kept.delete(agent))
  }
}
