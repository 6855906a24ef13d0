/** Agents whose phones ring for each caller: one machine per agent, and the offer that it works on. */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, CallId, Ids, LegId, PlaybackId } from '../kernel/ids.ts'
import { MachineRun } from '../kernel/machine.ts'
import type { SavedAgentSession } from '../ports/dialer-repository.ts'
import type { FreeAgent } from './assign-rung-agents.ts'
import type { AgentLegFact, Joining, RungAgentCommand } from './distributor-messages.ts'
import { type AgentCommand, type AgentEvent, type Offer, ringAgentMachine } from './ring-agent.machine.ts'
import type { Agent, Staff, Team } from './team.ts'

interface RungAgent {
  agent: Agent
  readonly run: MachineRun<AgentCommand>
  freeSinceAtMs: AtMs
  offer: Offer | undefined
  bridged: boolean
  logOut?: SavedAgentSession
}

/** A conversation that an earlier engine connected. */
export type AdoptedTalk = Pick<Offer, 'call' | 'callerLeg' | 'agentLeg' | 'bridge' | 'pauseAfterMissMs'> & {
  readonly agent: AgentName
}

/** The agents whose phones ring per call. */
export class RungAgents {
  readonly #ids: Ids
  #staff: Staff = { teams: new Map(), agents: new Map() }
  readonly #rungAgents = new Map<AgentName, RungAgent>()
  readonly #byLeg = new Map<LegId, RungAgent>()

  constructor(ids: Ids) {
    this.#ids = ids
  }

  /** Follows a new configuration: agents who are gone take no further callers but finish their call. */
  employ(staff: Staff, nowMs: AtMs): void {
    this.#staff = staff
    for (const agent of staff.agents.values()) {
      const rungAgent = this.#rungAgents.get(agent.name)
      if (rungAgent) rungAgent.agent = agent
      else this.#add(agent, nowMs)
    }
    this.#dismiss()
  }

  #add(agent: Agent, nowMs: AtMs): RungAgent {
    const { run } = MachineRun.start<AgentCommand>(ringAgentMachine, { agent: agent.name }, nowMs)
    const rungAgent = { agent, run, freeSinceAtMs: nowMs, offer: undefined, bridged: false }
    this.#rungAgents.set(agent.name, rungAgent)
    return rungAgent
  }

  owns(leg: LegId): boolean {
    return this.#byLeg.has(leg)
  }

  callOf(leg: LegId): { call: CallId; agent: AgentName } | undefined {
    const rungAgent = this.#byLeg.get(leg)
    return rungAgent?.offer && { call: rungAgent.offer.call, agent: rungAgent.agent.name }
  }

  /** Whether the phone rings or talks for a caller. During the pause after a missed call it does neither. */
  isPhoneInUse(agent: AgentName): boolean {
    const offer = this.#rungAgents.get(agent)?.offer
    return offer !== undefined && this.#byLeg.has(offer.agentLeg)
  }

  /** The session is over: the agent's phone rings for no caller for the rest of that shift (campaigns-76). */
  loggedOut({ agent, leg, bridge }: Omit<SavedAgentSession, 'saved'>, loggedOutAtMs: AtMs): void {
    const rungAgent = this.#rungAgents.get(agent)
    if (!rungAgent) return
    rungAgent.logOut = { agent, leg, bridge, saved: { loggedOutAtMs } }
    this.#sendToRungAgent(rungAgent, { type: 'loggedOut' }, loggedOutAtMs)
  }

  /** The last log-out, to be saved for a restart. */
  savedLogOut(agent: AgentName): SavedAgentSession | undefined {
    return this.#rungAgents.get(agent)?.logOut
  }

  /** Takes the log-outs among what an earlier engine saved; returns the sessions. */
  restoreLogOuts(saved: readonly SavedAgentSession[]): SavedAgentSession[] {
    return saved.filter((one) => {
      const { loggedOutAtMs } = one.saved as { readonly loggedOutAtMs?: AtMs }
      if (loggedOutAtMs !== undefined) this.loggedOut(one, loggedOutAtMs)
      return loggedOutAtMs === undefined
    })
  }

  free(): FreeAgent[] {
    return [...this.#rungAgents.values()]
      .filter(({ run, agent }) => run.value === 'free' && this.#staff.agents.has(agent.name))
      .map(({ agent, freeSinceAtMs }) => ({ agent: agent.name, freeSinceAtMs }))
  }

  offer(joining: Joining, agent: AgentName, team: Team, nowMs: AtMs): RungAgentCommand[] {
    const rungAgent = this.#rungAgents.get(agent)!
    const { call, leg: callerLeg, callerId, whisper } = joining
    const { ringTimeoutMs, pauseAfterMissMs } = team
    const ours = { agentLeg: this.#ids.leg(), bridge: this.#ids.bridge() }
    rungAgent.offer = { call, callerLeg, ...ours, callerId, whisper, ringTimeoutMs, pauseAfterMissMs }
    this.#byLeg.set(ours.agentLeg, rungAgent)
    return this.#sendToRungAgent(rungAgent, { type: 'offer', offer: rungAgent.offer }, nowMs)
  }

  /**
   * After a restart: this agent, perhaps of an earlier configuration, talks to a caller. Leads their machine there, and
   * drops the commands on the way, which an earlier engine performed.
   */
  adopt({ agent: name, ...talk }: AdoptedTalk, nowMs: AtMs): void {
    const rungAgent = this.#rungAgents.get(name) ?? this.#add({ name, title: name }, nowMs)
    const offer: Offer = { ...talk, callerId: '', whisper: [], ringTimeoutMs: 0 }
    for (const event of [{ type: 'offer', offer }, { type: 'leg.answered' }, { type: 'whispered' }] as const) {
      rungAgent.run.send(event, nowMs)
    }
    Object.assign(rungAgent, { offer, bridged: true })
    this.#byLeg.set(offer.agentLeg, rungAgent)
  }

  /** The caller of an offer is gone. Silent when the agent works on another offer. */
  callerLeft(call: CallId, agent: AgentName, nowMs: AtMs): RungAgentCommand[] {
    const rungAgent = this.#rungAgents.get(agent)
    return rungAgent?.offer?.call === call ? this.#sendToRungAgent(rungAgent, { type: 'caller.left' }, nowMs) : []
  }

  /** The caller with whom the agent talks. */
  talkOf(agent: AgentName): CallId | undefined {
    const rungAgent = this.#rungAgents.get(agent)
    return rungAgent?.run.value === 'talking' ? rungAgent.offer?.call : undefined
  }

  handleAgentEvent(fact: AgentLegFact, nowMs: AtMs): RungAgentCommand[] {
    const rungAgent = this.#byLeg.get(fact.leg)
    const event = rungAgent && eventOf(fact)
    if (!event) return []
    const machineCommands = this.#sendToRungAgent(rungAgent, event, nowMs)
    return fact.type === 'leg.ended'
      ? [...machineCommands, ...this.#release(rungAgent, fact.leg, nowMs)]
      : machineCommands
  }

  timePassed(nowMs: AtMs): RungAgentCommand[] {
    const machineCommands = [...this.#rungAgents.values()].flatMap((rungAgent) =>
      this.#settle(rungAgent, rungAgent.run.fireDue(nowMs), nowMs),
    )
    this.#dismiss()
    return machineCommands
  }

  get nextDueAtMs(): AtMs | undefined {
    let earliest: AtMs | undefined
    for (const { run } of this.#rungAgents.values()) {
      const due = run.nextDueAtMs
      if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due
    }
    return earliest
  }

  states(): ReadonlyMap<AgentName, string> {
    return new Map([...this.#rungAgents].map(([name, { run }]) => [name, String(run.value)]))
  }

  #dismiss(): void {
    for (const [name, rungAgent] of this.#rungAgents) {
      if (!this.#staff.agents.has(name) && !rungAgent.offer) this.#rungAgents.delete(name)
    }
  }

  #sendToRungAgent(rungAgent: RungAgent, event: AgentEvent, nowMs: AtMs): RungAgentCommand[] {
    return this.#settle(rungAgent, rungAgent.run.send(event, nowMs), nowMs)
  }

  #settle(rungAgent: RungAgent, commands: readonly AgentCommand[], nowMs: AtMs): RungAgentCommand[] {
    const machineCommands = commands.flatMap((command) => this.#inWords(rungAgent, command, nowMs))
    if (rungAgent.run.value === 'free' && rungAgent.offer && !this.#byLeg.has(rungAgent.offer.agentLeg)) {
      rungAgent.offer = undefined
      rungAgent.freeSinceAtMs = nowMs
    }
    return machineCommands
  }

  #inWords(rungAgent: RungAgent, { type, offer }: AgentCommand, nowMs: AtMs): RungAgentCommand[] {
    const { call, agentLeg: leg, callerId, ringTimeoutMs } = offer
    const who = { call, agent: rungAgent.agent.name }
    switch (type) {
      case 'ring':
        return [{ ...who, type: 'ringAgent', leg, callerId, ringTimeoutMs }]
      case 'whisper':
        // No whisper: the two are connected at once.
        if (offer.whisper.length === 0) return this.#sendToRungAgent(rungAgent, { type: 'whispered' }, nowMs)
        return [{ ...who, type: 'whisper', leg, playback: `${leg}.whisper` as PlaybackId, say: offer.whisper }]
      case 'connect':
        rungAgent.bridged = true
        return [{ ...who, type: 'connect', offer }]
      case 'hangUp':
        return [{ ...who, type: 'hangUpAgent', leg }]
      case 'left':
        return [...this.#unbridge(rungAgent), { ...who, type: 'agentLeft' }]
      case 'lost':
        return [...this.#unbridge(rungAgent), { ...who, type: 'agentLost' }]
      case 'refused':
        return [{ ...who, type: 'offerRefused', leg }]
    }
  }

  #release(rungAgent: RungAgent, leg: LegId, nowMs: AtMs): RungAgentCommand[] {
    this.#byLeg.delete(leg)
    const machineCommands = [...this.#unbridge(rungAgent), ...this.#settle(rungAgent, [], nowMs)]
    this.#dismiss()
    return machineCommands
  }

  #unbridge(rungAgent: RungAgent): RungAgentCommand[] {
    if (!rungAgent.bridged || !rungAgent.offer) return []
    rungAgent.bridged = false
    return [
      { call: rungAgent.offer.call, agent: rungAgent.agent.name, type: 'closeBridge', bridge: rungAgent.offer.bridge },
    ]
  }
}

/** Undefined: of a leg that was found, `adopt` says more; the sound of a phone is not checked when it has just rung. */
function eventOf(fact: AgentLegFact): AgentEvent | undefined {
  switch (fact.type) {
    case 'leg.answered':
      return { type: fact.type }
    case 'leg.ended': {
      const { type, reason, neverSent } = fact
      // A phone that is not registered is `unreachable`: nobody is there.
      return {
        type,
        isLost: reason !== undefined && reason !== 'hungUp',
        isUnsent: neverSent === true && reason === 'failed',
      }
    }
    case 'playback.ended':
      return { type: 'whispered' }
    default:
      return undefined
  }
}
