/** The agents of a simulated day: each agent's state, since when, and the time spent in each state. */
import { assignAgents, type FreeAgent, type WaitingCaller } from '../acd/assign-rung-agents.ts'
import type { Staff } from '../acd/team.ts'
import type { AgentName, TeamName } from '../kernel/ids.ts'
import { Members } from './state-members.ts'

/** States of an agent. `AWAY`: the phone is gone. */
export const AWAY = 0
/** Ready for a call. */
export const IDLE = 1
/** Talking to a person, or to a machine that passed as one. */
export const TALKING = 2
/** In wrap-up that the agent ends. */
export const WRAPPING_UP = 3
/** In wrap-up that ends by itself. */
export const TIMED_WRAP_UP = 4
/** On a break that was asked for and granted. */
export const ON_BREAK = 5
const STATES = 6

/** The simulator has one team. */
export const TEAM = 'team' as TeamName

interface FreeSince extends FreeAgent {
  freeSinceAtMs: number
}

/** The state of all agents. Instants count from the begin of the day. */
export class Floor {
  readonly size: number
  readonly state: Uint8Array
  readonly sinceMs: Float64Array
  /** The key of the one event that the agent waits for; 0 for none. */
  readonly dueKey: Float64Array
  readonly endsAtMs: Float64Array
  readonly calls: Int32Array
  readonly campaign: Uint8Array
  /** The length of the break that the agent asked for; 0 for none. */
  readonly breakMs: Float64Array
  readonly counts = new Int32Array(STATES)
  /** Milliseconds by state, up to the last change of each agent. */
  readonly spentMs = new Float64Array(STATES)
  /** By state: agents who are expected to be free after it. */
  readonly talks = new Members()
  readonly wrapUps = new Members()
  readonly timedWrapUps = new Members()
  readonly #idle: FreeSince[] = []
  readonly #free: FreeSince[]
  readonly #places: Int32Array
  readonly #byName = new Map<AgentName, number>()
  readonly #staff: Staff

  constructor(agents: number) {
    this.size = agents
    this.state = new Uint8Array(agents)
    this.sinceMs = new Float64Array(agents)
    this.dueKey = new Float64Array(agents)
    this.endsAtMs = new Float64Array(agents)
    this.calls = new Int32Array(agents)
    this.campaign = new Uint8Array(agents)
    this.breakMs = new Float64Array(agents)
    this.#places = new Int32Array(agents)
    this.counts[AWAY] = agents
    const names = Array.from({ length: agents }, (_, agent) => `agent-${String(agent).padStart(4, '0')}` as AgentName)
    for (const [agent, name] of names.entries()) this.#byName.set(name, agent)
    this.#free = names.map((agent) => ({ agent, freeSinceAtMs: 0 }))
    this.#staff = staffOf(names)
  }

  /** The only method that changes an agent's state. */
  become(agent: number, state: number, nowMs: number): void {
    const was = this.state[agent]!
    this.spentMs[was]! += nowMs - this.sinceMs[agent]!
    this.counts[was]!--
    this.counts[state]!++
    this.state[agent] = state
    this.sinceMs[agent] = nowMs
    const isExpected = this.breakMs[agent] === 0
    if (was === IDLE) this.#leaveIdle(agent)
    else if (isExpected) this.#members(was)?.remove(agent)
    if (state === IDLE) this.#enterIdle(agent, nowMs)
    else if (isExpected) this.#members(state)?.add(agent)
  }

  /** The agent asks for a break. From now on, as in production, forecasts do not expect the agent to become free. */
  requestBreak(agent: number, lengthMs: number): void {
    if (this.breakMs[agent] === 0) this.#members(this.state[agent]!)?.remove(agent)
    this.breakMs[agent] = lengthMs
  }

  /** The number of timed wrap-ups that end by then, also of agents who asked for a break. */
  wrappedUpBy(atMs: number): number {
    let count = 0
    for (let agent = 0; agent < this.size; agent++) {
      if (this.state[agent] === TIMED_WRAP_UP && this.endsAtMs[agent]! <= atMs) count++
    }
    return count
  }

  close(nowMs: number): void {
    for (let agent = 0; agent < this.size; agent++) {
      this.spentMs[this.state[agent]!]! += nowMs - this.sinceMs[agent]!
      this.sinceMs[agent] = nowMs
    }
  }

  /** Assigns agents to waiting callees by the production rule. */
  assign(callers: readonly WaitingCaller[]): readonly { call: string; agent: number }[] {
    const pairs = assignAgents(callers, this.#idle, this.#staff)
    return pairs.map(({ call, agent }) => ({ call, agent: this.#byName.get(agent)! }))
  }

  #members(state: number): Members | undefined {
    if (state === TALKING) return this.talks
    if (state === WRAPPING_UP) return this.wrapUps
    return state === TIMED_WRAP_UP ? this.timedWrapUps : undefined
  }

  #enterIdle(agent: number, nowMs: number): void {
    const free = this.#free[agent]!
    free.freeSinceAtMs = nowMs
    this.#places[agent] = this.#idle.length
    this.#idle.push(free)
  }

  #leaveIdle(agent: number): void {
    const place = this.#places[agent]!
    const last = this.#idle.pop()!
    if (last === this.#free[agent]) return
    this.#idle[place] = last
    this.#places[this.#byName.get(last.agent)!] = place
  }
}

function staffOf(names: readonly AgentName[]): Staff {
  const team = {
    name: TEAM,
    title: TEAM,
    agents: names,
    music: 'none',
    waitingMax: Number.MAX_SAFE_INTEGER,
    ringTimeoutMs: 0,
    pauseAfterMissMs: 0,
  }
  return { teams: new Map([[TEAM, team]]), agents: new Map(names.map((name) => [name, { name, title: name }])) }
}
