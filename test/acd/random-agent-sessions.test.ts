import { expect, test } from 'vitest'
import { randomInt, randomOf } from '../../src/kernel/random.ts'
import { AgentSessionWorld, staffOf } from './agent-session-world.ts'

const AGENTS = ['anna', 'ben', 'carl', 'dora'] as const
const TEAMS = { help: ['anna', 'ben', 'carl'], sales: ['carl', 'dora'] }
/** Commands that give an agent to a party, and events that release the agent. */
const GIVEN = /^(?:agent\.given|seat\.join) (\S+) (\S+)$/
const STEPS = 250

const HOUR_MS = 3_600_000

/** An hour in which everything happens that can, in an order that nobody would choose. */
class RandomHour {
  readonly world: AgentSessionWorld
  readonly #seed: number
  #count = 0
  /** Party → agent, by the commands of the distributor. */
  readonly #with = new Map<string, string>()

  constructor(seed: number) {
    this.#seed = seed
    const wrapUp = seed % 2 === 0 ? ({ kind: 'byHand' } as const) : ({ kind: 'timed', lengthMs: 5_000 } as const)
    const faults = { lost: seed % 3 === 0 ? 0.2 : 0, unanswered: seed % 4 === 0 ? 0.3 : 0, latencyMaxMs: seed % 700 }
    this.world = new AgentSessionWorld(staffOf(TEAMS, { wrapUp }), faults, seed)
  }

  run(): void {
    this.world.logIn(...AGENTS)
    for (let step = 0; step < STEPS; step++) {
      this.#step()
      this.#pass(randomInt(this.world.random, 0, 3) * randomInt(this.world.random, 0, 4_000))
    }
    for (const [name, { endedAtMs }] of this.world.persons) if (endedAtMs === undefined) this.world.hangsUp(name)
    for (const name of [...this.world.callers]) this.world.callerLeaves(name)
    this.#pass(10_000)
  }

  #step(): void {
    const { world } = this
    const { random } = world
    const agent = randomOf(random, AGENTS)
    const team = randomOf(random, Object.keys(TEAMS))
    const name = `n${this.#count++}`
    const living = [...world.persons].filter(([, { endedAtMs }]) => endedAtMs === undefined).map(([one]) => one)
    const deeds: readonly (() => unknown)[] = [
      ...Array(4).fill(() => world.order(agent, { type: 'logIn' })),
      () => world.order(agent, { type: 'logOut' }),
      () => world.order(agent, { type: 'pause', reason: 'tea' }),
      ...Array(4).fill(() => world.order(agent, { type: 'ready' })),
      () => world.order(agent, { type: 'hangUp' }),
      () => world.order(agent, { type: 'endWrapUp' }),
      ...Array(6).fill(() => world.answers(name, team)),
      () => world.distributor.reserve(agent as never, world.nowMs) && world.answers(name, team, agent),
      () => world.perform(world.distributor.unreserve(agent as never, world.nowMs)),
      ...Array(3).fill(() => living.length > 0 && world.hangsUp(randomOf(random, living))),
      ...Array(3).fill(() => world.callsIn(name, team, randomOf(random, ['', 'Case 4711']))),
      () => world.callers.size > 0 && world.callerLeaves(randomOf(random, [...world.callers])),
      () => world.linesOut({ help: randomInt(random, 0, 3), sales: randomInt(random, 0, 2) }),
      () => world.losesPhone(agent),
      ...Array(2).fill(() => world.order(agent, { type: 'renewLeg' })),
      () => world.screen(agent, random.next() < 0.7),
      () => random.next() < 0.2 && world.restart(),
    ]
    randomOf(random, deeds)()
    this.#check()
  }

  #pass(durationMs: number): void {
    const untilMs = this.world.nowMs + durationMs
    while (this.world.nowMs < untilMs) {
      this.world.clock.run(Math.min(500, untilMs - this.world.nowMs))
      this.#check()
    }
  }

  #check(): void {
    for (const line of this.world.heard()) this.#checkCommand(line)
    for (const [bridge, legs] of this.world.bridges) {
      const parties = [...legs].filter((leg) => !leg.startsWith('sb-'))
      this.#hold(parties.length <= 1, `${parties.join(' and ')} are in ${bridge} together`)
    }
    for (const leg of this.world.distributor.parties()) this.#checkParty(leg)
  }

  /** INV-A1: an agent has at most one party, a party at most one agent, by the commands in this order. */
  #checkCommand(line: string): void {
    const [, agent, party] = GIVEN.exec(line) ?? []
    if (agent !== undefined && party !== undefined) {
      const before = [...this.#with].find(([one, other]) => other === agent && this.#isOn(one))
      this.#hold(!before, `${agent} is given ${party} while with ${before?.[0]}`)
      this.#with.set(party, agent)
    }
    const [verb, , person] = line.split(' ')
    if (verb === 'seat.part' && person !== undefined) this.#with.delete(person)
  }

  #isOn(party: string): boolean {
    const person = this.world.persons.get(party)
    return person ? person.endedAtMs === undefined && person.agent !== undefined : this.world.callers.has(party)
  }

  /** INV-A5: no agent stays with a party who is gone. */
  #checkParty(leg: string): void {
    const { persons, callersLeftAtMs } = this.world
    const endedAtMs = persons.get(leg)?.endedAtMs ?? callersLeftAtMs.get(leg) ?? Number.POSITIVE_INFINITY
    this.#hold(this.world.nowMs - endedAtMs <= 5_000, `an agent is kept for ${leg}, who is gone`)
  }

  #hold(isSo: boolean, sentence: string): void {
    if (!isSo) throw new Error(`SEED=${this.#seed}: ${sentence}`)
  }
}

test('no agent gets two parties or keeps one that is gone; each session ends', () => {
  const only = process.env['SEED']
  const seeds = only === undefined ? Array.from({ length: 200 }, (_, seed) => seed) : [Number(only)]
  let given = 0
  for (const seed of seeds) {
    const hour = new RandomHour(seed)
    hour.run()
    given += [...hour.world.persons.values()].filter(({ isTalking }) => isTalking).length
    hour.world.clock.run(48 * HOUR_MS)
    expect([seed, hour.world.distributor.statuses(), hour.world.phones.size]).toEqual([seed, [], 0])
  }
  // The hours are worth something only if people meet in them.
  expect(given).toBeGreaterThan(5 * seeds.length)
})
