import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, LegId } from '../kernel/ids.ts'
import type { AgentSession, LoggedInAgentCommand } from './agent-session.ts'
import type { AgentSessionEvent } from './agent-session-state.ts'

/** Finds agent sessions by agent, by leg of the phone, by bridge, and by the party's leg. */
export class AgentSessionIndex {
  readonly #sessions = new Map<AgentName, AgentSession>()
  readonly #byLeg = new Map<LegId, AgentSession>()
  readonly #byBridge = new Map<BridgeId, AgentSession>()
  readonly #byParty = new Map<LegId, AgentSession>()
  readonly #changed = new Set<AgentSession>()
  #left: AgentSession[] = []

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

  parties(): LegId[] {
    return [...this.#byParty.keys()]
  }

  sendToSession(session: AgentSession, event: AgentSessionEvent, nowMs: AtMs): LoggedInAgentCommand[] {
    return this.turn(session, () => session.send(event, nowMs))
  }

  /** Sessions that were saved at different times may name the same party: all hear of it, but one. */
  sendToAllWith(party: LegId, event: AgentSessionEvent, nowMs: AtMs, but?: AgentSession): LoggedInAgentCommand[] {
    const all = this.all().filter((session) => session !== but && session.party?.leg === party)
    return all.flatMap((session) => this.sendToSession(session, event, nowMs))
  }

  /** Lets a session change, and indexes its new leg and party. A session that is done is removed. */
  turn(session: AgentSession, act: () => LoggedInAgentCommand[]): LoggedInAgentCommand[] {
    const { leg, party, work } = session
    const commands = act()
    if (session.work === 'out' && work !== 'out') this.#left.push(session)
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

  /** Parties leave their bridges first: what follows may bring somebody else into one of them at once. */
  turnAll(act: (session: AgentSession) => LoggedInAgentCommand[]): LoggedInAgentCommand[] {
    const commands = this.all().flatMap((session) => this.turn(session, () => act(session)))
    const isPart = ({ type }: LoggedInAgentCommand) => type === 'seat.part'
    return [...commands.filter(isPart), ...commands.filter((one) => !isPart(one))]
  }

  /** Sessions that came to their log-out since this was last called; their phones may still be up. */
  takeLeft(): readonly AgentSession[] {
    const left = this.#left
    this.#left = []
    return left
  }

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
