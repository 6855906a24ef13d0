/**
 * The desk brings people and agents together: callers who wait, in their order, people we called, who come first, and
 * agents, whose phones ring for each caller (`Chairs`) or who are logged in with a phone that stays up (`Seats`). Facts
 * and orders go in, wishes come out. It knows nothing of flows and attempts: a caller is a call that joined.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, Ids, LegId, TeamName } from '../kernel/ids.ts'
import type { AgentStatus, OrderAnswer } from '../ports/agent-desktop.ts'
import type { SavedAgentSession } from '../ports/dialer-repository.ts'
import type { AgentSession } from './agent-session.ts'
import type { AgentSessionCommand, AgentSessionOrder, AnsweredCallee } from './agent-session-messages.ts'
import { assignAgents, inOrder, positionOf, type WaitingCaller } from './assign-rung-agents.ts'
import type { AgentLegFact, Joining, RungAgentCommand } from './distributor-messages.ts'
import { LoggedInAgents } from './logged-in-agents.ts'
import { RungAgents } from './rung-agents.ts'
import type { Staff } from './team.ts'

/** What the desk wishes: for a call, or for a seat. */
export type DistributorCommand =
  /** The team is gone or empty by now: the caller must not wait for it. */
  { readonly type: 'turnAway'; readonly call: CallId } | RungAgentCommand | AgentSessionCommand

interface Caller extends WaitingCaller {
  readonly joining: Joining
  /** The agent whose phone rings for this caller, or who talks to them. */
  offeredTo: AgentName | undefined
}

const PHONE_IN_USE: OrderAnswer = {
  ok: false,
  why: 'your phone is in use for a caller; log in when that call is over',
}

/** Callers, people we called, and agents of one engine. Mutable state with a lifetime, hence a class. */
export class CallDistributor {
  #staff: Staff
  #tickets = 0
  readonly #callers = new Map<CallId, Caller>()
  readonly #rungAgents: RungAgents
  readonly #sessions: LoggedInAgents
  #placing: readonly TeamName[] = []

  constructor(staff: Staff, ids: Ids, nowMs: AtMs) {
    this.#staff = staff
    this.#rungAgents = new RungAgents(ids)
    this.#sessions = new LoggedInAgents(ids)
    this.employ(staff, nowMs)
  }

  /** Takes a new set-up: new agents sit down, agents who are gone take no further callers but finish their call. */
  employ(staff: Staff, nowMs: AtMs): DistributorCommand[] {
    this.#staff = staff
    this.#rungAgents.employ(staff, nowMs)
    const machineCommands = this.#sessions.employ(staff, nowMs)
    return [...this.#turnAway(), ...this.#settle(machineCommands, nowMs)]
  }

  /** A caller comes to wait. `full`: too many wait already; `closed`: the team is unknown or has nobody at all. */
  join(joining: Joining, nowMs: AtMs): DistributorCommand[] | 'full' | 'closed' {
    const { call, team: name, priority } = joining
    const team = this.#staff.teams.get(name)
    if (!team || team.agents.length === 0) return 'closed'
    if (this.callersWaitingFor(name) >= team.waitingMax) return 'full'
    this.#callers.set(call, { call, team: name, priority, ticket: this.#tickets++, joining, offeredTo: undefined })
    return this.#settle([], nowMs)
  }

  /** The caller hung up or gave up waiting. Leaving twice is silent. */
  leave(call: CallId, nowMs: AtMs): DistributorCommand[] {
    const caller = this.#callers.get(call)
    if (!caller) return []
    this.#callers.delete(call)
    if (caller.offeredTo === undefined) return []
    const left = this.#rungAgents.callerLeft(call, caller.offeredTo, nowMs)
    return this.#settle([...left, ...this.#sessions.partyEnded(caller.joining.leg, nowMs)], nowMs)
  }

  /** Carries out what an agent wants of their own seat. The answer says whether it was possible, and why not. */
  order(
    agent: AgentName,
    order: AgentSessionOrder,
    nowMs: AtMs,
  ): { answer: OrderAnswer; commands: DistributorCommand[] } {
    if (order.type === 'logIn' && this.#rungAgents.isBusy(agent)) return { answer: PHONE_IN_USE, commands: [] }
    const { answer, wishes: machineCommands } = this.#sessions.order(agent, order, nowMs)
    return { answer, commands: this.#settle(machineCommands, nowMs) }
  }

  /** Whether any screen of theirs is there; told at each change, also while nobody is logged in. */
  screen(agent: AgentName, isThere: boolean, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.screen(agent, isThere, nowMs), nowMs)
  }

  /** Somebody we called has answered: `agent.given` follows, now or when an agent is free, or nothing. */
  ask(person: AnsweredCallee, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.ask(person, nowMs), nowMs)
  }

  /** They need nobody to be found any more. An agent who was given stays given until `release`. */
  unask(person: LegId, nowMs: AtMs): DistributorCommand[] {
    this.#sessions.unask(person)
    return this.#settle([], nowMs)
  }

  /** The attempt needs the agent no more: wrap-up after a conversation, else ready. Releasing twice is silent. */
  release(agent: AgentName, person: LegId, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.release(agent, person, nowMs), nowMs)
  }

  /** The leg of somebody who waits for an agent, or has one, is gone. Of a caller, `leave` is to be told instead. */
  partyEnded(leg: LegId, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.partyEnded(leg, nowMs), nowMs)
  }

  /** Whether an agent may be kept for a call of their own: they are free, and no line depends on them. */
  isSpare(agent: AgentName): boolean {
    return this.#sessions.isSpare(agent)
  }

  /** Keeps an agent for a call of their own. False: they are not spare. That it shows is told with the next wishes. */
  reserve(agent: AgentName, nowMs: AtMs): boolean {
    return this.#sessions.reserve(agent, nowMs)
  }

  /** Reserves whoever of the team is taken first and spare, in the same way. */
  reserveAny(team: TeamName, nowMs: AtMs): AgentName | undefined {
    return this.#sessions.reserveAny(team, nowMs)
  }

  /** Nothing comes of what they were reserved for. Silent when they are not reserved. */
  unreserve(agent: AgentName, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.unreserve(agent, nowMs), nowMs)
  }

  isReserved(agent: AgentName): boolean {
    return this.#sessions.isReserved(agent)
  }

  /** Whether this agent has a seat, whatever they do on it. */
  isLoggedIn(agent: AgentName): boolean {
    return this.#sessions.has(agent)
  }

  /** A leg is in a bridge. Every such fact may be told; those about other bridges change nothing. */
  joined(bridge: BridgeId, leg: LegId, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.joined(bridge, leg, nowMs), nowMs)
  }

  /**
   * Lines of each team that are out or being placed, but those for a reserved agent. Told before they are dialed.
   * `placing`: teams of whose lines it is not known yet whether there is anybody to be dialed, which takes a moment.
   */
  linesOut(
    perTeam: ReadonlyMap<TeamName, number>,
    nowMs: AtMs,
    placing: readonly TeamName[] = [],
  ): DistributorCommand[] {
    this.#sessions.linesOut(perTeam)
    this.#placing = placing
    return this.#settle([], nowMs)
  }

  /** Whether a leg belongs to an agent of this desk. */
  owns(leg: LegId): boolean {
    return this.#rungAgents.owns(leg) || this.#sessions.owns(leg)
  }

  /** The call that an agent's leg serves, for the journal; none for an agent who waits or talks to whom we called. */
  callOf(leg: LegId): { call: CallId; agent: AgentName } | undefined {
    return this.#rungAgents.callOf(leg) ?? this.#sessions.callOf(leg)
  }

  handleAgentEvent(fact: AgentLegFact, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(
      [...this.#rungAgents.handleAgentEvent(fact, nowMs), ...this.#sessions.handleAgentEvent(fact, nowMs)],
      nowMs,
    )
  }

  timePassed(nowMs: AtMs): DistributorCommand[] {
    return this.#settle([...this.#rungAgents.timePassed(nowMs), ...this.#sessions.timePassed(nowMs)], nowMs)
  }

  get nextDueAtMs(): AtMs | undefined {
    const [rungAgents, sessions] = [this.#rungAgents.nextDueAtMs, this.#sessions.nextDueAtMs]
    return rungAgents === undefined || sessions === undefined
      ? (rungAgents ?? sessions)
      : Math.min(rungAgents, sessions)
  }

  /** 1 for the next to be served; 0 when the call does not wait. */
  position(call: CallId): number {
    return positionOf(call, this.#waiting())
  }

  /** Callers for whom nobody is there yet. */
  callersWaitingFor(team: TeamName): number {
    return this.#waiting().filter((caller) => caller.team === team).length
  }

  /** What each agent whose phone rings per call does, for boards and tests. */
  states(): ReadonlyMap<AgentName, string> {
    return this.#rungAgents.states()
  }

  /** Agents who are logged in, for screens and boards. */
  statuses(): readonly AgentStatus[] {
    return this.#sessions.statuses()
  }

  /** Logged-in agents of the team who are at work: neither on a break nor without their phone. */
  readyIn(team: TeamName): number {
    return this.#sessions.readyIn(team)
  }

  /** Logged-in agents of the team: what they do, and since when. */
  sessionsIn(team: TeamName): readonly Pick<AgentSession, 'work' | 'sinceAtMs' | 'isAsked' | 'wrapUpEndsAtMs'>[] {
    return this.#sessions.sessionsIn(team)
  }

  /** Logged-in agents of the team who are ready and free now, in the order in which they are taken. */
  idleAgents(team: TeamName): readonly AgentName[] {
    return this.#sessions.idleAgents(team)
  }

  /** The agent whom this leg talks to, or is about to, and where. */
  sessionWith(party: LegId): { agent: AgentName; agentLeg: LegId; bridge: BridgeId } | undefined {
    const session = this.#sessions.withParty(party)
    return session && { agent: session.agent, agentLeg: session.leg, bridge: session.bridge }
  }

  /** Callers whom agents of this team, or colleagues in another team of theirs, will have to serve. */
  callersNear(team: TeamName): number {
    return this.#waiting().filter((caller) => this.shareAgents(team, caller.team)).length
  }

  /** Whether lines that are out depend on this idle agent (dialing-rules.md 0.2). */
  isNeeded(agent: AgentName): boolean {
    return this.#sessions.isNeeded(agent)
  }

  /** Whether some agent works in both teams. */
  shareAgents(one: TeamName, other: TeamName): boolean {
    const members = this.#staff.teams.get(one)?.agents ?? []
    const others = this.#staff.teams.get(other)?.agents ?? []
    return members.some((agent) => others.includes(agent))
  }

  /** One who is logged in, to be kept for a restart: asked after each `seat.changed`. Undefined: not any more. */
  savedSession(agent: AgentName): SavedAgentSession | undefined {
    return this.#sessions.savedOne(agent)
  }

  /** Everybody who is logged in, as they are kept. */
  savedSessions(): SavedAgentSession[] {
    return this.#sessions.saved()
  }

  /**
   * Goes on with the seats of an engine before this one. Then `savedSeats` names the legs and bridges to expect; each
   * leg is told as `leg.found` or `leg.ended`.
   */
  restoreSessions(saved: readonly SavedAgentSession[], nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.restore(saved, nowMs), nowMs)
  }

  /**
   * Legs that an agent is given or talks to. After a restart, those that are gone, or that nobody goes on with, must
   * be told as `partyEnded`.
   */
  parties(): readonly LegId[] {
    return this.#sessions.parties()
  }

  /** After a restart: somebody we called was found in this seat's bridge. Silent when that is what was saved. */
  adopt(person: AnsweredCallee, bridge: BridgeId, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.adopt(person, bridge, nowMs), nowMs)
  }

  /** The agent whose bridge it is, with the leg of their phone. */
  sessionOfBridge(bridge: BridgeId): { readonly agent: AgentName; readonly agentLeg: LegId } | undefined {
    const session = this.#sessions.ofBridge(bridge)
    return session && { agent: session.agent, agentLeg: session.leg }
  }

  /** After every fact and order: notes what became of callers, gives everybody who can be had, and tells the news. */
  #settle(machineCommands: readonly (RungAgentCommand | AgentSessionCommand)[], nowMs: AtMs): DistributorCommand[] {
    for (const command of machineCommands) this.#note(command)
    const given = this.#sessions.assign(nowMs)
    const served = this.#serve(nowMs)
    return [...machineCommands, ...given, ...served, ...this.#sessions.takeNotifications()]
  }

  #note(command: RungAgentCommand | AgentSessionCommand): void {
    if (command.type === 'agentLeft') this.#callers.delete(command.call)
    if (command.type !== 'offerRefused') return
    const caller = this.#callers.get(command.call)
    if (caller) caller.offeredTo = undefined
  }

  /** Nobody waits for a team that is gone. */
  #turnAway(): DistributorCommand[] {
    const lost = this.#waiting().filter(({ team }) => (this.#staff.teams.get(team)?.agents.length ?? 0) === 0)
    for (const { call } of lost) this.#callers.delete(call)
    return lost.map(({ call }) => ({ type: 'turnAway', call }))
  }

  #waiting(): Caller[] {
    return [...this.#callers.values()].filter((caller) => caller.offeredTo === undefined)
  }

  /** Agents who are logged in come first: they need not be rung. Whoever is logged in is not rung as well. */
  #serve(nowMs: AtMs): DistributorCommand[] {
    const waiting = this.#waiting()
    if (waiting.length === 0) return []
    const joinings = inOrder(waiting).map(({ joining }) => joining)
    const served = this.#sessions.serve(joinings, (call, agent) => this.#offered(call, agent), nowMs)
    const free = this.#rungAgents.free().filter(({ agent }) => !this.#sessions.has(agent))
    const rung = this.#waiting().filter(({ team }) => !this.#mayBeSpareSoon(team))
    return [
      ...served,
      ...assignAgents(rung, free, this.#staff).flatMap(({ call, agent }) => {
        const { joining, team } = this.#offered(call, agent)
        return this.#rungAgents.offer(joining, agent, this.#staff.teams.get(team)!, nowMs)
      }),
    ]
  }

  /** Somebody of the team is logged in and idle, and only a line that may not come to be keeps them from callers. */
  #mayBeSpareSoon(team: TeamName): boolean {
    const isPlacing = this.#placing.some((other) => other === team || this.shareAgents(other, team))
    return isPlacing && this.#sessions.idleAgents(team).length > 0
  }

  #offered(call: CallId, agent: AgentName): Caller {
    // Only callers who wait are offered.
    const caller = this.#callers.get(call)!
    caller.offeredTo = agent
    return caller
  }
}
