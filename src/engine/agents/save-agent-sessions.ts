/** Saves what must outlive the engine of agents' sessions: the agent's leg on the switch, and a pause. */
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentStatus } from '../../ports/agent-desktop.ts'
import type { NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { AgentNodes } from '../../ports/nodes.ts'
import type { DialerOptions, EngineContext } from '../context.ts'
import type { Timers } from '../timers.ts'

/** Our choice: who logs out while the database is away must not be called to work by the next engine. */
const AGAIN_MS = 2_000
/** What the database has of the agent. */
const NOT_KNOWN = ''

/** Writes sessions when something changed that a restart needs. */
export class AgentSessionSaver {
  readonly #context: EngineContext
  readonly #dialerRepository: DialerRepository
  readonly #agentNodes: AgentNodes | undefined
  readonly #lease: () => NodeLease | undefined
  readonly #kept = new Map<AgentName, string>()
  readonly #writing = new Map<AgentName, Promise<void>>()
  readonly #timers: Timers
  readonly #missed = new Set<AgentName>()

  constructor(
    context: EngineContext,
    options: Pick<DialerOptions, 'dialerRepository' | 'agentNodes'> & { readonly timers: Timers },
    lease: () => NodeLease | undefined,
  ) {
    this.#context = context
    this.#dialerRepository = options.dialerRepository
    this.#agentNodes = options.agentNodes
    this.#timers = options.timers
    this.#lease = lease
  }

  /** The lease is back: writes what could not be written meanwhile. */
  saveAll(): void {
    this.#kept.clear()
    for (const status of this.#context.distributor.statuses()) this.#save(status)
  }

  agentStatusChanged(status: AgentStatus): void {
    const { agent, state, asked } = status
    // Whoever waits for the own phone to be free is about to be logged in here.
    if (state === 'loggedOut' && asked === undefined) void this.#agentNodes?.release(agent).catch(() => {})
    this.#save(status)
  }

  #save({ agent, state, reason, asked }: Pick<AgentStatus, 'agent' | 'state' | 'reason' | 'asked'>): void {
    const lease = this.#lease()
    if (!lease) return this.#saveLater(agent)
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
    const written = before.then(write).catch(() => {
      this.#kept.set(agent, NOT_KNOWN)
      this.#saveLater(agent)
    })
    this.#writing.set(agent, written)
  }

  /** Once for each agent, as they are then. */
  #saveLater(agent: AgentName): void {
    if (this.#missed.has(agent)) return
    this.#missed.add(agent)
    const save = () => {
      this.#missed.delete(agent)
      const status = this.#context.distributor.statuses().find((one) => one.agent === agent)
      this.#save(status ?? { agent, state: 'loggedOut' })
    }
    this.#timers.after(AGAIN_MS, () => this.#context.enqueue(save))
  }
}
