/**
 * Random lives of queues with kept places: able agents serve everybody in the order of arrival, and nobody is called
 * back without a reserved agent.
 * `LIVES=100000 npx vitest run test/acd/random-places.test.ts --project unit` plays more;
 * a broken promise names the seed of its life.
 */
import { expect, test } from 'vitest'
import type { DistributorCommand } from '../../src/acd/distributor.ts'
import type { KeptPlace } from '../../src/acd/distributor-messages.ts'
import type { AgentName, CallId, CallTaskId, LegId, TeamName } from '../../src/kernel/ids.ts'
import { randomInt, randomOf } from '../../src/kernel/random.ts'
import { AgentSessionWorld, staffOf } from './agent-session-world.ts'

const SKILLS: Readonly<Record<string, readonly string[]>> = { anna: ['danish'], ben: ['danish', 'technics'], cleo: [] }
const TEAMS = { help: ['anna', 'ben'], sales: ['ben', 'cleo'] }
const PEOPLE = 14
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

interface Waiting {
  readonly id: number
  readonly team: TeamName
  readonly priority: number
  readonly skills: readonly string[]
  readonly sinceAtMs: number
  /** A place that nobody answered is called again then. */
  fromAtMs: number
  isPlace: boolean
}

/** One life: people who wait, leave a place, call again, talk, and do not answer. */
class Life extends AgentSessionWorld {
  readonly faults: string[] = []
  readonly line = new Map<number, Waiting>()
  served = 0
  calledBack = 0
  #people = 0
  readonly #reserved = new Set<AgentName>()

  constructor(seed: number) {
    const staff = staffOf(TEAMS)
    const agents = [...staff.agents.values()].map((agent) => ({ ...agent, skills: SKILLS[agent.name]! }))
    super({ ...staff, agents: new Map(agents.map((agent) => [agent.name, agent])) }, undefined, seed)
    this.logIn('anna', 'ben', 'cleo')
  }

  play(): this {
    for (let count = 0; count < PEOPLE; count++)
      this.#arrives(this.clock.nowMs() + randomInt(this.random, 0, 10) * MINUTE_MS + count)
    this.clock.run(3 * 60 * MINUTE_MS)
    if (this.line.size > 0) this.faults.push(`${this.line.size} people are never served`)
    return this
  }

  override perform(commands: readonly DistributorCommand[]): void {
    for (const command of commands) {
      if (command.type === 'callBack') this.#callBack(command.task, command.agent)
      if (command.type === 'seat.join' && command.call !== undefined)
        this.#talks(Number(command.call.slice(1)), command.agent)
    }
    super.perform(commands)
  }

  #arrives(atMs: number): void {
    this.clock.schedule(atMs, () => {
      const team = randomOf(this.random, ['help', 'sales']) as TeamName
      const priority = this.random.next() < 0.2 ? 1 : 0
      const skills = this.random.next() < 0.3 ? [randomOf(this.random, ['danish', 'technics'])] : []
      const id = ++this.#people
      this.#joins({ id, team, priority, skills, sinceAtMs: this.nowMs, fromAtMs: 0, isPlace: false })
      const fate = this.random.next()
      const afterMs = randomInt(this.random, 1, 300) * SECOND_MS
      if (fate < 0.5) this.clock.schedule(this.nowMs + afterMs, () => this.#leavesPlace(id))
      else if (fate < 0.6) this.clock.schedule(this.nowMs + afterMs, () => this.#givesUp(id))
    })
  }

  #joins(waiting: Waiting): void {
    const { id, team, priority, skills, sinceAtMs } = waiting
    this.line.set(id, waiting)
    const name = `c${id}`
    this.callers.add(name)
    const who = { call: name as CallId, leg: name as LegId, callerId: '', whisper: [] }
    const joining = { ...who, team, priority, skills, sinceAtMs }
    this.perform(this.distributor.join(joining, this.nowMs) as DistributorCommand[])
  }

  #leavesPlace(id: number): void {
    const waiting = this.line.get(id)
    if (!waiting) return
    waiting.isPlace = true
    this.#keep()
    this.callerLeaves(`c${id}`)
    if (this.random.next() < 0.3) this.clock.schedule(this.nowMs + 30 * SECOND_MS, () => this.#callsAgain(id))
  }

  #callsAgain(id: number): void {
    const waiting = this.line.get(id)
    if (!waiting?.isPlace) return
    this.line.delete(id)
    this.#keep()
    this.#joins({ ...waiting, isPlace: false })
  }

  #givesUp(id: number): void {
    if (this.line.get(id)?.isPlace === false) {
      this.line.delete(id)
      this.callerLeaves(`c${id}`)
    }
  }

  #keep(): void {
    const callable = [...this.line.values()].filter(({ isPlace, fromAtMs }) => isPlace && this.nowMs >= fromAtMs)
    const places = callable.map(({ id, ...place }): KeptPlace => ({ ...place, task: id as CallTaskId }))
    this.perform(this.distributor.keep(places, this.nowMs))
  }

  #isTurnOf(id: number, agent: AgentName): void {
    const one = this.line.get(id)
    if (!one) return void this.faults.push(`${id} is served without waiting`)
    const isAble = ({ skills }: Waiting) => skills.every((skill) => SKILLS[agent]!.includes(skill))
    if (!isAble(one)) this.faults.push(`${agent} serves ${id} without the skill ${one.skills}`)
    const isBefore = (other: Waiting) =>
      other.priority > one.priority || (other.priority === one.priority && other.sinceAtMs < one.sinceAtMs)
    // In the very millisecond in which a place can be called again, an agent may be free before the line hears of it.
    const passed = [...this.line.values()].filter(
      (other) => other.team === one.team && isAble(other) && this.nowMs > other.fromAtMs && isBefore(other),
    )
    for (const other of passed) this.faults.push(`${id} of ${one.team} is served before ${other.id}`)
    this.line.delete(id)
    this.served++
  }

  #talks(id: number, agent: AgentName): void {
    this.#isTurnOf(id, agent)
    this.clock.schedule(this.nowMs + randomInt(this.random, 5, 300) * SECOND_MS, () => this.callerLeaves(`c${id}`))
  }

  #callBack(id: number, agent: AgentName): void {
    const waiting = this.line.get(id)
    this.#isTurnOf(id, agent)
    this.calledBack++
    if (this.#reserved.has(agent)) this.faults.push(`${agent} is reserved for two callbacks`)
    if (!this.distributor.isReserved(agent)) this.faults.push(`${id} is called, and ${agent} is not reserved`)
    this.#reserved.add(agent)
    const isReached = this.random.next() < 0.7
    this.clock.schedule(this.nowMs + randomInt(this.random, 5, 200) * SECOND_MS, () => {
      this.#reserved.delete(agent)
      if (!isReached) {
        this.line.set(id, { ...waiting!, fromAtMs: this.nowMs + MINUTE_MS })
        this.clock.schedule(this.nowMs + MINUTE_MS, () => this.#keep())
      }
      this.perform(this.distributor.unreserve(agent, this.nowMs))
    })
  }
}

test('able agents serve everybody in the order of arrival, and each callback has an agent of its own', () => {
  const lives = Number(process.env['LIVES'] ?? 200)
  let [served, calledBack] = [0, 0]
  for (let seed = 1; seed <= lives; seed++) {
    const life = new Life(seed).play()
    expect({ seed, faults: life.faults }).toEqual({ seed, faults: [] })
    served += life.served
    calledBack += life.calledBack
  }
  expect(served).toBeGreaterThan(10 * lives)
  expect(calledBack).toBeGreaterThan(lives)
})
