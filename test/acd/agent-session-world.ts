/**
 * Logged-in agents on virtual time, and a switch and attempts that carry out their commands: for
 * stories told step by step, and for hours drawn by chance. What the switch really has in each bridge is kept apart
 * from what the engine believes.
 */

import type { AgentSessionOrder } from '../../src/acd/agent-session-messages.ts'
import { CallDistributor, type DistributorCommand } from '../../src/acd/distributor.ts'
import type { Staff, Team } from '../../src/acd/team.ts'
import type { Timer } from '../../src/kernel/clock.ts'
import { type AgentName, type BridgeId, type CallId, type LegId, makeIds, type TeamName } from '../../src/kernel/ids.ts'
import { type Random, randomInt, seededRandom } from '../../src/kernel/random.ts'
import type { SavedAgentSession } from '../../src/ports/dialer-repository.ts'
import { SOUND_WITHIN_MS } from '../../src/ports/pbx.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import { inShort } from './command-in-short.ts'

/** What can go wrong, as chances of one. All 0: a switch that does everything at once. */
export interface Faults {
  /** A fact that never comes. */
  readonly lost: number
  /** A phone that is not answered. */
  readonly unanswered: number
  readonly latencyMaxMs: number
}

const NO_FAULTS: Faults = { lost: 0, unanswered: 0, latencyMaxMs: 0 }

const WRAP_UP = { kind: 'timed', lengthMs: 30_000 } as const

/** A callee, from the answer to the end. */
interface Person {
  readonly team: string
  readonly only: string | undefined
  agent: AgentName | undefined
  isTalking: boolean
  endedAtMs: number | undefined
  tries: number
}

/** Teams by name with the names of their agents. */
export function staffOf(teams: Readonly<Record<string, readonly string[]>>, rest: Partial<Team> = {}): Staff {
  const names = [...new Set(Object.values(teams).flat())]
  const team = (name: string, agents: readonly string[]): Team => ({
    name: name as TeamName,
    title: name,
    agents: agents as AgentName[],
    music: 'default',
    waitingMax: 99,
    ringTimeoutMs: 15_000,
    pauseAfterMissMs: 60_000,
    ...rest,
  })
  return {
    teams: new Map(Object.entries(teams).map(([name, agents]) => [name as TeamName, team(name, agents)])),
    agents: new Map(names.map((name) => [name as AgentName, { name: name as AgentName, title: name }])),
  }
}

/** Persons and callers are named by the test; their legs bear the same name. */
export class AgentSessionWorld {
  mishaps: Faults
  readonly clock = new VirtualClock()
  readonly random: Random
  distributor: CallDistributor
  readonly persons = new Map<string, Person>()
  readonly callers = new Set<string>()
  readonly callersLeftAtMs = new Map<string, number>()
  /** The switch's truth: who is in which bridge, and which of the agents' legs are alive. */
  readonly bridges = new Map<string, Set<string>>()
  readonly phones = new Map<string, { readonly agent: string; isUp: boolean }>()
  /** The commands since the last call, in short. */
  #said: string[] = []
  #timer: Timer | undefined
  #dueAtMs: number | undefined
  #staff: Staff
  /** Agents from whose phones no packet comes. */
  readonly dumb = new Set<string>()

  constructor(staff: Staff, faults: Faults = NO_FAULTS, seed = 1) {
    this.#staff = staff
    this.mishaps = faults
    this.random = seededRandom(seed)
    this.distributor = this.#newDistributor()
  }

  /** Logs agents in one after another, a second apart, and waits until their phones are up. */
  logIn(...agents: readonly string[]): this {
    for (const agent of agents) {
      this.order(agent, { type: 'logIn' })
      this.clock.run(1_000)
    }
    this.heard()
    return this
  }

  order(agent: string, order: AgentSessionOrder): string {
    const { answer, commands } = this.distributor.order(agent as AgentName, order, this.nowMs)
    this.perform(commands)
    return answer.ok ? 'ok' : answer.why
  }

  /** A callee answers. `only`: the callee was dialed for this agent. */
  answers(name: string, team: string, only?: string): this {
    const rest = { agent: undefined, isTalking: false, endedAtMs: undefined, tries: 0 }
    this.persons.set(name, { team, only, ...rest })
    this.#ask(name)
    return this
  }

  hangsUp(name: string): this {
    const person = this.persons.get(name)
    if (!person || person.endedAtMs !== undefined) return this
    person.endedAtMs = this.nowMs
    this.#leaveBridges(name)
    this.soon(() => this.perform(this.distributor.partyEnded(name as LegId, this.nowMs)))
    return this
  }

  callsIn(name: string, team: string, whisper = ''): this {
    this.callers.add(name)
    const say = whisper === '' ? [] : [{ text: whisper, voice: 'en' }]
    const joined = this.distributor.join(
      {
        call: name as CallId,
        leg: name as LegId,
        team: team as TeamName,
        priority: 0,
        callerId: '+4511111111',
        whisper: say,
      },
      this.nowMs,
    )
    if (typeof joined === 'string') this.callers.delete(name)
    else this.perform(joined)
    return this
  }

  callerLeaves(name: string): this {
    if (!this.callers.delete(name)) return this
    this.#leaveBridges(name)
    this.callersLeftAtMs.set(name, this.nowMs)
    // Of a caller who was there before a restart, only the leg is known.
    this.soon(() => this.perform(this.distributor.leave(name as CallId, this.nowMs)))
    this.soon(() => this.perform(this.distributor.partyEnded(name as LegId, this.nowMs)))
    return this
  }

  /** `staffing`: of the oldest line; that of now if all lines were placed after the last change of staff. */
  linesOut(
    lines: Readonly<Record<string, number>>,
    placing: readonly string[] = [],
    staffing = this.distributor.staffing,
  ): this {
    const perTeam = new Map(
      Object.entries(lines).map(
        ([team, count]) => [team as TeamName, { lines: count, toCover: count, staffing }] as const,
      ),
    )
    this.perform(this.distributor.linesOut(perTeam, this.nowMs, placing as TeamName[]))
    return this
  }

  /** The configuration changes. */
  employ(staff: Staff): this {
    this.#staff = staff
    this.perform(this.distributor.employ(staff, this.nowMs))
    return this
  }

  losesPhone(agent: string): this {
    for (const [leg, phone] of this.phones) if (phone.agent === agent) this.#phoneEnds(leg)
    return this
  }

  screen(agent: string, isThere: boolean): this {
    this.perform(this.distributor.screen(agent as AgentName, isThere, this.nowMs))
    return this
  }

  /** What is saved now. */
  saved(): SavedAgentSession[] {
    const all = [...this.#staff.agents.keys()].flatMap((agent) => this.distributor.savedSession(agent) ?? [])
    return JSON.parse(JSON.stringify(all))
  }

  /** The engine dies and another one goes on. The switch lives on. `early`: whose pages are there before the past. */
  restart(saved = this.saved(), early: readonly string[] = []): this {
    this.distributor = this.#newDistributor()
    for (const agent of early) this.screen(agent, true)
    this.perform(this.distributor.restoreSessions(saved, this.nowMs))
    // What no engine knows, the switch is told to end.
    for (const leg of this.phones.keys()) if (!this.distributor.owns(leg as LegId)) this.#phoneEnds(leg)
    for (const { leg } of this.distributor.savedSessions()) {
      const phone = this.phones.get(leg)
      const bridge = this.#bridgeOf(leg)
      const fact = phone
        ? ({ type: 'leg.found', leg, isUp: phone.isUp, ...(bridge && { bridge }) } as const)
        : ({ type: 'leg.ended', leg } as const)
      this.perform(this.distributor.handleAgentEvent(fact, this.nowMs))
    }
    for (const [name, person] of this.persons) if (person.endedAtMs === undefined) this.#takeOver(name, person)
    for (const leg of this.distributor.parties()) {
      const isHere = this.#bridgeOf(leg) !== undefined
      if (!isHere) this.perform(this.distributor.partyEnded(leg, this.nowMs))
    }
    return this
  }

  stateOf(agent: string): string {
    const status = this.distributor.statuses().find((one) => one.agent === agent)
    return [status?.state ?? 'loggedOut', ...(status?.asked ? [`asked ${status.asked}`] : [])].join(', ')
  }

  reasonOf(agent: string): string | undefined {
    return this.distributor.statuses().find((one) => one.agent === agent)?.reason
  }

  heard(): string[] {
    const said = this.#said
    this.#said = []
    return said
  }

  get nowMs(): number {
    return this.clock.nowMs()
  }

  perform(commands: readonly DistributorCommand[]): void {
    for (const command of commands) {
      this.#said.push(inShort(command))
      this.#carryOut(command)
    }
    this.#wake()
  }

  /** A fact on its way. One that may be lost is lost now and then. */
  soon(tell: () => void, mayBeLost = false): void {
    if (mayBeLost && this.random.next() < this.mishaps.lost) return
    this.clock.schedule(this.nowMs + randomInt(this.random, 0, this.mishaps.latencyMaxMs), tell)
  }

  /** An attempt that lives on: with the agent in whose bridge it was found, or in want of one. */
  #takeOver(name: string, person: Person): void {
    const bridge = this.#bridgeOf(name)
    const session = bridge && this.distributor.sessionOfBridge(bridge)
    person.agent = session?.agent
    person.isTalking = session !== undefined
    if (!bridge || !session) return this.#ask(name)
    this.perform(
      this.distributor.adopt(
        { leg: name as LegId, team: person.team as TeamName, wrapUp: WRAP_UP },
        bridge,
        this.nowMs,
      ),
    )
  }

  #bridgeOf(leg: string): BridgeId | undefined {
    return [...this.bridges].find(([, legs]) => legs.has(leg))?.[0] as BridgeId | undefined
  }

  #wake(): void {
    const { nextDueAtMs } = this.distributor
    if (nextDueAtMs === this.#dueAtMs) return
    this.#timer?.cancel()
    this.#dueAtMs = nextDueAtMs
    if (nextDueAtMs === undefined) return
    this.#timer = this.clock.schedule(nextDueAtMs, () => {
      this.#dueAtMs = undefined
      this.perform(this.distributor.timePassed(this.nowMs))
    })
  }

  #newDistributor(): CallDistributor {
    return new CallDistributor(this.#staff, makeIds(this.clock, this.random), this.nowMs)
  }

  #carryOut(command: DistributorCommand): void {
    switch (command.type) {
      case 'seat.ring':
        this.phones.set(command.leg, { agent: command.agent, isUp: false })
        if (this.random.next() >= this.mishaps.unanswered) return this.soon(() => this.#phoneAnswers(command.leg))
        return void this.clock.schedule(this.nowMs + command.ringTimeoutMs, () => this.#phoneEnds(command.leg))
      // Phones that ring per call are never answered here: other tests cover them.
      case 'ringAgent':
        return void this.clock.schedule(this.nowMs + command.ringTimeoutMs, () => this.#ended(command.leg))
      case 'hangUpAgent':
        return this.soon(() => this.#ended(command.leg))
      case 'seat.hold':
        return this.#joins(command.bridge, command.leg, this.phones.get(command.leg)?.isUp === true)
      case 'seat.listen':
        return this.#checksSound(command.leg)
      case 'seat.hangUp':
        return this.soon(() => this.#phoneEnds(command.leg))
      case 'seat.close':
        return void this.bridges.delete(command.bridge)
      case 'seat.join':
        this.#checksSound(command.leg)
        return this.#joins(command.bridge, command.party, this.callers.has(command.party))
      case 'seat.part':
        return void this.bridges.get(command.bridge)?.delete(command.party)
      case 'agentLeft':
        return void this.callerLeaves(command.call)
      case 'whisper':
        return this.soon(
          () => this.perform(this.distributor.handleAgentEvent({ ...command, type: 'playback.ended' }, this.nowMs)),
          true,
        )
      case 'agent.given':
        this.#checksSound(command.agentLeg)
        return this.#given(command.person, command.agent, command.bridge)
      case 'agent.lost':
        return this.#notTogether(command.person, command.agent)
      case 'agent.finished':
        return void this.hangsUp(command.person)
    }
  }

  #checksSound(leg: LegId): void {
    const phone = this.phones.get(leg)
    const isDumb = phone !== undefined && this.dumb.has(phone.agent)
    const type = isDumb ? 'leg.silent' : 'leg.heard'
    const tell = () => {
      if (!phone?.isUp || this.phones.get(leg) !== phone) return
      this.perform(this.distributor.handleAgentEvent({ type, leg }, this.nowMs))
    }
    if (isDumb) this.clock.schedule(this.nowMs + SOUND_WITHIN_MS, tell)
    else this.soon(tell)
  }

  #phoneAnswers(leg: string): void {
    const phone = this.phones.get(leg)
    if (!phone) return
    phone.isUp = true
    this.perform(this.distributor.handleAgentEvent({ type: 'leg.answered', leg: leg as LegId }, this.nowMs))
  }

  #phoneEnds(leg: string): void {
    if (!this.phones.delete(leg)) return
    this.#leaveBridges(leg)
    this.soon(() => this.#ended(leg))
  }

  #ended(leg: string): void {
    this.perform(this.distributor.handleAgentEvent({ type: 'leg.ended', leg: leg as LegId }, this.nowMs))
  }

  #joins(bridge: string, leg: string, isAlive: boolean): void {
    if (!isAlive) return
    this.#leaveBridges(leg)
    this.bridges.set(bridge, (this.bridges.get(bridge) ?? new Set()).add(leg))
    this.soon(() => {
      const person = this.persons.get(leg)
      if (person?.agent !== undefined) person.isTalking = true
      this.perform(this.distributor.joined(bridge as BridgeId, leg as LegId, this.nowMs))
    }, true)
  }

  /** What an attempt does when a callee answers (attempt.machine.ts). */
  #ask(name: string): void {
    const person = this.persons.get(name)!
    const tries = ++person.tries
    const only = person.only === undefined ? {} : { agent: person.only as AgentName }
    const machineCommand = { leg: name as LegId, team: person.team as TeamName, wrapUp: WRAP_UP, ...only }
    this.clock.schedule(this.nowMs + 2_000, () => {
      if (person.agent !== undefined || person.tries !== tries || person.endedAtMs !== undefined) return
      this.perform(this.distributor.unask(name as LegId, this.nowMs))
      this.hangsUp(name)
    })
    this.perform(this.distributor.ask(machineCommand, this.nowMs))
  }

  #given(name: LegId, agent: AgentName, bridge: BridgeId): void {
    const person = this.persons.get(name)
    if (!person || person.endedAtMs !== undefined)
      return this.perform(this.distributor.release(agent, name, this.nowMs))
    person.agent = agent
    this.perform(this.distributor.unask(name, this.nowMs))
    this.#joins(bridge, name, true)
    this.clock.schedule(this.nowMs + 2_000, () => {
      if (person.agent === agent && !person.isTalking) this.#notTogether(name, agent)
    })
  }

  #notTogether(name: string, agent: AgentName): void {
    const person = this.persons.get(name)
    if (person?.agent !== agent || person.isTalking) return
    person.agent = undefined
    this.perform(this.distributor.release(agent, name as LegId, this.nowMs))
    if (person.endedAtMs !== undefined) return
    if (person.tries > 1) this.hangsUp(name)
    else this.#ask(name)
  }

  #leaveBridges(leg: string): void {
    for (const legs of this.bridges.values()) legs.delete(leg)
  }
}
