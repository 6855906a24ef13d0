/** Agents whose phones ring for each caller: one machine per agent, and the offer that it works on. */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, CallId, Ids, LegId, PlaybackId } from '../kernel/ids.ts'
import { MachineRun } from '../kernel/machine.ts'
import type { FreeAgent } from './assign-rung-agents.ts'
import type { AgentLegFact, AgentWish, Joining } from './distributor-messages.ts'
import { type AgentCommand, type AgentEvent, agentMachine, type Offer } from './ring-agent.machine.ts'
import type { Agent, Staff, Team } from './team.ts'

interface Chair {
  agent: Agent
  readonly run: MachineRun<AgentCommand>
  freeSinceAtMs: AtMs
  offer: Offer | undefined
  bridged: boolean
}

/** Mutable state with a lifetime, hence a class. */
export class Chairs {
  readonly #ids: Ids
  #staff: Staff = { teams: new Map(), agents: new Map() }
  readonly #chairs = new Map<AgentName, Chair>()
  readonly #byLeg = new Map<LegId, Chair>()

  constructor(ids: Ids) {
    this.#ids = ids
  }

  /** Takes a new set-up: new agents sit down, agents who are gone take no further callers but finish their call. */
  employ(staff: Staff, nowMs: AtMs): void {
    this.#staff = staff
    for (const agent of staff.agents.values()) {
      const chair = this.#chairs.get(agent.name)
      if (chair) chair.agent = agent
      else {
        const { run } = MachineRun.start<AgentCommand>(agentMachine, { agent: agent.name }, nowMs)
        this.#chairs.set(agent.name, { agent, run, freeSinceAtMs: nowMs, offer: undefined, bridged: false })
      }
    }
    this.#dismiss()
  }

  owns(leg: LegId): boolean {
    return this.#byLeg.has(leg)
  }

  /** The call that an agent's leg serves. */
  callOf(leg: LegId): { call: CallId; agent: AgentName } | undefined {
    const chair = this.#byLeg.get(leg)
    return chair?.offer && { call: chair.offer.call, agent: chair.agent.name }
  }

  /** Whether their phone rings or is up for a caller. */
  isBusy(agent: AgentName): boolean {
    return this.#chairs.get(agent)?.offer !== undefined
  }

  /** Agents of the set-up with nothing to do. */
  free(): FreeAgent[] {
    return [...this.#chairs.values()]
      .filter(({ run, agent }) => run.value === 'free' && this.#staff.agents.has(agent.name))
      .map(({ agent, freeSinceAtMs }) => ({ agent: agent.name, freeSinceAtMs }))
  }

  /** Rings a free agent for a caller. */
  offer(joining: Joining, agent: AgentName, team: Team, nowMs: AtMs): AgentWish[] {
    const chair = this.#chairs.get(agent)!
    const { call, leg: callerLeg, callerId, whisper } = joining
    const { ringTimeoutMs, pauseAfterMissMs } = team
    const ours = { agentLeg: this.#ids.leg(), bridge: this.#ids.bridge() }
    chair.offer = { call, callerLeg, ...ours, callerId, whisper, ringTimeoutMs, pauseAfterMissMs }
    this.#byLeg.set(ours.agentLeg, chair)
    return this.#tell(chair, { type: 'offer', offer: chair.offer }, nowMs)
  }

  /** The caller of an offer is gone. Silent when the agent works on another one. */
  callerLeft(call: CallId, agent: AgentName, nowMs: AtMs): AgentWish[] {
    const chair = this.#chairs.get(agent)
    return chair?.offer?.call === call ? this.#tell(chair, { type: 'caller.left' }, nowMs) : []
  }

  hear(fact: AgentLegFact, nowMs: AtMs): AgentWish[] {
    const chair = this.#byLeg.get(fact.leg)
    // Phones that ring per call do not outlive the engine.
    if (!chair || fact.type === 'leg.found') return []
    const event: AgentEvent = fact.type === 'playback.ended' ? { type: 'whispered' } : { type: fact.type }
    const wishes = this.#tell(chair, event, nowMs)
    return fact.type === 'leg.ended' ? [...wishes, ...this.#release(chair, fact.leg, nowMs)] : wishes
  }

  timePassed(nowMs: AtMs): AgentWish[] {
    const wishes = [...this.#chairs.values()].flatMap((chair) => this.#settle(chair, chair.run.fireDue(nowMs), nowMs))
    this.#dismiss()
    return wishes
  }

  get nextDueAtMs(): AtMs | undefined {
    let earliest: AtMs | undefined
    for (const { run } of this.#chairs.values()) {
      const due = run.nextDueAtMs
      if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due
    }
    return earliest
  }

  states(): ReadonlyMap<AgentName, string> {
    return new Map([...this.#chairs].map(([name, { run }]) => [name, String(run.value)]))
  }

  /** Agents who are no longer employed and have nothing to finish. */
  #dismiss(): void {
    for (const [name, chair] of this.#chairs) {
      if (!this.#staff.agents.has(name) && !chair.offer) this.#chairs.delete(name)
    }
  }

  #tell(chair: Chair, event: AgentEvent, nowMs: AtMs): AgentWish[] {
    return this.#settle(chair, chair.run.send(event, nowMs), nowMs)
  }

  #settle(chair: Chair, commands: readonly AgentCommand[], nowMs: AtMs): AgentWish[] {
    const wishes = commands.flatMap((command) => this.#inWords(chair, command, nowMs))
    if (chair.run.value === 'free' && chair.offer && !this.#byLeg.has(chair.offer.agentLeg)) {
      chair.offer = undefined
      chair.freeSinceAtMs = nowMs
    }
    return wishes
  }

  #inWords(chair: Chair, { type, offer }: AgentCommand, nowMs: AtMs): AgentWish[] {
    const { call, agentLeg: leg, callerId, ringTimeoutMs } = offer
    const who = { call, agent: chair.agent.name }
    switch (type) {
      case 'ring':
        return [{ ...who, type: 'ringAgent', leg, callerId, ringTimeoutMs }]
      case 'whisper':
        // Nothing to whisper: the two are connected at once.
        if (offer.whisper.length === 0) return this.#tell(chair, { type: 'whispered' }, nowMs)
        return [{ ...who, type: 'whisper', leg, playback: `${leg}.whisper` as PlaybackId, say: offer.whisper }]
      case 'connect':
        chair.bridged = true
        return [{ ...who, type: 'connect', offer }]
      case 'hangUp':
        return [{ ...who, type: 'hangUpAgent', leg }]
      case 'left':
        return [...this.#unbridge(chair), { ...who, type: 'agentLeft' }]
      case 'refused':
        return [{ ...who, type: 'offerRefused', leg }]
    }
  }

  /** The agent's leg is gone: whoever waits may have the agent, or the next one. */
  #release(chair: Chair, leg: LegId, nowMs: AtMs): AgentWish[] {
    this.#byLeg.delete(leg)
    const wishes = [...this.#unbridge(chair), ...this.#settle(chair, [], nowMs)]
    this.#dismiss()
    return wishes
  }

  #unbridge(chair: Chair): AgentWish[] {
    if (!chair.bridged || !chair.offer) return []
    chair.bridged = false
    return [{ call: chair.offer.call, agent: chair.agent.name, type: 'closeBridge', bridge: chair.offer.bridge }]
  }
}
