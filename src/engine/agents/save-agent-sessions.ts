/** Saves what must outlive the engine of agents' sessions: the agent's leg on the switch, and a pause. */
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentStatus } from '../../ports/agent-desktop.ts'
import type { NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { AgentNodes } from '../../ports/nodes.ts'
import type { DialerOptions, EngineContext } from '../context.ts'

/** Writes sessions when something changed that a restart needs. */
export class AgentSessionSaver {
  readonly #context: EngineContext
  readonly #dialerRepository: DialerRepository
  readonly #agentNodes: AgentNodes | undefined
  readonly #lease: () => NodeLease | undefined
  readonly #kept = new Map<AgentName, string>()
  readonly #writing = new Map<AgentName, Promise<void>>()

  constructor(
    context: EngineContext,
    { dialerRepository, agentNodes }: Pick<DialerOptions, 'dialerRepository' | 'agentNodes'>,
    lease: () => NodeLease | undefined,
  ) {
    this.#context = context
    this.#dialerRepository = dialerRepository
    this.#agentNodes = agentNodes
    this.#lease = lease
  }

  /** The lease is back: writes what could not be written meanwhile. */
  saveAll(): void {
    this.#kept.clear()
    for (const status of this.#context.distributor.statuses()) this.agentStatusChanged(status)
  }

  agentStatusChanged({ agent, state, reason, asked }: AgentStatus): void {
    // Whoever waits for the own phone to be free is about to be logged in here.
    if (state === 'loggedOut' && asked === undefined) void this.#agentNodes?.release(agent).catch(() => {})
    const lease = this.#lease()
    if (!lease) return
    const session = this.#context.distributor.savedSession(agent)
    const kept =
      session && `${session.leg} ${session.bridge} ${state === 'reserved' ? 'ready' : state} ${reason} ${asked}`
    if (kept === this.#kept.get(agent)) return
    if (kept === undefined) this.#kept.delete(agent)
    else this.#kept.set(agent, kept)
    const write = () =>
      session
        ? this.#dialerRepository.saveAgentSession(lease, session)
        : this.#dialerRepository.removeAgentSession(lease, agent)
    // One after another: a slow removal must not take away the session that follows it.
    const before = this.#writing.get(agent) ?? Promise.resolve()
    // Written again at the next change; a restart before that calls the agent's phone once more.
    const written = before.then(write).then(
      () => {},
      () => void this.#kept.delete(agent),
    )
    this.#writing.set(agent, written)
  }
}
