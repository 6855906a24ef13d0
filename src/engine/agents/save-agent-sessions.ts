/** Saves what must outlive the engine of agents' sessions: the agent's leg on the switch, a pause, and a mute. */
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentStatus } from '../../ports/agent-desktop.ts'
import type { NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository, SavedAgentSession } from '../../ports/dialer-repository.ts'
import type { AgentNodes } from '../../ports/nodes.ts'
import type { DialerOptions, EngineContext } from '../context.ts'
import type { Timers } from '../timers.ts'

/** Our choice: who logs out while the database is away must not be called to work by the next engine. */
const AGAIN_MS = 2_000
/** Fewer than the connections of the engine: a claim that waits in line for one may be given up. */
const CLAIMS_AT_ONCE = 4
/** What the database has of the agent. */
const NOT_KNOWN = ''

interface WithMute {
  readonly isMuted?: boolean
}

type SessionStatus = Pick<AgentStatus, 'agent' | 'state' | 'reason' | 'asked'>

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

  restored(sessions: readonly SavedAgentSession[]): void {
    for (const { agent, leg, saved } of sessions) {
      if ((saved as WithMute).isMuted === true) this.#context.agentDesktop?.talkActs.wasMuted(agent, leg)
    }
  }

  soundChanged(agent: AgentName): void {
    this.#save(this.#now(agent))
  }

  agentStatusChanged(status: AgentStatus): void {
    const { agent, state, asked } = status
    // Whoever waits for the own phone to be free is about to be logged in here.
    if (state === 'loggedOut' && asked === undefined) void this.#agentNodes?.release(agent).catch(() => {})
    this.#save(status)
  }

  /** The lease had run out. Whoever logged in at another node meanwhile leaves this one (storage-24). */
  async claimAgain(): Promise<void> {
    const nodes = this.#agentNodes
    if (!nodes) return
    const agents = this.#context.distributor.statuses().map(({ agent }) => agent)
    const others: (string | undefined)[] = []
    for (let at = 0; at < agents.length; at += CLAIMS_AT_ONCE) {
      others.push(...(await Promise.all(agents.slice(at, at + CLAIMS_AT_ONCE).map((agent) => nodes.claim(agent)))))
    }
    this.#context.enqueue(() => {
      for (const [at, agent] of agents.entries()) {
        const { state, asked } = this.#now(agent)
        if (others[at] !== undefined) this.#leave(agent, others[at])
        else if (state === 'loggedOut' && asked === undefined) void nodes.release(agent).catch(() => {})
      }
    })
  }

  #leave(agent: AgentName, node: string): void {
    const { distributor, dependencies } = this.#context
    dependencies.log.warn({ agent, node }, 'an agent logged in at another node meanwhile, and is logged out here')
    const order = { type: 'logOut', reason: `logged in on the node ${node}` } as const
    this.#context.performDistributor(distributor.order(agent, order, dependencies.clock.nowMs()).commands)
  }

  #save({ agent, state, reason, asked }: SessionStatus): void {
    const lease = this.#lease()
    if (!lease) return this.#saveLater(agent)
    const isMuted = this.#context.agentDesktop?.talkActs.isMuted(agent) === true
    const session = withMute(this.#context.distributor.savedSession(agent), isMuted)
    const shown = state === 'reserved' ? 'ready' : state
    const kept = session && `${session.leg} ${session.bridge} ${shown} ${reason} ${asked} ${isMuted}`
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
      this.#save(this.#now(agent))
    }
    this.#timers.after(AGAIN_MS, () => this.#context.enqueue(save))
  }

  #now(agent: AgentName): SessionStatus {
    const status = this.#context.distributor.statuses().find((one) => one.agent === agent)
    return status ?? { agent, state: 'loggedOut' }
  }
}

function withMute(session: SavedAgentSession | undefined, isMuted: boolean): SavedAgentSession | undefined {
  if (!session || !isMuted) return session
  return Object.assign({}, session, { saved: Object.assign({ isMuted }, session.saved) })
}
