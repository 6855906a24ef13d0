/** Logged-in agents, and callees who need one. Call `assign` after each fact and order: this keeps the order. */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, Ids, LegId, TeamName } from '../kernel/ids.ts'
import type { AgentStatus, OrderAnswer } from '../ports/agent-desktop.ts'
import type { SavedAgentSession } from '../ports/dialer-repository.ts'
import { AgentSession, type AgentSessionWork, type LoggedInAgentCommand } from './agent-session.ts'
import { AgentSessionIndex } from './agent-session-index.ts'
import type { AgentSessionOrder, AnsweredCallee, WrapUp } from './agent-session-messages.ts'
import { refusalOf } from './agent-session-orders.ts'
import type { AgentSessionEvent, Party } from './agent-session-state.ts'
import { inOrderOfChoice } from './choose-agent.ts'
import type { AgentLegFact, Joining, KeptPlace } from './distributor-messages.ts'
import { passOn } from './pass-on.ts'
import { spareAgents } from './spare-agents.ts'
import { graceOf, hasSkills, type Staff, type Team } from './team.ts'
import { type TeamLines, TeamMembership } from './team-membership.ts'

export interface Ordered {
  readonly answer: OrderAnswer
  readonly commands: LoggedInAgentCommand[]
}

const OK: OrderAnswer = { ok: true }
const NOT_IN: OrderAnswer = { ok: false, why: 'you are not logged in; log in first' }
const UNKNOWN: OrderAnswer = { ok: false, why: 'unknown agent; ask your administrator to add you to the configuration' }
/** Screens and boards show the reason in one line. */
const REASON_LENGTH_MAX = 200
/** States of agents who are at work: neither on a break nor without their phone. */
const AT_WORK: readonly AgentSessionWork[] = ['ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp']
const NO_WRAP_UP: WrapUp = { kind: 'timed', lengthMs: 0 }

/** The sessions of one engine. `Distributor` describes the methods that it passes on. */
export class LoggedInAgents {
  readonly #ids: Ids
  #staff: Staff = { teams: new Map(), agents: new Map() }
  readonly #membership = new TeamMembership()
  #linesOut: ReadonlyMap<TeamName, number> = new Map()
  /** The lines that callers leave agents for. */
  #linesToCover: ReadonlyMap<TeamName, number> = new Map()
  /** In the order in which they asked (INV-A2). */
  readonly #waiting = new Map<LegId, AnsweredCallee>()
  readonly #index = new AgentSessionIndex()
  readonly screens = new Set<AgentName>()

  constructor(ids: Ids) {
    this.#ids = ids
  }

  /** Follows a new configuration. Agents who are gone from it finish their call and are logged out. */
  employ(staff: Staff, nowMs: AtMs): LoggedInAgentCommand[] {
    this.#staff = staff
    this.#membership.employ(
      staff,
      this.#index.all().map(({ agent }) => agent),
    )
    const gone = this.#index.all().filter(({ agent }) => !staff.agents.has(agent))
    return gone.flatMap((session) =>
      this.#index.sendToSession(session, { type: 'logOut', reason: 'no longer in the set-up' }, nowMs),
    )
  }

  order(agent: AgentName, order: AgentSessionOrder, nowMs: AtMs, hadScreen = false): Ordered {
    const session = this.#index.of(agent)
    if (order.type === 'logIn') {
      if (session || !this.#staff.agents.has(agent)) return { answer: session ? OK : UNKNOWN, commands: [] }
      return { answer: OK, commands: this.#logIn(agent, nowMs, hadScreen) }
    }
    if (!session || session.work === 'out') return { answer: NOT_IN, commands: [] }
    const refused = refusalOf(order, session)
    if (refused) return { answer: refused, commands: [] }
    const reason = 'reason' in order ? order.reason?.slice(0, REASON_LENGTH_MAX) : undefined
    const event = reason === undefined ? order : { ...order, reason }
    return { answer: OK, commands: this.#index.sendToSession(session, event, nowMs) }
  }

  /** Whether the agent has a screen. An agent who has one at log-in needs one from then on. */
  screen(agent: AgentName, isThere: boolean, nowMs: AtMs): LoggedInAgentCommand[] {
    this.screens[isThere ? 'add' : 'delete'](agent)
    return this.#orderSession(agent, { type: isThere ? 'screen.attached' : 'screen.left' }, nowMs)
  }

  /** A callee needs an agent. A callee who already has one asks again because the two were not joined. */
  ask(person: AnsweredCallee, nowMs: AtMs): LoggedInAgentCommand[] {
    if (!this.#waiting.has(person.leg)) this.#waiting.set(person.leg, person)
    return this.#index.sendToAllWith(person.leg, { type: 'party.released' }, nowMs)
  }

  unask(leg: LegId): void {
    this.#waiting.delete(leg)
  }

  release(agent: AgentName, person: LegId, nowMs: AtMs): LoggedInAgentCommand[] {
    const session = this.#index.of(agent)
    return session?.party?.leg === person ? this.#index.sendToSession(session, { type: 'party.released' }, nowMs) : []
  }

  partyEnded(leg: LegId, nowMs: AtMs): LoggedInAgentCommand[] {
    this.#waiting.delete(leg)
    return this.#index.sendToAllWith(leg, { type: 'party.left' }, nowMs)
  }

  isSpare(agent: AgentName): boolean {
    const session = this.#index.of(agent)
    return session?.work === 'ready' && !session.isAsked && !this.isNeeded(agent)
  }

  reserve(agent: AgentName, nowMs: AtMs, isConsulted = false): boolean {
    const session = this.#index.of(agent)
    if (!session || !this.isSpare(agent)) return false
    this.#index.sendToSession(session, isConsulted ? { type: 'reserve', isConsulted } : { type: 'reserve' }, nowMs)
    return true
  }

  reserveAny(team: TeamName, nowMs: AtMs): AgentName | undefined {
    const members = this.#staff.teams.get(team)?.agents ?? []
    return this.#idle(members).find(({ agent }) => this.reserve(agent, nowMs))?.agent
  }

  unreserve(agent: AgentName, nowMs: AtMs): LoggedInAgentCommand[] {
    return this.#orderSession(agent, { type: 'unreserve' }, nowMs)
  }

  passOn(from: AgentName, to: AgentName, nowMs: AtMs, rung: Joining | undefined): LoggedInAgentCommand[] | undefined {
    return passOn(this.#index, from, to, nowMs, rung && callerOf(rung, this.#staff.teams.get(rung.team)))
  }

  isReserved(agent: AgentName): boolean {
    return this.#index.of(agent)?.work === 'reserved'
  }

  /** A leg is in a bridge: the agent's phone, the party, or a leg that came too late and is removed again. */
  joined(bridge: BridgeId, leg: LegId, nowMs: AtMs): LoggedInAgentCommand[] {
    const session = this.#index.ofBridge(bridge)
    if (!session) return []
    if (leg === session.leg) return this.#index.sendToSession(session, { type: 'agent.joined' }, nowMs)
    if (leg === session.party?.leg) return this.#index.sendToSession(session, { type: 'party.joined' }, nowMs)
    return [{ agent: session.agent, type: 'seat.part', bridge, party: leg }]
  }

  linesOut(perTeam: ReadonlyMap<TeamName, TeamLines>): void {
    this.#membership.linesOut(perTeam)
    this.#linesOut = new Map([...perTeam].map(([team, { lines }]) => [team, lines]))
    this.#linesToCover = new Map([...perTeam].map(([team, { toCover }]) => [team, toCover]))
  }

  get staffing(): number {
    return this.#membership.staffing
  }

  has(agent: AgentName): boolean {
    return this.#index.of(agent) !== undefined
  }

  owns(leg: LegId): boolean {
    return this.#index.ofLeg(leg) !== undefined
  }

  callOf(leg: LegId): { call: CallId; agent: AgentName } | undefined {
    const session = this.#index.ofLeg(leg)
    return session?.call && { call: session.call, agent: session.agent }
  }

  handleAgentEvent(fact: AgentLegFact, nowMs: AtMs): LoggedInAgentCommand[] {
    const session = this.#index.ofLeg(fact.leg)
    if (!session) return []
    switch (fact.type) {
      case 'playback.ended':
        return fact.playback === session.whisper ? this.#index.sendToSession(session, { type: 'whispered' }, nowMs) : []
      case 'leg.found': {
        const { type, isUp, bridge } = fact
        return this.#index.sendToSession(session, { type, isUp, isInBridge: bridge === session.bridge }, nowMs)
      }
      default: {
        // A phone that is not registered is `unreachable`.
        const isUnsent = fact.type === 'leg.ended' && fact.neverSent && fact.reason === 'failed'
        return this.#index.sendToSession(session, { type: isUnsent ? 'leg.unsent' : fact.type }, nowMs)
      }
    }
  }

  timePassed(nowMs: AtMs): LoggedInAgentCommand[] {
    return this.#index.turnAll((session) => session.fireDue(nowMs))
  }

  get nextDueAtMs(): AtMs | undefined {
    let earliest: AtMs | undefined
    for (const { nextDueAtMs: due } of this.#index.all()) {
      if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due
    }
    return earliest
  }

  statuses(): AgentStatus[] {
    return this.#index
      .all()
      .filter(({ work }) => work !== 'out')
      .map(({ status }) => status)
  }

  readyIn(team: TeamName, skills?: readonly string[]): number {
    const able = this.sessionsIn(team).filter(({ agent }) => hasSkills(this.#staff, agent, skills))
    return able.filter(({ work }) => AT_WORK.includes(work)).length
  }

  isStaffed(team: TeamName): boolean {
    const isThere = ({ agent, work }: AgentSession) => AT_WORK.includes(work) && this.#membership.belongs(agent, team)
    return this.#index.all().some(isThere)
  }

  idleAgents(team: TeamName): AgentName[] {
    const idle = this.#idle(this.#staff.teams.get(team)?.agents ?? [])
    // An agent who asked to go, or who changes teams, takes lines in flight; nothing new is placed for them.
    const stays = ({ agent, isAsked }: AgentSession) => !isAsked && !this.#membership.isMoving(agent)
    return idle.filter(stays).map(({ agent }) => agent)
  }

  sessionsIn(team: TeamName): readonly AgentSession[] {
    return (this.#staff.teams.get(team)?.agents ?? []).flatMap((agent) => this.#index.of(agent) ?? [])
  }

  withParty(leg: LegId): AgentSession | undefined {
    return this.#index.ofParty(leg)
  }

  isNeeded(agent: AgentName): boolean {
    return this.#index.of(agent)?.work === 'ready' && !this.#spare().has(agent)
  }

  /**
   * Assigns agents to callees, in the order in which the callees asked. Then agents who asked for a break or log-out
   * get it if they are spare.
   */
  assign(nowMs: AtMs): LoggedInAgentCommand[] {
    return [...this.#givePersons(nowMs), ...this.#excuse(nowMs)]
  }

  /**
   * Assigns agents whom no line needs, in the given order: to callers, and reserved to places of those who are called
   * back. `offered` runs for each who gets an agent, before the commands that follow. Phones that ring per call may
   * serve the other callers.
   */
  serve(
    next: readonly (Joining | KeptPlace)[],
    offered: (one: Joining | KeptPlace, agent: AgentName) => void,
    nowMs: AtMs,
  ): LoggedInAgentCommand[] {
    const commands: LoggedInAgentCommand[] = []
    let idle = this.#spareFirst()
    for (const one of next) {
      if (idle.length === 0) break
      const team = this.#staff.teams.get(one.team)
      const isTheirs = (agent: AgentName) => this.#membership.teamsOf(agent).includes(one.team)
      const session = idle.find(({ agent }) => isTheirs(agent) && hasSkills(this.#staff, agent, one.skills))
      if (!team || !session) continue
      offered(one, session.agent)
      const event = 'task' in one ? { type: 'reserve' as const } : { type: 'give' as const, party: callerOf(one, team) }
      commands.push(...this.#index.sendToSession(session, event, nowMs))
      idle = this.#spareFirst()
    }
    return commands
  }

  isLeaving(agent: AgentName): boolean {
    return this.#index.of(agent)?.work === 'out'
  }

  takeLeft(): readonly AgentSession[] {
    return this.#index.takeLeft()
  }

  takeNotifications(): LoggedInAgentCommand[] {
    return this.#index.takeNotifications()
  }

  savedOne(agent: AgentName): SavedAgentSession | undefined {
    const session = this.#index.of(agent)
    return session && session.work !== 'out' ? session.save() : undefined
  }

  saved(): SavedAgentSession[] {
    return this.#index
      .all()
      .filter(({ work }) => work !== 'out')
      .map((session) => session.save())
  }

  /**
   * Restores sessions after a restart. Screens are away until they attach again. A reservation, and a caller who was
   * not joined yet, are let go; a callee who was being joined counts as joined.
   */
  restore(saved: readonly SavedAgentSession[], nowMs: AtMs): LoggedInAgentCommand[] {
    return saved.flatMap((one) => this.#restoreOne(one, nowMs))
  }

  adopt({ leg, wrapUp }: AnsweredCallee, bridge: BridgeId, nowMs: AtMs): LoggedInAgentCommand[] {
    const session = this.#index.ofBridge(bridge)
    if (!session) return []
    // The party was about to be passed on when the engine died, or was it long ago: where they are counts.
    return [
      ...this.#index.sendToAllWith(leg, { type: 'party.left' }, nowMs, session),
      ...this.#index.sendToSession(session, { type: 'adopt', party: { kind: 'person', leg, wrapUp } }, nowMs),
    ]
  }

  parties(): LegId[] {
    return this.#index.parties()
  }

  ofBridge(bridge: BridgeId): AgentSession | undefined {
    return this.#index.ofBridge(bridge)
  }

  #restoreOne(saved: SavedAgentSession, nowMs: AtMs): LoggedInAgentCommand[] {
    const { agent, leg, bridge } = saved
    const isWanted = this.#staff.agents.has(agent) && this.#index.of(agent) === undefined
    const session = isWanted ? AgentSession.restore(saved, this.#ids.leg()) : undefined
    if (!session) {
      const status: AgentStatus = { agent, state: 'loggedOut', sinceAtMs: nowMs, reason: 'the service was restarted' }
      const close = [{ agent, type: 'seat.hangUp', leg } as const, { agent, type: 'seat.close', bridge } as const]
      return this.#index.of(agent) !== undefined ? close : [...close, { agent, type: 'seat.changed', status }]
    }
    this.#index.add(session)
    // Its page may be there before it is.
    const screen = this.screens.has(agent) ? 'screen.attached' : 'screen.left'
    return (['restarted', screen] as const).flatMap((type) => this.#index.sendToSession(session, { type }, nowMs))
  }

  #logIn(agent: AgentName, nowMs: AtMs, hadScreen: boolean): LoggedInAgentCommand[] {
    const hasScreen = hadScreen || this.screens.has(agent)
    const input = { leg: this.#ids.leg(), hasScreen, ...graceOf(this.#staff, agent) }
    const { session, commands } = AgentSession.logIn(agent, this.#ids.bridge(), input, nowMs)
    this.#index.add(session)
    if (hasScreen && !this.screens.has(agent)) session.send({ type: 'screen.left' }, nowMs)
    return commands
  }

  #orderSession(agent: AgentName, event: AgentSessionEvent, nowMs: AtMs): LoggedInAgentCommand[] {
    const session = this.#index.of(agent)
    return session ? this.#index.sendToSession(session, event, nowMs) : []
  }

  #givePersons(nowMs: AtMs): LoggedInAgentCommand[] {
    const commands: LoggedInAgentCommand[] = []
    for (const { leg, team, agent, wrapUp } of this.#waiting.values()) {
      const isTheirs = agent !== undefined
      const members = isTheirs ? [agent] : this.#servers(team)
      const [session] = this.#idle(members, isTheirs)
      if (!session) continue
      this.#waiting.delete(leg)
      commands.push(
        ...this.#index.sendToSession(session, { type: 'give', party: { kind: 'person', leg, wrapUp } }, nowMs),
      )
    }
    return commands
  }

  #excuse(nowMs: AtMs): LoggedInAgentCommand[] {
    const asking = this.#index.all().filter(({ work, isAsked }) => work === 'ready' && isAsked)
    const spare = (session: AgentSession) => !this.isNeeded(session.agent)
    return asking.flatMap((session) =>
      spare(session) ? this.#index.sendToSession(session, { type: 'excused' }, nowMs) : [],
    )
  }

  #servers(team: TeamName): AgentName[] {
    const agents = this.#index.all().map(({ agent }) => agent)
    return agents.filter((agent) => this.#membership.teamsOf(agent).includes(team))
  }

  /** Free agents in the order of assignment: those with fewer teams first, then the longest idle. */
  #idle(members: readonly AgentName[], isTheirs = false): AgentSession[] {
    const teams = ({ agent }: AgentSession) => this.#membership.teamsOf(agent).length
    const sessions = members.map((agent) => this.#index.of(agent)).filter((session) => session !== undefined)
    return inOrderOfChoice(
      sessions.filter((session) => session.isFreeFor(isTheirs)),
      teams,
    )
  }

  /** Agents who may serve a caller, in the order of assignment. */
  #spareFirst(): AgentSession[] {
    const idle = this.#idle(this.#index.all().map(({ agent }) => agent)).filter(({ isAsked }) => !isAsked)
    if (idle.length === 0) return []
    const spare = this.#spare(this.#linesToCover)
    return idle.filter(({ agent }) => spare.has(agent))
  }

  #spare(linesOut = this.#linesOut): ReadonlySet<AgentName> {
    const idle = this.#index.all().filter(({ work }) => work === 'ready')
    return spareAgents(
      idle.map(({ agent }) => ({ agent, teams: this.#membership.teamsOf(agent) })),
      linesOut,
    )
  }
}

function callerOf({ leg, call, whisper }: Joining, team: Team | undefined): Party {
  return { kind: 'caller', leg, call, whisper, wrapUp: team?.wrapUp ?? NO_WRAP_UP }
}
