/**
 * Agents who are logged in, and the people we called who want one of them. Facts and orders go in, wishes come out;
 * whoever calls `assign` after each of them keeps the order of service.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, Ids, LegId, TeamName } from '../kernel/ids.ts'
import type { AgentStatus, OrderAnswer } from '../ports/agent-desktop.ts'
import type { SavedSeat } from '../ports/dialer-repository.ts'
import { Seat, type SeatDeskWish, type SeatWork } from './agent-session.ts'
import { SeatBook } from './agent-session-index.ts'
import type { AnsweredPerson, SeatOrder, WrapUp } from './agent-session-messages.ts'
import type { Party, SeatEvent } from './agent-session-state.ts'
import type { AgentLegFact, Joining } from './distributor-messages.ts'
import { spareAgents } from './spare-agents.ts'
import type { Staff } from './team.ts'

/** What came of an order, and what is wished for it. */
export interface Ordered {
  readonly answer: OrderAnswer
  readonly wishes: SeatDeskWish[]
}

/** When an order of an agent who is logged in means something, and what they hear when it does not. */
const ORDERS: Readonly<Record<Exclude<SeatOrder['type'], 'logIn'>, readonly [readonly SeatWork[], string]>> = {
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
const AT_WORK: readonly SeatWork[] = ['ready', 'reserved', 'briefing', 'connecting', 'talking', 'wrapUp']
const NO_WRAP_UP: WrapUp = { kind: 'timed', lengthMs: 0 }

/** Mutable state with a lifetime, hence a class. */
export class Seats {
  readonly #ids: Ids
  #staff: Staff = { teams: new Map(), agents: new Map() }
  #teamsOf: ReadonlyMap<AgentName, readonly TeamName[]> = new Map()
  #linesOut: ReadonlyMap<TeamName, number> = new Map()
  /** In the order in which they asked (INV-A2). */
  readonly #waiting = new Map<LegId, AnsweredPerson>()
  readonly #book = new SeatBook()
  readonly #screens = new Set<AgentName>()

  constructor(ids: Ids) {
    this.#ids = ids
  }

  /** Takes a new set-up. Agents who are gone from it finish their call and are logged out. */
  employ(staff: Staff, nowMs: AtMs): SeatDeskWish[] {
    this.#staff = staff
    this.#teamsOf = teamsOfAgents(staff)
    const gone = this.#book.all().filter(({ agent }) => !staff.agents.has(agent))
    return gone.flatMap((seat) => this.#book.tell(seat, { type: 'logOut', reason: 'no longer in the set-up' }, nowMs))
  }

  order(agent: AgentName, order: SeatOrder, nowMs: AtMs): Ordered {
    const seat = this.#book.of(agent)
    if (seat?.work === 'out') return { answer: LEAVING, wishes: [] }
    if (order.type === 'logIn') {
      if (seat) return { answer: OK, wishes: [] }
      if (!this.#staff.agents.has(agent)) return { answer: UNKNOWN, wishes: [] }
      return { answer: OK, wishes: this.#logIn(agent, nowMs) }
    }
    if (!seat) return { answer: NOT_IN, wishes: [] }
    const [when, why] = ORDERS[order.type]
    if (!when.includes(seat.work)) return { answer: { ok: false, why }, wishes: [] }
    const event = order.type === 'pause' ? { ...order, reason: order.reason.slice(0, REASON_LENGTH_MAX) } : order
    return { answer: OK, wishes: this.#book.tell(seat, event, nowMs) }
  }

  /** Whether any screen of theirs is there. Told before they log in it decides that they need one from then on. */
  screen(agent: AgentName, isThere: boolean, nowMs: AtMs): SeatDeskWish[] {
    if (isThere) this.#screens.add(agent)
    else this.#screens.delete(agent)
    return this.#tellAgent(agent, { type: isThere ? 'screen.attached' : 'screen.left' }, nowMs)
  }

  /** Somebody we called wants an agent. Whoever asks while they have one has not come together with them. */
  ask(person: AnsweredPerson, nowMs: AtMs): SeatDeskWish[] {
    if (!this.#waiting.has(person.leg)) this.#waiting.set(person.leg, person)
    const seat = this.#book.ofParty(person.leg)
    return seat ? this.#book.tell(seat, { type: 'party.released' }, nowMs) : []
  }

  /** Nobody needs to be found any more. Whoever was given already stays given. */
  unask(leg: LegId): void {
    this.#waiting.delete(leg)
  }

  /** The attempt needs the agent no more. Silent when the agent is with somebody else by now. */
  release(agent: AgentName, person: LegId, nowMs: AtMs): SeatDeskWish[] {
    const seat = this.#book.of(agent)
    return seat?.party?.leg === person ? this.#book.tell(seat, { type: 'party.released' }, nowMs) : []
  }

  /** The leg of somebody who waits for an agent, or has one, is gone. */
  partyEnded(leg: LegId, nowMs: AtMs): SeatDeskWish[] {
    this.#waiting.delete(leg)
    const seat = this.#book.ofParty(leg)
    return seat ? this.#book.tell(seat, { type: 'party.left' }, nowMs) : []
  }

  /** Whether an agent may be kept for one call of their own: they are free, and no line depends on them. */
  isSpare(agent: AgentName): boolean {
    const seat = this.#book.of(agent)
    return seat?.work === 'ready' && !seat.isAsked && !this.isNeeded(agent)
  }

  /** Keeps an agent for one call of their own. False: they are not spare. */
  reserve(agent: AgentName, nowMs: AtMs): boolean {
    const seat = this.#book.of(agent)
    if (!seat || !this.isSpare(agent)) return false
    this.#book.tell(seat, { type: 'reserve' }, nowMs)
    return true
  }

  /** Reserves whoever of the team is the first to be taken and spare. */
  reserveAny(team: TeamName, nowMs: AtMs): AgentName | undefined {
    const members = this.#staff.teams.get(team)?.agents ?? []
    return this.#idle(members).find(({ agent }) => this.reserve(agent, nowMs))?.agent
  }

  unreserve(agent: AgentName, nowMs: AtMs): SeatDeskWish[] {
    return this.#tellAgent(agent, { type: 'unreserve' }, nowMs)
  }

  isReserved(agent: AgentName): boolean {
    return this.#book.of(agent)?.work === 'reserved'
  }

  /** A leg is in a bridge: the agent's phone, their party, or somebody who came too late and is taken out again. */
  joined(bridge: BridgeId, leg: LegId, nowMs: AtMs): SeatDeskWish[] {
    const seat = this.#book.ofBridge(bridge)
    if (!seat) return []
    if (leg === seat.leg) return this.#book.tell(seat, { type: 'agent.joined' }, nowMs)
    if (leg === seat.party?.leg) return this.#book.tell(seat, { type: 'party.joined' }, nowMs)
    return [{ agent: seat.agent, type: 'seat.part', bridge, party: leg }]
  }

  /** How many lines each team's agents must be kept for: out or being placed, and nobody with an agent of their own. */
  linesOut(perTeam: ReadonlyMap<TeamName, number>): void {
    this.#linesOut = perTeam
  }

  has(agent: AgentName): boolean {
    return this.#book.of(agent) !== undefined
  }

  owns(leg: LegId): boolean {
    return this.#book.ofLeg(leg) !== undefined
  }

  /** The caller whom an agent's leg serves. */
  callOf(leg: LegId): { call: CallId; agent: AgentName } | undefined {
    const seat = this.#book.ofLeg(leg)
    return seat?.party?.kind === 'caller' ? { call: seat.party.call, agent: seat.agent } : undefined
  }

  hear(fact: AgentLegFact, nowMs: AtMs): SeatDeskWish[] {
    const seat = this.#book.ofLeg(fact.leg)
    if (!seat) return []
    switch (fact.type) {
      case 'playback.ended':
        return fact.playback === seat.whisper ? this.#book.tell(seat, { type: 'whispered' }, nowMs) : []
      case 'leg.found': {
        const { type, isUp, bridge } = fact
        return this.#book.tell(seat, { type, isUp, isInBridge: bridge === seat.bridge }, nowMs)
      }
      default:
        return this.#book.tell(seat, { type: fact.type }, nowMs)
    }
  }

  timePassed(nowMs: AtMs): SeatDeskWish[] {
    return this.#book.all().flatMap((seat) => this.#book.turn(seat, () => seat.fireDue(nowMs)))
  }

  get nextDueAtMs(): AtMs | undefined {
    let earliest: AtMs | undefined
    for (const { nextDueAtMs: due } of this.#book.all()) {
      if (due !== undefined && (earliest === undefined || due < earliest)) earliest = due
    }
    return earliest
  }

  /** Agents who are logged in. */
  statuses(): AgentStatus[] {
    return this.#book
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
  seatsIn(team: TeamName): readonly Seat[] {
    return (this.#staff.teams.get(team)?.agents ?? []).flatMap((agent) => this.#book.of(agent) ?? [])
  }

  /** Whose party this leg is. */
  withParty(leg: LegId): Seat | undefined {
    return this.#book.ofParty(leg)
  }

  /** Whether lines that are out depend on this idle agent. */
  isNeeded(agent: AgentName): boolean {
    return this.#book.of(agent)?.work === 'ready' && !this.#spare().has(agent)
  }

  /** Gives persons their agents, in the order in which they asked, and lets those go who asked and are spare. */
  assign(nowMs: AtMs): SeatDeskWish[] {
    return [...this.#givePersons(nowMs), ...this.#excuse(nowMs)]
  }

  /**
   * Gives callers, in the order given, to agents whom no line needs. Whoever got one gets `offered`, before the wishes
   * that follow; the others may have the phones that ring.
   */
  serve(callers: readonly Joining[], offered: (call: CallId, agent: AgentName) => void, nowMs: AtMs): SeatDeskWish[] {
    const wishes: SeatDeskWish[] = []
    let idle = this.#spareFirst()
    for (const { call, leg, team: name, whisper } of callers) {
      if (idle.length === 0) break
      const team = this.#staff.teams.get(name)
      const seat = idle.find(({ agent }) => team?.agents.includes(agent))
      if (!team || !seat) continue
      offered(call, seat.agent)
      const party: Party = { kind: 'caller', leg, call, whisper, wrapUp: team.wrapUp ?? NO_WRAP_UP }
      wishes.push(...this.#book.tell(seat, { type: 'give', party }, nowMs))
      idle = this.#spareFirst()
    }
    return wishes
  }

  /** What has changed of whom since it was last asked. */
  news(): SeatDeskWish[] {
    return this.#book.news()
  }

  /** One who is logged in, for a restart. */
  savedOne(agent: AgentName): SavedSeat | undefined {
    const seat = this.#book.of(agent)
    return seat && seat.work !== 'out' ? seat.save() : undefined
  }

  /** Everybody who is logged in, for a restart. */
  saved(): SavedSeat[] {
    return this.#book
      .all()
      .filter(({ work }) => work !== 'out')
      .map((seat) => seat.save())
  }

  /**
   * Goes on after a restart. Screens are away until they come back. A reservation, and a caller who was not let in yet,
   * are let go; whoever was being connected counts as connected.
   */
  restore(saved: readonly SavedSeat[], nowMs: AtMs): SeatDeskWish[] {
    return saved.flatMap((one) => this.#restoreOne(one, nowMs))
  }

  /** After a restart: they were found in a seat's bridge. Silent while the agent has a party. */
  adopt({ leg, wrapUp }: AnsweredPerson, bridge: BridgeId, nowMs: AtMs): SeatDeskWish[] {
    const seat = this.#book.ofBridge(bridge)
    return seat ? this.#book.tell(seat, { type: 'adopt', party: { kind: 'person', leg, wrapUp } }, nowMs) : []
  }

  /** Legs that an agent is given or talks to. */
  parties(): LegId[] {
    return this.#book.parties()
  }

  /** Whose bridge it is. */
  ofBridge(bridge: BridgeId): Seat | undefined {
    return this.#book.ofBridge(bridge)
  }

  #restoreOne(saved: SavedSeat, nowMs: AtMs): SeatDeskWish[] {
    const { agent, leg, bridge } = saved
    const seat = this.#staff.agents.has(agent) && this.#book.of(agent) === undefined ? Seat.restore(saved) : undefined
    if (!seat) {
      const status: AgentStatus = { agent, state: 'loggedOut', sinceAtMs: nowMs, reason: 'the service was restarted' }
      const close = [{ agent, type: 'seat.hangUp', leg } as const, { agent, type: 'seat.close', bridge } as const]
      return this.#book.of(agent) !== undefined ? close : [...close, { agent, type: 'seat.changed', status }]
    }
    this.#book.add(seat)
    return [
      ...this.#book.tell(seat, { type: 'restarted' }, nowMs),
      ...this.#book.tell(seat, { type: 'screen.left' }, nowMs),
    ]
  }

  #logIn(agent: AgentName, nowMs: AtMs): SeatDeskWish[] {
    const hasScreen = this.#screens.has(agent)
    const { seat, wishes } = Seat.logIn(agent, this.#ids.leg(), this.#ids.bridge(), hasScreen, nowMs)
    this.#book.add(seat)
    return wishes
  }

  #tellAgent(agent: AgentName, event: SeatEvent, nowMs: AtMs): SeatDeskWish[] {
    const seat = this.#book.of(agent)
    return seat ? this.#book.tell(seat, event, nowMs) : []
  }

  #givePersons(nowMs: AtMs): SeatDeskWish[] {
    const wishes: SeatDeskWish[] = []
    for (const { leg, team, agent, wrapUp } of this.#waiting.values()) {
      const isTheirs = agent !== undefined
      const members = isTheirs ? [agent] : (this.#staff.teams.get(team)?.agents ?? [])
      const [seat] = this.#idle(members, isTheirs)
      if (!seat) continue
      this.#waiting.delete(leg)
      wishes.push(...this.#book.tell(seat, { type: 'give', party: { kind: 'person', leg, wrapUp } }, nowMs))
    }
    return wishes
  }

  #excuse(nowMs: AtMs): SeatDeskWish[] {
    const asking = this.#book.all().filter(({ work, isAsked }) => work === 'ready' && isAsked)
    const spare = (seat: Seat) => !this.isNeeded(seat.agent)
    return asking.flatMap((seat) => (spare(seat) ? this.#book.tell(seat, { type: 'excused' }, nowMs) : []))
  }

  /** Who is free, in the order in which they are taken: who serves fewer teams first, then who waits for longest. */
  #idle(members: readonly AgentName[], isTheirs = false): Seat[] {
    const teams = ({ agent }: Seat) => this.#teamsOf.get(agent)?.length ?? 0
    const seats = members.map((agent) => this.#book.of(agent)).filter((seat) => seat !== undefined)
    return seats
      .filter((seat) => seat.isFreeFor(isTheirs))
      .sort((a, b) => teams(a) - teams(b) || a.sinceAtMs - b.sinceAtMs || (a.agent < b.agent ? -1 : 1))
  }

  /** Agents whom a caller may have, in the order in which they are taken. */
  #spareFirst(): Seat[] {
    const idle = this.#idle(this.#book.all().map(({ agent }) => agent)).filter(({ isAsked }) => !isAsked)
    if (idle.length === 0) return []
    const spare = this.#spare()
    return idle.filter(({ agent }) => spare.has(agent))
  }

  #spare(): ReadonlySet<AgentName> {
    const idle = this.#book.all().filter(({ work }) => work === 'ready')
    return spareAgents(
      idle.map(({ agent }) => ({ agent, teams: this.#teamsOf.get(agent) ?? [] })),
      this.#linesOut,
    )
  }

  #membersWho(team: TeamName, isSo: (work: SeatWork) => boolean): number {
    return this.seatsIn(team).filter(({ work }) => isSo(work)).length
  }
}

function teamsOfAgents({ teams }: Staff): ReadonlyMap<AgentName, readonly TeamName[]> {
  const teamsOf = new Map<AgentName, TeamName[]>()
  for (const { name, agents } of teams.values()) {
    for (const agent of agents) teamsOf.set(agent, [...(teamsOf.get(agent) ?? []), name])
  }
  return teamsOf
}
