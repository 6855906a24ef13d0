/**
 * Agents who are logged in, and the people we called who want one of them. Facts and orders go in, wishes come out;
 * whoever calls `assign` after each of them keeps the order of service.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, Ids, LegId, TeamName } from '../kernel/ids.ts'
import type { AgentStatus, OrderAnswer } from '../ports/agent-desktop.ts'
import type { SavedAgentSession } from '../ports/dialer-repository.ts'
import { AgentSession, type AgentSessionWork, type LoggedInAgentCommand } from './agent-session.ts'
import { AgentSessionIndex } from './agent-session-index.ts'
import type { AgentSessionOrder, AnsweredCallee, WrapUp } from './agent-session-messages.ts'
import type { AgentSessionEvent, Party } from './agent-session-state.ts'
import type { AgentLegFact, Joining } from './distributor-messages.ts'
import { spareAgents } from './spare-agents.ts'
import type { Staff } from './team.ts'

/** What came of an order, and what is wished for it. */
export interface Ordered {
  readonly answer: OrderAnswer
  readonly wishes: LoggedInAgentCommand[]
}

/** When an order of an agent who is logged in means something, and what they hear when it does not. */
const ORDERS: Readonly<
  Record<Exclude<AgentSessionOrder['type'], 'logIn'>, readonly [readonly AgentSessionWork[], string]>
> = {
  logOut: [['calling', 'ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp', 'paused'], ''],
  pause: [['calling', 'ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp', 'paused'], ''],
  ready: [['calling', 'ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp', 'paused'], ''],
  hangUp: [['briefing', 'connecting', 'talking'], 'nobody is on the line'],
  endWrapUp: [['wrapUp'], 'there is no call to wrap up'],
}
const OK: OrderAnswer = { ok: true }
const NOT_IN: OrderAnswer = { ok: false, why: 'you are not logged in; log in first' }
const LEAVING: OrderAnswer = { ok: false, why: 'your phone is still being hung up; try again in a moment' }
const UNKNOWN: OrderAnswer = { ok: false, why: 'no such agent in the set-up; ask whoever runs it to add you' }
/** A reason is shown on screens and boards: a line, not a letter. */
const REASON_LENGTH_MAX = 200
/** Who works, for a team: neither on a break nor without their phone. */
const AT_WORK: readonly AgentSessionWork[] = ['ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp']
const NO_WRAP_UP: WrapUp = { kind: 'timed', lengthMs: 0 }

/** Mutable state with a lifetime, hence a class. */
export class LoggedInAgents {
  readonly #ids: Ids
  #staff: Staff = { teams: new Map(), agents: new Map() }
  #teamsOf: ReadonlyMap<AgentName, readonly TeamName[]> = new Map()
  #linesOut: ReadonlyMap<TeamName, number> = new Map()
  /** In the order in which they asked (INV-A2). */
  readonly #waiting = new Map<LegId, AnsweredCallee>()
  readonly #index = new AgentSessionIndex()
  readonly #screens = new Set<AgentName>()

  constructor(ids: Ids) {
    this.#ids = ids
  }

  /** Takes a new set-up. Agents who are gone from it finish their call and are logged out. */
  employ(staff: Staff, nowMs: AtMs): LoggedInAgentCommand[] {
    this.#staff = staff
    this.#teamsOf = teamsOfAgents(staff)
    const gone = this.#index.all().filter(({ agent }) => !staff.agents.has(agent))
    return gone.flatMap((session) =>
      this.#index.sendToSession(session, { type: 'logOut', reason: 'no longer in the set-up' }, nowMs),
    )
  }

  order(agent: AgentName, order: AgentSessionOrder, nowMs: AtMs): Ordered {
    const session = this.#index.of(agent)
    if (session?.work === 'out') return { answer: LEAVING, wishes: [] }
    if (order.type === 'logIn') {
      if (session) return { answer: OK, wishes: [] }
      if (!this.#staff.agents.has(agent)) return { answer: UNKNOWN, wishes: [] }
      return { answer: OK, wishes: this.#logIn(agent, nowMs) }
    }
    if (!session) return { answer: NOT_IN, wishes: [] }
    const [when, why] = ORDERS[order.type]
    if (!when.includes(session.work)) return { answer: { ok: false, why }, wishes: [] }
    const event = order.type === 'pause' ? { ...order, reason: order.reason.slice(0, REASON_LENGTH_MAX) } : order
    return { answer: OK, wishes: this.#index.sendToSession(session, event, nowMs) }
  }

  /** Whether any screen of theirs is there. Told before they log in it decides that they need one from then on. */
  screen(agent: AgentName, isThere: boolean, nowMs: AtMs): LoggedInAgentCommand[] {
    if (isThere) this.#screens.add(agent)
    else this.#screens.delete(agent)
    return this.#orderSession(agent, { type: isThere ? 'screen.attached' : 'screen.left' }, nowMs)
  }

  /** Somebody we called wants an agent. Whoever asks while they have one has not come together with them. */
  ask(person: AnsweredCallee, nowMs: AtMs): LoggedInAgentCommand[] {
    if (!this.#waiting.has(person.leg)) this.#waiting.set(person.leg, person)
    const session = this.#index.ofParty(person.leg)
    return session ? this.#index.sendToSession(session, { type: 'party.released' }, nowMs) : []
  }

  /** Nobody needs to be found any more. Whoever was given already stays given. */
  unask(leg: LegId): void {
    this.#waiting.delete(leg)
  }

  /** The attempt needs the agent no more. Silent when the agent is with somebody else by now. */
  release(agent: AgentName, person: LegId, nowMs: AtMs): LoggedInAgentCommand[] {
    const session = this.#index.of(agent)
    return session?.party?.leg === person ? this.#index.sendToSession(session, { type: 'party.released' }, nowMs) : []
  }

  /** The leg of somebody who waits for an agent, or has one, is gone. */
  partyEnded(leg: LegId, nowMs: AtMs): LoggedInAgentCommand[] {
    this.#waiting.delete(leg)
    const session = this.#index.ofParty(leg)
    return session ? this.#index.sendToSession(session, { type: 'party.left' }, nowMs) : []
  }

  /** Whether an agent may be kept for one call of their own: they are free, and no line depends on them. */
  isSpare(agent: AgentName): boolean {
    const session = this.#index.of(agent)
    return session?.work === 'ready' && !session.isAsked && !this.isNeeded(agent)
  }

  /** Keeps an agent for one call of their own. False: they are not spare. */
  reserve(agent: AgentName, nowMs: AtMs): boolean {
    const session = this.#index.of(agent)
    if (!session || !this.isSpare(agent)) return false
    this.#index.sendToSession(session, { type: 'reserve' }, nowMs)
    return true
  }

  /** Reserves whoever of the team is the first to be taken and spare. */
  reserveAny(team: TeamName, nowMs: AtMs): AgentName | undefined {
    const members = this.#staff.teams.get(team)?.agents ?? []
    return this.#idle(members).find(({ agent }) => this.reserve(agent, nowMs))?.agent
  }

  unreserve(agent: AgentName, nowMs: AtMs): LoggedInAgentCommand[] {
    return this.#orderSession(agent, { type: 'unreserve' }, nowMs)
  }

  isReserved(agent: AgentName): boolean {
    return this.#index.of(agent)?.work === 'reserved'
  }

  /** A leg is in a bridge: the agent's phone, their party, or somebody who came too late and is taken out again. */
  joined(bridge: BridgeId, leg: LegId, nowMs: AtMs): LoggedInAgentCommand[] {
    const session = this.#index.ofBridge(bridge)
    if (!session) return []
    if (leg === session.leg) return this.#index.sendToSession(session, { type: 'agent.joined' }, nowMs)
    if (leg === session.party?.leg) return this.#index.sendToSession(session, { type: 'party.joined' }, nowMs)
    return [{ agent: session.agent, type: 'seat.part', bridge, party: leg }]
  }

  /** How many lines each team's agents must be kept for: out or being placed, and nobody with an agent of their own. */
  linesOut(perTeam: ReadonlyMap<TeamName, number>): void {
    this.#linesOut = perTeam
  }

  has(agent: AgentName): boolean {
    return this.#index.of(agent) !== undefined
  }

  owns(leg: LegId): boolean {
    return this.#index.ofLeg(leg) !== undefined
  }

  /** The caller whom an agent's leg serves. */
  callOf(leg: LegId): { call: CallId; agent: AgentName } | undefined {
    const session = this.#index.ofLeg(leg)
    return session?.party?.kind === 'caller' ? { call: session.party.call, agent: session.agent } : undefined
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
      default:
        return this.#index.sendToSession(session, { type: fact.type }, nowMs)
    }
  }

  timePassed(nowMs: AtMs): LoggedInAgentCommand[] {
    return this.#index.all().flatMap((session) => this.#index.turn(session, () => session.fireDue(nowMs)))
  }

  get nextDueAtMs(): AtMs | undefined {
    let earliest: AtMs | undefined
    for (const { nextDueAtMs: due } of this.#index.all()) {
      if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due
    }
    return earliest
  }

  /** Agents who are logged in. */
  statuses(): AgentStatus[] {
    return this.#index
      .all()
      .filter(({ work }) => work !== 'out')
      .map(({ status }) => status)
  }

  /** Agents of the team who are at work: neither on a break nor without their phone. */
  readyIn(team: TeamName): number {
    return this.#membersWho(team, (work) => AT_WORK.includes(work))
  }

  /** Agents of the team who are ready and free now, in the order in which they are taken. */
  idleAgents(team: TeamName): AgentName[] {
    const idle = this.#idle(this.#staff.teams.get(team)?.agents ?? [])
    // Who wishes to go takes what is out already, and nothing new is placed for them.
    return idle.filter(({ isAsked }) => !isAsked).map(({ agent }) => agent)
  }

  /** The team's agents who are logged in: what they do, and since when. For forecasts. */
  sessionsIn(team: TeamName): readonly AgentSession[] {
    return (this.#staff.teams.get(team)?.agents ?? []).flatMap((agent) => this.#index.of(agent) ?? [])
  }

  /** Whose party this leg is. */
  withParty(leg: LegId): AgentSession | undefined {
    return this.#index.ofParty(leg)
  }

  /** Whether lines that are out depend on this idle agent. */
  isNeeded(agent: AgentName): boolean {
    return this.#index.of(agent)?.work === 'ready' && !this.#spare().has(agent)
  }

  /** Gives persons their agents, in the order in which they asked, and lets those go who asked and are spare. */
  assign(nowMs: AtMs): LoggedInAgentCommand[] {
    return [...this.#givePersons(nowMs), ...this.#excuse(nowMs)]
  }

  /**
   * Gives callers, in the order given, to agents whom no line needs. Whoever got one gets `offered`, before the wishes
   * that follow; the others may have the phones that ring.
   */
  serve(
    callers: readonly Joining[],
    offered: (call: CallId, agent: AgentName) => void,
    nowMs: AtMs,
  ): LoggedInAgentCommand[] {
    const commands: LoggedInAgentCommand[] = []
    let idle = this.#spareFirst()
    for (const { call, leg, team: name, whisper } of callers) {
      if (idle.length === 0) break
      const team = this.#staff.teams.get(name)
      const session = idle.find(({ agent }) => team?.agents.includes(agent))
      if (!team || !session) continue
      offered(call, session.agent)
      const party: Party = { kind: 'caller', leg, call, whisper, wrapUp: team.wrapUp ?? NO_WRAP_UP }
      commands.push(...this.#index.sendToSession(session, { type: 'give', party }, nowMs))
      idle = this.#spareFirst()
    }
    return commands
  }

  /** What has changed of whom since it was last asked. */
  takeNotifications(): LoggedInAgentCommand[] {
    return this.#index.takeNotifications()
  }

  /** One who is logged in, for a restart. */
  savedOne(agent: AgentName): SavedAgentSession | undefined {
    const session = this.#index.of(agent)
    return session && session.work !== 'out' ? session.save() : undefined
  }

  /** Everybody who is logged in, for a restart. */
  saved(): SavedAgentSession[] {
    return this.#index
      .all()
      .filter(({ work }) => work !== 'out')
      .map((session) => session.save())
  }

  /**
   * Goes on after a restart. Screens are away until they come back. A reservation, and a caller who was not let in yet,
   * are let go; whoever was being connected counts as connected.
   */
  restore(saved: readonly SavedAgentSession[], nowMs: AtMs): LoggedInAgentCommand[] {
    return saved.flatMap((one) => this.#restoreOne(one, nowMs))
  }

  /** After a restart: they were found in a seat's bridge. Silent while the agent has a party. */
  adopt({ leg, wrapUp }: AnsweredCallee, bridge: BridgeId, nowMs: AtMs): LoggedInAgentCommand[] {
    const session = this.#index.ofBridge(bridge)
    return session
      ? this.#index.sendToSession(session, { type: 'adopt', party: { kind: 'person', leg, wrapUp } }, nowMs)
      : []
  }

  /** Legs that an agent is given or talks to. */
  parties(): LegId[] {
    return this.#index.parties()
  }

  /** Whose bridge it is. */
  ofBridge(bridge: BridgeId): AgentSession | undefined {
    return this.#index.ofBridge(bridge)
  }

  #restoreOne(saved: SavedAgentSession, nowMs: AtMs): LoggedInAgentCommand[] {
    const { agent, leg, bridge } = saved
    const session =
      this.#staff.agents.has(agent) && this.#index.of(agent) === undefined ? AgentSession.restore(saved) : undefined
    if (!session) {
      const status: AgentStatus = { agent, state: 'loggedOut', sinceAtMs: nowMs, reason: 'the service was restarted' }
      const close = [{ agent, type: 'seat.hangUp', leg } as const, { agent, type: 'seat.close', bridge } as const]
      return this.#index.of(agent) !== undefined ? close : [...close, { agent, type: 'seat.changed', status }]
    }
    this.#index.add(session)
    return [
      ...this.#index.sendToSession(session, { type: 'restarted' }, nowMs),
      ...this.#index.sendToSession(session, { type: 'screen.left' }, nowMs),
    ]
  }

  #logIn(agent: AgentName, nowMs: AtMs): LoggedInAgentCommand[] {
    const hasScreen = this.#screens.has(agent)
    const { session, wishes: commands } = AgentSession.logIn(
      agent,
      this.#ids.leg(),
      this.#ids.bridge(),
      hasScreen,
      nowMs,
    )
    this.#index.add(session)
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
      const members = isTheirs ? [agent] : (this.#staff.teams.get(team)?.agents ?? [])
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

  /** Who is free, in the order in which they are taken: who serves fewer teams first, then who waits for longest. */
  #idle(members: readonly AgentName[], isTheirs = false): AgentSession[] {
    const teams = ({ agent }: AgentSession) => this.#teamsOf.get(agent)?.length ?? 0
    const sessions = members.map((agent) => this.#index.of(agent)).filter((session) => session !== undefined)
    return sessions
      .filter((session) => session.isFreeFor(isTheirs))
      .sort((a, b) => teams(a) - teams(b) || a.sinceAtMs - b.sinceAtMs || (a.agent < b.agent ? -1 : 1))
  }

  /** Agents whom a caller may have, in the order in which they are taken. */
  #spareFirst(): AgentSession[] {
    const idle = this.#idle(this.#index.all().map(({ agent }) => agent)).filter(({ isAsked }) => !isAsked)
    if (idle.length === 0) return []
    const spare = this.#spare()
    return idle.filter(({ agent }) => spare.has(agent))
  }

  #spare(): ReadonlySet<AgentName> {
    const idle = this.#index.all().filter(({ work }) => work === 'ready')
    return spareAgents(
      idle.map(({ agent }) => ({ agent, teams: this.#teamsOf.get(agent) ?? [] })),
      this.#linesOut,
    )
  }

  #membersWho(team: TeamName, isSo: (work: AgentSessionWork) => boolean): number {
    return this.sessionsIn(team).filter(({ work }) => isSo(work)).length
  }
}

function teamsOfAgents({ teams }: Staff): ReadonlyMap<AgentName, readonly TeamName[]> {
  const teamsOf = new Map<AgentName, TeamName[]>()
  for (const { name, agents } of teams.values()) {
    for (const agent of agents) teamsOf.set(agent, [...(teamsOf.get(agent) ?? []), name])
  }
  return teamsOf
}
