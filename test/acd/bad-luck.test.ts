/** Logged-in agents among bad luck: their sessions alone, without an engine, in lives by the thousand. */
import { expect, test } from 'vitest'
import type { AgentSessionOrder } from '../../src/acd/agent-session-messages.ts'
import type { Staff } from '../../src/acd/team.ts'
import type { AgentName, LegId } from '../../src/kernel/ids.ts'
import { randomInt, randomOf } from '../../src/kernel/random.ts'
import type { SavedAgentSession } from '../../src/ports/dialer-repository.ts'
import { AgentSessionWorld, staffOf } from './agent-session-world.ts'

/** `SEED=14 LIVES=1` lives that one, and tells it. */
const LIVES = Number(process.env['LIVES'] ?? 2_000)
const FIRST = Number(process.env['SEED'] ?? 0)
const AGENTS = ['anna', 'ben', 'carl', 'dora'] as const
const TEAMS = { help: ['anna', 'ben', 'carl'], sales: ['carl', 'dora'] }
const ORDERS: readonly AgentSessionOrder[] = [
  { type: 'logIn' },
  { type: 'logIn' },
  { type: 'logOut' },
  { type: 'pause', reason: 'tea' },
  { type: 'ready' },
  { type: 'ready' },
  { type: 'renewLeg' },
  { type: 'renewLeg' },
  { type: 'doubtPhone' },
  { type: 'hangUp' },
  { type: 'endWrapUp' },
]
/** Longer than every wait of a session in a row. */
const HEALED_MS = 125_000
const NO_FAULTS = { lost: 0, unanswered: 0, latencyMaxMs: 5 }

class BadLuckLife {
  readonly world: AgentSessionWorld
  readonly did: string[] = []
  #count = 0
  saved: SavedAgentSession[] = []

  constructor(seed: number) {
    const isByHand = seed % 3 === 0
    const wrapUp = isByHand ? ({ kind: 'byHand' } as const) : ({ kind: 'timed', lengthMs: 5_000 } as const)
    const faults = { lost: seed % 2 === 0 ? 0.2 : 0, unanswered: seed % 4 === 0 ? 0.4 : 0, latencyMaxMs: seed % 700 }
    this.world = new AgentSessionWorld(withBrowsers(staffOf(TEAMS, { wrapUp }), seed), faults, seed)
  }

  live(): string[] {
    const { world } = this
    world.logIn(...AGENTS)
    for (let steps = randomInt(world.random, 10, 60); steps > 0; steps--) {
      this.#step()
      world.clock.run(randomInt(world.random, 0, 2) * randomInt(world.random, 0, 3_000))
    }
    world.mishaps = NO_FAULTS
    world.dumb.clear()
    for (const ms of [25_000, 40_000, 60_000]) {
      world.clock.run(ms)
      this.#settle()
    }
    const first = this.#faults()
    world.clock.run(20_000)
    const lasting = this.#faults().filter((one) => first.includes(one))
    if (lasting.length > 0) return lasting
    for (const [name, { endedAtMs }] of world.persons) if (endedAtMs === undefined) world.hangsUp(name)
    for (const name of [...world.callers]) world.callerLeaves(name)
    world.clock.run(1_000)
    this.#settle()
    world.clock.run(HEALED_MS)
    return this.#restFaults()
  }

  #step(): void {
    const { world } = this
    const { random } = world
    const agent = randomOf(random, AGENTS)
    const team = randomOf(random, Object.keys(TEAMS))
    const name = `n${this.#count++}`
    const living = [...world.persons].filter(([, { endedAtMs }]) => endedAtMs === undefined).map(([one]) => one)
    const order = randomOf(random, ORDERS)
    const legs = [...world.phones.keys()]
    const deeds: Readonly<Record<string, () => unknown>> = {
      order: () => world.order(agent, order),
      orderAgain: () => world.order(agent, order),
      orderTwice: () => [world.order(agent, order), world.order(agent, order)],
      answers: () => world.answers(name, team),
      answersToo: () => world.answers(name, team),
      reserved: () => world.distributor.reserve(agent as AgentName, world.nowMs) && world.answers(name, team, agent),
      unreserved: () => world.perform(world.distributor.unreserve(agent as AgentName, world.nowMs)),
      hangsUp: () => living.length > 0 && world.hangsUp(randomOf(random, living)),
      callsIn: () => world.callsIn(name, team, randomOf(random, ['', 'Case 4711'])),
      callsInToo: () => world.callsIn(name, team, randomOf(random, ['', 'Case 4711'])),
      callerLeaves: () => world.callers.size > 0 && world.callerLeaves(randomOf(random, [...world.callers])),
      losesPhone: () => world.losesPhone(agent),
      losesAllPhones: () => AGENTS.forEach((one) => void world.losesPhone(one)),
      fallsSilent: () => world.dumb.add(agent),
      isHeardAgain: () => world.dumb.delete(agent),
      endsTwice: () => legs.length > 0 && this.#endsTwice(randomOf(random, legs)),
      screen: () => world.screen(agent, random.next() < 0.7),
      isSaved: () => Object.assign(this, { saved: world.saved() }),
      restarts: () => world.restart(),
      restartsWithOld: () => world.restart(this.saved),
    }
    const which = randomOf(random, Object.keys(deeds))
    this.did.push(`${world.nowMs % 3_600_000} ${which} ${agent} ${JSON.stringify(order)}`)
    deeds[which]!()
  }

  /** The end of a leg is told, and once more when its session has another one. */
  #endsTwice(leg: string): void {
    const { world } = this
    const agent = world.phones.get(leg)!.agent
    world.losesPhone(agent)
    const ended = { type: 'leg.ended', leg: leg as LegId } as const
    world.soon(() => world.perform(world.distributor.handleAgentEvent(ended, world.nowMs)))
  }

  #settle(): void {
    const { world } = this
    for (const agent of AGENTS) {
      world.screen(agent, true)
      const state = world.stateOf(agent)
      if (state === 'loggedOut') world.order(agent, { type: 'logIn' })
      if (state === 'paused' || state.includes('asked')) world.order(agent, { type: 'ready' })
      if (state === 'wrapUp') world.order(agent, { type: 'endWrapUp' })
    }
  }

  #faults(): string[] {
    const { world } = this
    const { distributor } = world
    return AGENTS.flatMap((agent) => {
      const state = world.stateOf(agent)
      const isFree = distributor.isSpare(agent as AgentName)
      const teams = Object.entries(TEAMS).filter(([, names]) => names.includes(agent))
      const waits = isFree && teams.some(([team]) => distributor.callersWaitingFor(team as never) > 0)
      return [
        ...(waits ? [`a caller waits while ${agent} is free`] : []),
        ...(['ready', 'talking', 'wrapUp'].includes(state) ? [] : [`${agent} is ${state} (${world.reasonOf(agent)})`]),
      ]
    })
  }

  #restFaults(): string[] {
    const { world } = this
    const sessions = world.distributor.savedSessions()
    const legs = sessions.map(({ leg }) => leg as string)
    const own = sessions.map(({ bridge }) => bridge as string)
    return [
      ...AGENTS.filter((agent) => world.stateOf(agent) !== 'ready').map((one) => `${one} is ${world.stateOf(one)}`),
      ...sessions
        .filter(({ leg, bridge }) => !world.bridges.get(bridge)?.has(leg) || !world.phones.get(leg)?.isUp)
        .map(({ agent, leg }) => `${agent} is not with ${leg}`),
      ...[...world.phones.keys()].filter((leg) => !legs.includes(leg)).map((leg) => `nobody owns ${leg}`),
      ...[...world.bridges]
        .filter(([bridge, members]) => members.size > (own.includes(bridge) ? 1 : 0))
        .map(([bridge, members]) => `${[...members]} are in ${bridge}`),
      ...world.distributor.parties().map((leg) => `an agent is kept for ${leg}`),
    ]
  }
}

/** The phones of some are browsers. */
function withBrowsers(staff: Staff, seed: number): Staff {
  const agents = [...staff.agents].map(([name, agent], place) => {
    return [name, (seed >> place) % 2 === 0 ? agent : { ...agent, phoneGraceMs: 15_000 }] as const
  })
  return { ...staff, agents: new Map(agents) }
}

test('whatever befell phones, switch and engine: agents are ready, and nobody waits for them in vain', () => {
  const unwell: unknown[] = []
  for (let seed = FIRST; seed < FIRST + LIVES; seed++) {
    const life = new BadLuckLife(seed)
    const faults = life.live()
    if (faults.length > 0) unwell.push({ seed, faults, ...(LIVES === 1 && { did: life.did }) })
  }
  expect(unwell).toEqual([])
})
