/** The agents of a simulated day: what each of them does, since when, and how much of the day went where. */
import { assignAgents, type FreeAgent, type WaitingCaller } from '../acd/assign-rung-agents.ts'
import type { Staff } from '../acd/team.ts'
import type { AgentName, TeamName } from '../kernel/ids.ts'
import { Members } from './state-members.ts'

/** What an agent does: their phone is gone. */
export const AWAY = 0
/** Ready. */
export const IDLE = 1
/** With a person, or with a machine that passed as one. */
export const TALKING = 2
/** In wrap-up that the agent ends. */
export const WRAPPING_UP = 3
/** In wrap-up that ends by itself. */
export const TIMED_WRAP_UP = 4
/** Asked for, and granted. */
export const ON_BREAK = 5
const STATES = 6

/** The only team there is. */
export const TEAM = 'team' as TeamName

interface FreeSince extends FreeAgent {
  freeSinceAtMs: number
}

/** Instants are those of the day. */
export class Floor {
  readonly size: number
  readonly state: Uint8Array
  readonly sinceMs: Float64Array
  /** The one event that the agent waits for; 0 for none. */
  readonly dueKey: Float64Array
  readonly endsAtMs: Float64Array
  readonly calls: Int32Array
  readonly campaign: Uint8Array
  /** The break that the agent wishes for; 0 for none. */
  readonly breakMs: Float64Array
  readonly counts = new Int32Array(STATES)
  /** Milliseconds by state, up to the last change of each agent. */
  readonly spentMs = new Float64Array(STATES)
  /** By state: those who are expected to be free after it. */
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

  /** Everything that changes an agent's state goes through here. */
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

  /** The agent wishes for a break: from now on nobody expects them to be free after what they do, as in production. */
  command(agent: number, lengthMs: number): void {
    if (this.breakMs[agent] === 0) this.#members(this.state[agent]!)?.remove(agent)
    this.breakMs[agent] = lengthMs
  }

  /** How many timed wrap-ups are over by then, those of agents who wish for a break among them. */
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

  /** Who of those who wait gets whom, by the rule of production. */
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
