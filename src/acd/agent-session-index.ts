import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, LegId } from '../kernel/ids.ts'
import type { AgentSession, LoggedInAgentCommand } from './agent-session.ts'
import type { AgentSessionEvent } from './agent-session-state.ts'

/** Every seat under every name by which facts come: its agent, the leg of their phone, its bridge, its party's leg. */
export class AgentSessionIndex {
  readonly #sessions = new Map<AgentName, AgentSession>()
  readonly #byLeg = new Map<LegId, AgentSession>()
  readonly #byBridge = new Map<BridgeId, AgentSession>()
  readonly #byParty = new Map<LegId, AgentSession>()
  readonly #changed = new Set<AgentSession>()

  add(session: AgentSession): void {
    this.#sessions.set(session.agent, session)
    this.#byBridge.set(session.bridge, session)
    this.#changed.add(session)
    this.#enter(session)
  }

  all(): AgentSession[] {
    return [...this.#sessions.values()]
  }

  of(agent: AgentName): AgentSession | undefined {
    return this.#sessions.get(agent)
  }

  ofLeg(leg: LegId): AgentSession | undefined {
    return this.#byLeg.get(leg)
  }

  ofBridge(bridge: BridgeId): AgentSession | undefined {
    return this.#byBridge.get(bridge)
  }

  ofParty(leg: LegId): AgentSession | undefined {
    return this.#byParty.get(leg)
  }

  /** Legs that an agent is given or talks to. */
  parties(): LegId[] {
    return [...this.#byParty.keys()]
  }

  sendToSession(session: AgentSession, event: AgentSessionEvent, nowMs: AtMs): LoggedInAgentCommand[] {
    return this.turn(session, () => session.send(event, nowMs))
  }

  /** Lets a seat do something, and finds it under its new names afterwards. One that is done is forgotten. */
  turn(session: AgentSession, act: () => LoggedInAgentCommand[]): LoggedInAgentCommand[] {
    const { leg, party } = session
    const commands = act()
    this.#changed.add(session)
    this.#byLeg.delete(leg)
    if (party) this.#byParty.delete(party.leg)
    if (!session.isDone) this.#enter(session)
    else {
      this.#sessions.delete(session.agent)
      this.#byBridge.delete(session.bridge)
    }
    return commands
  }

  /** What has changed of whom since it was last asked. */
  takeNotifications(): LoggedInAgentCommand[] {
    const changed = [...this.#changed]
    this.#changed.clear()
    return changed.flatMap((session) => session.agentNotifications())
  }

  #enter(session: AgentSession): void {
    this.#byLeg.set(session.leg, session)
    if (session.party) this.#byParty.set(session.party.leg, session)
  }
}
