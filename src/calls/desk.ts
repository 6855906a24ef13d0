/**
 * The desk brings waiting callers and agents together. It keeps one machine per agent and the order of
 * callers; facts go in, wishes come out. It knows nothing of flows: a caller is a call that joined.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, Ids, LegId, PlaybackId, TeamName } from '../kernel/ids.ts'
import { MachineRun } from '../kernel/machine.ts'
import type { Utterance } from '../ports/speech.ts'
import { type AgentCommand, type AgentEvent, agentMachine, type Offer } from './agent.machine.ts'
import { assignAgents, positionOf, type WaitingCaller } from './assign-agent.ts'
import type { Agent, Staff } from './team.ts'

/** A caller as they come to the desk. */
export interface Joining {
  readonly call: CallId
  readonly leg: LegId
  readonly team: TeamName
  readonly priority: number
  readonly callerId: string
  readonly whisper: readonly Utterance[]
}

/** A fact about an agent's leg or the whisper on it. */
export type AgentLegFact =
  | { readonly type: 'leg.answered' | 'leg.ended'; readonly leg: LegId }
  | { readonly type: 'playback.ended'; readonly leg: LegId; readonly playback: PlaybackId }

/** What the desk wishes, always on behalf of one call. */
export type DeskCommand =
  /** The team is gone or empty by now: the caller must not wait for it. */
  { readonly type: 'turnAway'; readonly call: CallId } | AgentCommandOfDesk

/** What the desk wishes about an agent. */
type AgentCommandOfDesk = { readonly call: CallId; readonly agent: AgentName } & (
  | { readonly type: 'ringAgent'; readonly leg: LegId; readonly callerId: string; readonly ringTimeoutMs: number }
  | {
      readonly type: 'whisper'
      readonly leg: LegId
      readonly playback: PlaybackId
      readonly say: readonly Utterance[]
    }
  /** Tell the call that its agent is there, then let the two hear each other. */
  | { readonly type: 'connect'; readonly offer: Offer }
  | { readonly type: 'hangUpAgent'; readonly leg: LegId }
  /** One of the two is gone: nobody needs the bridge any more. */
  | { readonly type: 'closeBridge'; readonly bridge: BridgeId }
  /** The agent put the phone down; the caller is still there. */
  | { readonly type: 'agentLeft' }
  /** Nobody came to the phone; the caller keeps their place. */
  | { readonly type: 'offerRefused'; readonly leg: LegId }
)

interface Caller extends WaitingCaller {
  readonly joining: Joining
  /** The agent whose phone rings for this caller, or who talks to them. */
  offeredTo: AgentName | undefined
}

interface Chair {
  agent: Agent
  readonly run: MachineRun<AgentCommand>
  freeSinceAtMs: AtMs
  offer: Offer | undefined
  bridged: boolean
}

/** Callers and agents of one engine. Mutable state with a lifetime, hence a class. */
export class Desk {
  readonly #ids: Ids
  #staff: Staff
  #tickets = 0
  readonly #callers = new Map<CallId, Caller>()
  readonly #chairs = new Map<AgentName, Chair>()
  readonly #chairByLeg = new Map<LegId, Chair>()

  constructor(staff: Staff, ids: Ids, nowMs: AtMs) {
    this.#ids = ids
    this.#staff = { teams: new Map(), agents: new Map() }
    this.employ(staff, nowMs)
  }

  /** Takes a new set-up: new agents sit down, agents who are gone take no further callers but finish their call. */
  employ(staff: Staff, nowMs: AtMs): DeskCommand[] {
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
    return [...this.#turnAway(), ...this.#assign(nowMs)]
  }

  /** A caller comes to wait. `full`: too many wait already; `closed`: the team is unknown or has nobody at all. */
  join(joining: Joining, nowMs: AtMs): DeskCommand[] | 'full' | 'closed' {
    const team = this.#staff.teams.get(joining.team)
    if (!team || team.agents.length === 0) return 'closed'
    const waiting = this.#waiting().filter((caller) => caller.team === joining.team)
    if (waiting.length >= team.waitingMax) return 'full'
    const { call, priority } = joining
    const caller: Caller = {
      call,
      team: joining.team,
      priority,
      ticket: this.#tickets++,
      joining,
      offeredTo: undefined,
    }
    this.#callers.set(call, caller)
    return this.#assign(nowMs)
  }

  /** The caller hung up or gave up waiting. Leaving twice is silent. */
  leave(call: CallId, nowMs: AtMs): DeskCommand[] {
    const caller = this.#callers.get(call)
    if (!caller) return []
    this.#callers.delete(call)
    const chair = caller.offeredTo && this.#chairs.get(caller.offeredTo)
    return chair ? this.#tell(chair, { type: 'caller.left' }, nowMs) : []
  }

  /** Whether a leg belongs to an agent of this desk. */
  owns(leg: LegId): boolean {
    return this.#chairByLeg.has(leg)
  }

  /** The call that an agent's leg serves, for the journal. */
  callOf(leg: LegId): { call: CallId; agent: AgentName } | undefined {
    const chair = this.#chairByLeg.get(leg)
    return chair?.offer && { call: chair.offer.call, agent: chair.agent.name }
  }

  hear(fact: AgentLegFact, nowMs: AtMs): DeskCommand[] {
    const chair = this.#chairByLeg.get(fact.leg)
    if (!chair) return []
    const event: AgentEvent = fact.type === 'playback.ended' ? { type: 'whispered' } : { type: fact.type }
    const commands = this.#tell(chair, event, nowMs)
    return fact.type === 'leg.ended' ? [...commands, ...this.#release(chair, fact.leg, nowMs)] : commands
  }

  timePassed(nowMs: AtMs): DeskCommand[] {
    const commands: DeskCommand[] = []
    for (const chair of this.#chairs.values()) {
      commands.push(...this.#settle(chair, chair.run.fireDue(nowMs), nowMs))
    }
    this.#dismiss()
    return [...commands, ...this.#assign(nowMs)]
  }

  get nextDueAtMs(): AtMs | undefined {
    let earliest: AtMs | undefined
    for (const { run } of this.#chairs.values()) {
      const due = run.nextDueAtMs
      if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due
    }
    return earliest
  }

  /** 1 for the next to be served; 0 when the call does not wait. */
  position(call: CallId): number {
    return positionOf(call, this.#waiting())
  }

  /** What each agent does, for boards and tests. */
  states(): ReadonlyMap<AgentName, string> {
    return new Map([...this.#chairs].map(([name, { run }]) => [name, String(run.value)]))
  }

  /** Agents who are no longer employed and have nothing to finish. */
  #dismiss(): void {
    for (const [name, chair] of this.#chairs) {
      if (!this.#staff.agents.has(name) && !chair.offer) this.#chairs.delete(name)
    }
  }

  /** Nobody waits for a team that is gone. */
  #turnAway(): DeskCommand[] {
    const lost = this.#waiting().filter(({ team }) => (this.#staff.teams.get(team)?.agents.length ?? 0) === 0)
    for (const { call } of lost) this.#callers.delete(call)
    return lost.map(({ call }) => ({ type: 'turnAway', call }))
  }

  #waiting(): Caller[] {
    return [...this.#callers.values()].filter((caller) => caller.offeredTo === undefined)
  }

  #assign(nowMs: AtMs): DeskCommand[] {
    const waiting = this.#waiting()
    if (waiting.length === 0) return []
    const free = [...this.#chairs.values()]
      .filter(({ run, agent }) => run.value === 'free' && this.#staff.agents.has(agent.name))
      .map(({ agent, freeSinceAtMs }) => ({ agent: agent.name, freeSinceAtMs }))
    return assignAgents(waiting, free, this.#staff).flatMap(({ call, agent }) => this.#offer(call, agent, nowMs))
  }

  #offer(call: CallId, agent: AgentName, nowMs: AtMs): DeskCommand[] {
    const caller = this.#callers.get(call)!
    const chair = this.#chairs.get(agent)!
    const team = this.#staff.teams.get(caller.team)!
    const { leg: callerLeg, callerId, whisper } = caller.joining
    const { ringTimeoutMs, pauseAfterMissMs } = team
    const ours = { agentLeg: this.#ids.leg(), bridge: this.#ids.bridge() }
    caller.offeredTo = agent
    chair.offer = { call, callerLeg, ...ours, callerId, whisper, ringTimeoutMs, pauseAfterMissMs }
    this.#chairByLeg.set(ours.agentLeg, chair)
    return this.#tell(chair, { type: 'offer', offer: chair.offer }, nowMs)
  }

  #tell(chair: Chair, event: AgentEvent, nowMs: AtMs): DeskCommand[] {
    return this.#settle(chair, chair.run.send(event, nowMs), nowMs)
  }

  #settle(chair: Chair, wishes: readonly AgentCommand[], nowMs: AtMs): DeskCommand[] {
    const commands: DeskCommand[] = []
    for (const wish of wishes) commands.push(...this.#carryOut(chair, wish, nowMs))
    if (chair.run.value === 'free' && chair.offer && !this.#chairByLeg.has(chair.offer.agentLeg)) {
      chair.offer = undefined
      chair.freeSinceAtMs = nowMs
    }
    return commands
  }

  #carryOut(chair: Chair, { type, offer }: AgentCommand, nowMs: AtMs): DeskCommand[] {
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
        this.#callers.delete(call)
        return [...this.#unbridge(chair), { ...who, type: 'agentLeft' }]
      case 'refused': {
        const caller = this.#callers.get(call)
        if (caller) caller.offeredTo = undefined
        return [{ ...who, type: 'offerRefused', leg }]
      }
    }
  }

  /** The agent's leg is gone: whoever waits may have the agent, or the next one. */
  #release(chair: Chair, leg: LegId, nowMs: AtMs): DeskCommand[] {
    this.#chairByLeg.delete(leg)
    const closed = this.#unbridge(chair)
    const freed = this.#settle(chair, [], nowMs)
    this.#dismiss()
    return [...closed, ...freed, ...this.#assign(nowMs)]
  }

  #unbridge(chair: Chair): DeskCommand[] {
    if (!chair.bridged || !chair.offer) return []
    chair.bridged = false
    return [{ call: chair.offer.call, agent: chair.agent.name, type: 'closeBridge', bridge: chair.offer.bridge }]
  }
}
