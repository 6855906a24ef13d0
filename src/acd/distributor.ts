/**
 * Brings callers, callees and agents together: callers wait in their order, callees come first. Agents' phones ring for
 * each caller (`RungAgents`), or stay up while the agents are logged in (`LoggedInAgents`). Facts and orders go in,
 * commands come out. The distributor knows nothing of flows and attempts: a caller is a call that joined.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, CallTaskId, Ids, LegId, TeamName } from '../kernel/ids.ts'
import type { AgentStatus, OrderAnswer } from '../ports/agent-desktop.ts'
import type { SavedAgentSession } from '../ports/dialer-repository.ts'
import type { AgentSession } from './agent-session.ts'
import type { AgentSessionCommand, AgentSessionOrder, AnsweredCallee } from './agent-session-messages.ts'
import { assignAgents, type WaitingCaller } from './assign-rung-agents.ts'
import type { AgentLegFact, Joining, KeptPlace, RungAgentCommand } from './distributor-messages.ts'
import { LoggedInAgents } from './logged-in-agents.ts'
import { type AdoptedTalk, RungAgents } from './rung-agents.ts'
import { hasSkills, type Staff } from './team.ts'
import type { TeamLines } from './team-membership.ts'
import { type CallerWait, WaitingLine } from './waiting-line.ts'
import { WaitingLogIns } from './waiting-log-ins.ts'

export type DistributorCommand =
  /** The team is gone or empty: the caller must not wait for it. */
  | { readonly type: 'turnAway'; readonly call: CallId }
  /** It is the turn of this place, and the agent is reserved for it. If nothing is dialed, `unreserve` the agent. */
  | { readonly type: 'callBack'; readonly task: CallTaskId; readonly agent: AgentName }
  | RungAgentCommand
  | AgentSessionCommand

type Answered = { readonly answer: OrderAnswer; readonly commands: DistributorCommand[] }

/** Callers, callees and agents of one engine. */
export class CallDistributor {
  #staff: Staff
  readonly #line = new WaitingLine()
  readonly #rungAgents: RungAgents
  readonly #sessions: LoggedInAgents
  readonly #waitingLogIns = new WaitingLogIns()
  #placing: readonly TeamName[] = []
  /** Teams that a caller has waited for. */
  readonly #queues = new Set<TeamName>()

  constructor(staff: Staff, ids: Ids, nowMs: AtMs) {
    this.#staff = staff
    this.#rungAgents = new RungAgents(ids)
    this.#sessions = new LoggedInAgents(ids)
    this.employ(staff, nowMs)
  }

  /** Follows a new configuration: agents who are gone take no further callers but finish their call. */
  employ(staff: Staff, nowMs: AtMs): DistributorCommand[] {
    this.#staff = staff
    this.#rungAgents.employ(staff, nowMs)
    const machineCommands = this.#sessions.employ(staff, nowMs)
    return [...this.#turnAway(nowMs), ...this.#settle(machineCommands, nowMs)]
  }

  /** A caller joins a queue. `full`: too many wait already; `closed`: no agent of the team has their skills. */
  join(joining: Joining, nowMs: AtMs): DistributorCommand[] | 'full' | 'closed' {
    const { team: name } = joining
    const team = this.#staff.teams.get(name)
    if (!team || !this.#hasAgentFor(joining)) return 'closed'
    if (this.callersWaitingFor(name) >= team.waitingMax) return 'full'
    this.#line.add(joining, nowMs)
    this.#queues.add(name)
    return this.#settle([], nowMs)
  }

  /** The caller hung up or gave up waiting. Leaving twice is silent. */
  leave(call: CallId, nowMs: AtMs): DistributorCommand[] {
    const caller = this.#line.remove(call, nowMs)
    if (!caller) return []
    this.#line.noteWait(caller, false, nowMs)
    if (caller.offeredTo === undefined) return []
    const left = this.#rungAgents.callerLeft(call, caller.offeredTo, nowMs)
    return this.#settle([...left, ...this.#sessions.partyEnded(caller.joining.leg, nowMs)], nowMs)
  }

  /** Carries out an agent's order about their session. The answer says whether it was possible, and why not. */
  order(agent: AgentName, order: AgentSessionOrder, nowMs: AtMs): Answered {
    if (order.type === 'logIn' && this.#isPhoneTaken(agent)) {
      const hasScreen = this.#sessions.screens.has(agent)
      return { answer: { ok: true }, commands: this.#waitingLogIns.add(agent, nowMs, hasScreen) }
    }
    if (order.type === 'logOut' && this.#waitingLogIns.has(agent)) {
      return { answer: { ok: true }, commands: this.#waitingLogIns.takeBack(agent, nowMs) }
    }
    const { answer, commands: machineCommands } = this.#sessions.order(agent, order, nowMs)
    return { answer, commands: this.#settle(machineCommands, nowMs) }
  }

  /** Whether the agent has a screen; call it at each change, also while the agent is logged out. */
  screen(agent: AgentName, isThere: boolean, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.screen(agent, isThere, nowMs), nowMs)
  }

  /** A callee has answered: `agent.given` follows, now or when an agent is free, or never. */
  ask(person: AnsweredCallee, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.ask(person, nowMs), nowMs)
  }

  /** The callee needs no agent any more. An agent who was assigned stays assigned until `release`. */
  unask(person: LegId, nowMs: AtMs): DistributorCommand[] {
    this.#sessions.unask(person)
    return this.#settle([], nowMs)
  }

  /** The attempt needs the agent no more: wrap-up after a conversation, else ready. Releasing twice is silent. */
  release(agent: AgentName, person: LegId, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.release(agent, person, nowMs), nowMs)
  }

  /** The leg of a callee who waits for an agent, or has one, is gone. Of a caller, call `leave` instead. */
  partyEnded(leg: LegId, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.partyEnded(leg, nowMs), nowMs)
  }

  /** Whether an agent may be reserved for a call of their own: they are free, and no line depends on them. */
  isSpare(agent: AgentName): boolean {
    return this.#sessions.isSpare(agent)
  }

  /** Reserves an agent for a call of their own. False: they are not spare. The next commands show the reservation. */
  reserve(agent: AgentName, nowMs: AtMs, isConsulted = false): boolean {
    return this.#sessions.reserve(agent, nowMs, isConsulted)
  }

  reserveAny(team: TeamName, nowMs: AtMs): AgentName | undefined {
    return this.#sessions.reserveAny(team, nowMs)
  }

  /** The reservation was not used. Silent when the agent is not reserved. */
  unreserve(agent: AgentName, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.unreserve(agent, nowMs), nowMs)
  }

  /** The party of one agent is the party of another from now on, who is reserved. False: it was not possible. */
  passOn(from: AgentName, to: AgentName, nowMs: AtMs): DistributorCommand[] | undefined {
    const rung = this.#rungAgents.talkOf(from)
    const caller = rung && this.#line.of(rung)?.joining
    const commands = this.#sessions.passOn(from, to, nowMs, caller)
    const freed = commands && rung ? this.#rungAgents.callerLeft(rung, from, nowMs) : []
    return commands && this.#settle([...commands, ...freed], nowMs)
  }

  isReserved(agent: AgentName): boolean {
    return this.#sessions.isReserved(agent)
  }

  /** Whether the agent's phone is connected or rings, for a session or for a caller. */
  usesPhone(agent: AgentName): boolean {
    return this.#sessions.has(agent) || this.#rungAgents.isPhoneInUse(agent)
  }

  isLoggedIn(agent: AgentName): boolean {
    return this.#sessions.has(agent)
  }

  /** A leg is in a bridge. Other bridges' legs change nothing. */
  joined(bridge: BridgeId, leg: LegId, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.joined(bridge, leg, nowMs), nowMs)
  }

  /** Lines of each team, without reserved ones; call before they are dialed. `placing`: teams with running claims. */
  linesOut(
    perTeam: ReadonlyMap<TeamName, TeamLines>,
    nowMs: AtMs,
    placing: readonly TeamName[] = [],
  ): DistributorCommand[] {
    this.#sessions.linesOut(perTeam)
    this.#placing = placing
    return this.#settle([], nowMs)
  }

  owns(leg: LegId): boolean {
    return this.#rungAgents.owns(leg) || this.#sessions.owns(leg)
  }

  /** The call that an agent's leg serves, for the journal; undefined for an agent who waits or talks to a callee. */
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
    const due = [this.#rungAgents, this.#sessions].flatMap(({ nextDueAtMs }) => nextDueAtMs ?? [])
    return due.length > 0 ? Math.min(...due) : undefined
  }

  /** 1 for the next to be served; 0 when the call does not wait. Kept places count. */
  position(call: CallId): number {
    return this.#line.position(call)
  }

  callersWaitingFor(team: TeamName): number {
    return this.#line.callers().filter((caller) => caller.team === team).length
  }

  /** Since when the caller of the team waits who waits longest. */
  longestWaitSinceAtMs(team: TeamName): AtMs | undefined {
    const waits = this.#line.callers().filter((caller) => caller.team === team)
    return waits.length > 0 ? Math.min(...waits.map(({ sinceAtMs }) => sinceAtMs)) : undefined
  }

  /** The state of each agent whose phone rings per call, for boards and tests. */
  states(): ReadonlyMap<AgentName, string> {
    return this.#rungAgents.states()
  }

  statuses(): readonly AgentStatus[] {
    return [...this.#sessions.statuses(), ...this.#waitingLogIns.statuses()]
  }

  /** Logged-in agents of the team, with these skills, who are at work: neither on a break nor without their phone. */
  readyIn(team: TeamName, skills?: readonly string[]): number {
    return this.#sessions.readyIn(team, skills)
  }

  /** Whether an agent at work serves the team, or will serve it soon. */
  isStaffed(team: TeamName): boolean {
    return this.#sessions.isStaffed(team)
  }

  /** Counts the changes of staff. A line keeps the count of its claim: agents who change teams wait for older lines. */
  get staffing(): number {
    return this.#sessions.staffing
  }

  /** Logged-in agents of the team: what they do, and since when. */
  sessionsIn(
    team: TeamName,
  ): readonly Pick<AgentSession, 'agent' | 'work' | 'sinceAtMs' | 'isAsked' | 'wrapUpEndsAtMs'>[] {
    return this.#sessions.sessionsIn(team)
  }

  /** Logged-in agents of the team who are ready and free now, in the order of assignment. */
  idleAgents(team: TeamName): readonly AgentName[] {
    return this.#sessions.idleAgents(team)
  }

  /** The agent who talks to this leg, or is about to, and the bridge. */
  sessionWith(party: LegId): { agent: AgentName; agentLeg: LegId; bridge: BridgeId } | undefined {
    const session = this.#sessions.withParty(party)
    return session && { agent: session.agent, agentLeg: session.leg, bridge: session.bridge }
  }

  /** Callers who wait, or keep a place, for this team or for a team that shares agents with it. */
  callersNear(team: TeamName): number {
    return this.#line.all().filter((one) => this.shareAgents(team, one.team)).length
  }

  /** Whether callers have ever waited for agents of this team. */
  takesCallers(team: TeamName): boolean {
    return [...this.#queues].some((queue) => this.shareAgents(team, queue))
  }

  takeWaits(): readonly CallerWait[] {
    return this.#line.takeWaits()
  }

  /** All places that may be called now. One whose turn has come is taken out until it is given again. */
  keep(places: readonly KeptPlace[], nowMs: AtMs): DistributorCommand[] {
    this.#line.places = places
    return this.#settle([], nowMs)
  }

  /** Where the caller waits; undefined when the call does not wait. */
  waiter(call: CallId): Pick<WaitingCaller, 'team' | 'priority' | 'skills' | 'sinceAtMs'> | undefined {
    return this.#line.callers().find((caller) => caller.call === call)
  }

  /** How long the latest talks of the team with its callers took, in milliseconds. */
  talksOf(team: TeamName): readonly number[] {
    return this.#line.talks.of(team)
  }

  /** Whether lines in flight depend on this idle agent (dialing-rules.md 0.2). */
  isNeeded(agent: AgentName): boolean {
    return this.#sessions.isNeeded(agent)
  }

  shareAgents(one: TeamName, other: TeamName): boolean {
    const members = this.#staff.teams.get(one)?.agents ?? []
    const others = this.#staff.teams.get(other)?.agents ?? []
    return members.some((agent) => others.includes(agent))
  }

  /** What a restart needs of the agent: their session, or when it ended. Ask after each `seat.changed`. */
  savedSession(agent: AgentName): SavedAgentSession | undefined {
    return this.#sessions.savedOne(agent) ?? this.#rungAgents.savedLogOut(agent)
  }

  savedSessions(): SavedAgentSession[] {
    return this.#sessions.saved()
  }

  /** After a restart: a caller was found with an agent whose phone was rung. `leave` parts them. */
  adoptRung(talk: AdoptedTalk, nowMs: AtMs): void {
    const { call, callerLeg: leg, agent } = talk
    const team = '' as TeamName
    this.#line.add({ call, leg, team, priority: 0, callerId: '', whisper: [] }, nowMs, agent)
    this.#rungAgents.adopt(talk, nowMs)
  }

  /** Restores sessions of an earlier engine. The switch then reports each of `savedSessions` as found or ended. */
  restoreSessions(saved: readonly SavedAgentSession[], nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.restore(this.#rungAgents.restoreLogOuts(saved), nowMs), nowMs)
  }

  /** Legs with an assigned agent. After a restart, report those as `partyEnded` that are gone or not gone on with. */
  parties(): readonly LegId[] {
    return this.#sessions.parties()
  }

  /** After a restart: a callee was found in this session's bridge. Silent when the saved session says so. */
  adopt(person: AnsweredCallee, bridge: BridgeId, nowMs: AtMs): DistributorCommand[] {
    return this.#settle(this.#sessions.adopt(person, bridge, nowMs), nowMs)
  }

  sessionOfBridge(bridge: BridgeId): { readonly agent: AgentName; readonly agentLeg: LegId } | undefined {
    const session = this.#sessions.ofBridge(bridge)
    return session && { agent: session.agent, agentLeg: session.leg }
  }

  /** After every fact and order: notes what became of callers, assigns free agents, and collects notifications. */
  #settle(machineCommands: readonly (RungAgentCommand | AgentSessionCommand)[], nowMs: AtMs): DistributorCommand[] {
    const turnedAway = machineCommands.flatMap((command) => this.#note(command, nowMs))
    const given = this.#sessions.assign(nowMs)
    for (const session of this.#sessions.takeLeft()) this.#rungAgents.loggedOut(session, nowMs)
    for (const [agent, hadScreen] of this.#waitingLogIns.take((one) => this.#isPhoneTaken(one))) {
      given.push(...this.#sessions.order(agent, { type: 'logIn' }, nowMs, hadScreen).commands)
    }
    const served = this.#serve(nowMs)
    for (const command of [...machineCommands, ...served]) {
      if (command.type === 'agentMet' || command.type === 'connect') this.#line.served(command.call, nowMs)
    }
    return [...machineCommands, ...turnedAway, ...given, ...served, ...this.#sessions.takeNotifications()]
  }

  #isPhoneTaken(agent: AgentName): boolean {
    return this.#rungAgents.isPhoneInUse(agent) || this.#sessions.isLeaving(agent)
  }

  #note(command: RungAgentCommand | AgentSessionCommand, nowMs: AtMs): DistributorCommand[] {
    if (command.type === 'agentLeft') this.#line.remove(command.call, nowMs)
    if (command.type !== 'offerRefused' && command.type !== 'agentLost') return []
    this.#line.waitsAgain(command.call, nowMs)
    // The team may have lost its agents meanwhile.
    return this.#turnAway(nowMs)
  }

  #turnAway(nowMs: AtMs): DistributorCommand[] {
    const lost = this.#line.callers().filter(({ joining }) => !this.#hasAgentFor(joining))
    for (const { call } of lost) this.#line.remove(call, nowMs)
    return lost.map(({ call }) => ({ type: 'turnAway', call }))
  }

  #hasAgentFor({ team, skills }: Pick<Joining, 'team' | 'skills'>): boolean {
    const members = this.#staff.teams.get(team)?.agents ?? []
    return members.some((agent) => hasSkills(this.#staff, agent, skills))
  }

  /** Logged-in agents come first: their phones need not ring. Phones of logged-in agents are not rung as well. */
  #serve(nowMs: AtMs): DistributorCommand[] {
    const next = this.#line.all().map(({ joining }) => joining)
    if (next.length === 0) return []
    const turns: DistributorCommand[] = []
    const offered = (one: Joining | KeptPlace, agent: AgentName) => {
      if (!('task' in one)) return void this.#line.offered(one.call, agent)
      turns.push({ type: 'callBack', task: one.task, agent })
      this.#line.places = this.#line.places.filter(({ task }) => task !== one.task)
    }
    const served = this.#sessions.serve(next, offered, nowMs)
    const free = this.#rungAgents.free().filter(({ agent }) => !this.#sessions.has(agent))
    const rung = this.#line.callers().filter(({ joining }) => !this.#mayBeSpareSoon(joining))
    return [
      ...served,
      ...turns,
      ...assignAgents(rung, free, this.#staff).flatMap(({ call, agent }) => {
        const { joining, team } = this.#line.offered(call, agent)
        return this.#rungAgents.offer(joining, agent, this.#staff.teams.get(team)!, nowMs)
      }),
    ]
  }

  /** An idle logged-in agent for this caller is kept from callers only by a line that may not come to be. */
  #mayBeSpareSoon({ team, skills }: Joining): boolean {
    const isPlacing = this.#placing.some((other) => other === team || this.shareAgents(other, team))
    return isPlacing && this.#sessions.idleAgents(team).some((agent) => hasSkills(this.#staff, agent, skills))
  }
}
