/** Callers who wait, agents whose phones ring, and what happens when either of them does something else. */
import { describe, expect, test } from 'vitest'
import type { Callee, Caller } from '../../src/sim/person.ts'
import type { SimCaller } from '../../src/sim/sim-caller.ts'
import { soundWorlds } from './sound.ts'
import type { Served, World, WorldOptions } from './world.ts'

const worlds = soundWorlds()

/** Straight into a queue. `options` are those of the queue step, as YAML. */
function queueFlow(options = ''): string {
  return `
flow: front-desk
start: team
steps:
  team:
    queue: { team: help, whisper: A caller for you., announce: { every: 20s, position: true }, timeout: 5m${options} }
    mark: reached-a-person
    next: goodbye
    on: { full: full, closed: closed, timeout: sorry }
  full: { play: Too many people are waiting., next: goodbye }
  closed: { play: Nobody works here., next: goodbye }
  sorry: { play: All our people are busy., next: goodbye }
  goodbye: { hangup: { say: Goodbye. } }
`
}

const STAYS: Callee = { does: 'answer', afterMs: 1_000 }
const FIVE_MINUTES = 300_000
const PATIENT: Caller = { waitsMaxMs: 1_200_000 }

const distributor = (options: WorldOptions = {}) =>
  worlds.open({ flow: queueFlow(), teams: { help: ['anna'] }, ...options })

/** Lets time pass until something is true. */
function until(world: World, isTrue: () => boolean): void {
  if (!world.clock.runUntil(isTrue)) throw new Error('it did not come to pass')
}

const talksTo = (caller: SimCaller) => caller.heard.filter(({ what }) => what === 'person').map(({ text }) => text)
const talksNow = (caller: SimCaller) =>
  caller.heard.some(({ what, untilMs }) => what === 'person' && untilMs === undefined)
const hearsMusic = (caller: SimCaller) =>
  caller.heard.some(({ what, untilMs }) => what === 'music' && untilMs === undefined)
const distributorLines = ({ lines }: Served, type: string) =>
  lines.filter(({ by, what }) => by === 'desk' && what.type === type)
const names = (served: Served, type: string) => distributorLines(served, type).map(({ what }) => what['agent'])

describe('waiting', () => {
  test('given no free agent, the caller hears music and at intervals the position', async () => {
    const world = await distributor({ agents: { anna: STAYS } })
    const first = world.callIn({ ...PATIENT, hangsUpAfterMs: 65_000 })
    world.clock.run(2_000)
    const second = world.callIn(PATIENT)
    world.clock.run(2_000)
    const third = world.callIn(PATIENT)
    world.clock.run(30_000)
    expect(second.ear.words).toBe('You are number 1 in the queue.')
    expect(third.ear.words).toBe('You are number 2 in the queue.')
    expect([second, third].every(hearsMusic)).toBe(true)
    expect(talksNow(first)).toBe(true)
    world.clock.run(60_000)
    expect(talksNow(second)).toBe(true)
    expect(third.ear.words).toMatch(/number 1 in the queue\.$/)
    second.hangUp()
    until(world, () => talksNow(third))
    third.hangUp()
    world.served(third)
  })

  test('given an agent whose phone rings, the caller hears music and no position', async () => {
    const world = await distributor({
      agents: { anna: { ...STAYS, afterMs: 30_000 } },
      teams: { help: { agents: ['anna'], ringTimeoutMs: 60_000 } },
    })
    const caller = world.callIn({ ...PATIENT, hangsUpAfterMs: 50_000 })
    world.clock.run(25_000)
    expect(caller.ear.words).toBe('')
    expect(hearsMusic(caller)).toBe(true)
    expect(world.served(caller).record.agent).toBe('anna')
  })

  test('first come, first served', async () => {
    const world = await distributor()
    const callers = [0, 1, 2, 3].map((index) => world.callIn(PATIENT, { caller: `+455100000${index}` }))
    const served = callers.map((caller) => world.served(caller))
    const answered = served.map(({ lines }) => lines.find(({ what }) => what.type === 'agent.connected')!.atMs)
    expect(answered).toEqual(answered.toSorted((a, b) => a - b))
    expect(new Set(answered).size).toBe(4)
  })

  test('given two callers and one agent, the second is served after the first', async () => {
    const world = await distributor({ agents: { anna: { ...STAYS, hangsUpAfterMs: 30_000 } } })
    const [first, second] = [world.callIn(PATIENT), world.callIn(PATIENT)]
    expect([world.served(first), world.served(second)].map(({ record }) => record.outcome)).toEqual([
      'talked',
      'talked',
    ])
    expect(world.phones.get('anna')!.rings).toBe(2)
  })

  test('given a full queue, the caller hears it and the waiting callers stay', async () => {
    const world = await distributor({ teams: { help: { agents: ['anna'], waitingMax: 1 } }, agents: { anna: STAYS } })
    const [talking, waiting] = [world.callIn({ hangsUpAfterMs: 60_000 }), world.callIn(PATIENT)]
    world.clock.run(5_000)
    const refused = world.serve({})
    expect(refused.words).toBe('Too many people are waiting. | Goodbye.')
    expect(refused.record).toMatchObject({ outcome: 'completed', marks: [] })
    world.served(talking)
    until(world, () => talksNow(waiting))
    waiting.hangUp()
    world.served(waiting)
  })

  test('given a team without agents, the caller hears it at once', async () => {
    const served = (await distributor({ teams: { help: [] } })).serve({})
    expect(served.words).toBe('Nobody works here. | Goodbye.')
  })

  test('given agents who never answer, the caller hears it after the maximum wait', async () => {
    const world = await distributor({ agents: { anna: { does: 'ignore', afterMs: 0 } } })
    const served = world.serve(PATIENT)
    expect(served.words).toMatch(/All our people are busy\. \| Goodbye\.$/)
    expect(served.record).toMatchObject({ outcome: 'completed', agent: undefined })
    const waitedMs = served.record.endedAtMs - served.record.arrivedAtMs
    expect(waitedMs).toBeGreaterThan(FIVE_MINUTES)
    expect(waitedMs).toBeLessThan(FIVE_MINUTES + 10_000)
  })
})

describe('ringing', () => {
  test.each([
    ['rejects', { does: 'reject', afterMs: 500 }],
    ['is busy elsewhere', { does: 'busy', afterMs: 100 }],
    ['does not come', { does: 'ignore', afterMs: 0 }],
  ] as const)('given an agent who %s, the next one is rung and the first is left in peace', async (_, anna) => {
    const world = await distributor({
      teams: { help: ['anna', 'ben'] },
      agents: { anna, ben: { ...STAYS, hangsUpAfterMs: 3_000 } },
    })
    const caller = world.callIn(PATIENT)
    until(world, () => talksNow(caller))
    expect(world.engine.agentStates().get('anna' as never)).toBe('paused')
    const served = world.served(caller)
    expect(names(served, 'ringAgent')).toEqual(['anna', 'ben'])
    expect(names(served, 'offerRefused')).toEqual(['anna'])
    expect(talksTo(caller)).toEqual(['ben'])
  })

  test('given an agent who is rung again after a pause, the agent can take the call then', async () => {
    const world = await distributor({ agents: { anna: { does: 'reject', afterMs: 100 } } })
    const caller = world.callIn(PATIENT)
    world.clock.run(10_000)
    world.phones.get('anna')!.script = { ...STAYS, hangsUpAfterMs: 3_000 }
    const served = world.served(caller)
    expect(names(served, 'ringAgent')).toEqual(['anna', 'anna'])
    expect(served.record.outcome).toBe('talked')
  })

  test('given a refused caller, they keep their place before those who came later', async () => {
    const world = await distributor({ agents: { anna: { does: 'reject', afterMs: 5_000 } } })
    const first = world.callIn(PATIENT)
    world.clock.run(1_000)
    const second = world.callIn(PATIENT)
    world.clock.run(10_000)
    world.phones.get('anna')!.script = { ...STAYS, hangsUpAfterMs: 3_000 }
    until(world, () => talksNow(first))
    expect(talksTo(second)).toEqual([])
    world.served(second)
  })

  test('given agents in two teams, each serves both and none is in two calls', async () => {
    const flow = queueFlow()
      .replace('team: help', "team: { by: digit, map: { '1': sales }, else: help }")
      .replace('start: team', 'start: ask')
      .replace(
        'steps:',
        'steps:\n  ask: { gather: { prompt: Which one, digits: 1 }, as: digit, next: team, on: { failed: team } }',
      )
    const world = await worlds.open({
      flow,
      teams: { help: ['anna', 'ben'], sales: ['ben', 'anna'] },
      agents: { anna: STAYS, ben: STAYS },
    })
    const one = { ...PATIENT, presses: [{ afterMs: 500, keys: '1' }], hangsUpAfterMs: 40_000 }
    const none = { ...PATIENT, presses: [{ afterMs: 500, keys: '2' }], hangsUpAfterMs: 40_000 }
    const served = [one, none, one].map((person) => world.callIn(person)).map((caller) => world.served(caller))
    expect(new Set(served.slice(0, 2).map(({ record }) => record.agent)).size).toBe(2)
  })
})

describe('whisper', () => {
  test('is heard by the agent before the two are connected, and not by the caller', async () => {
    const world = await distributor()
    const caller = world.callIn(PATIENT)
    until(world, () => world.heardBy('anna') !== '')
    expect(hearsMusic(caller)).toBe(true)
    expect(talksTo(caller)).toEqual([])
    const served = world.served(caller)
    expect(world.heardBy('anna')).toBe('A caller for you.')
    expect(served.words).toBe('Goodbye.')
    const [whisper, talk] = world.phones.get('anna')!.heard
    expect(talk!.fromMs).toBeGreaterThanOrEqual(whisper!.untilMs!)
  })

  test('given a queue step without a whisper, the two are connected at once', async () => {
    const world = await distributor({ flow: queueFlow().replace('whisper: A caller for you., ', '') })
    expect(world.serve(PATIENT).record.outcome).toBe('talked')
    expect(world.heardBy('anna')).toBe('')
  })

  test('given an agent who hangs up during it, the next agent is rung', async () => {
    const world = await distributor({
      teams: { help: ['anna', 'ben'] },
      agents: { anna: { ...STAYS, hangsUpAfterMs: 300 } },
    })
    const served = world.serve(PATIENT)
    expect(names(served, 'ringAgent')).toEqual(['anna', 'ben'])
    expect(served.record.agent).toBe('ben')
  })
})

describe('a caller who hangs up', () => {
  const PHASES: Readonly<Record<string, (world: World, caller: SimCaller) => boolean>> = {
    ringing: (world) => world.phones.get('anna')!.rings > 0,
    whispering: (world) => world.heardBy('anna') !== '',
    talking: (_, caller) => talksNow(caller),
  }

  test.each(Object.keys(PHASES))('while %s frees the agent for the next one without a pause', async (phase) => {
    const world = await distributor({ agents: { anna: STAYS } })
    const caller = world.callIn(PATIENT)
    until(world, () => PHASES[phase]!(world, caller))
    const next = world.callIn({ ...PATIENT, hangsUpAfterMs: 30_000 })
    world.clock.run(200)
    caller.hangUp()
    expect(world.served(caller).record.outcome).toBe(phase === 'talking' ? 'talked' : 'abandoned')
    until(world, () => talksNow(next))
    expect(world.served(next).record.agent).toBe('anna')
  })

  test('while waiting causes no ring', async () => {
    const world = await distributor({ agents: { anna: STAYS } })
    const talking = world.callIn({ hangsUpAfterMs: 30_000 })
    world.clock.run(1_000)
    const left = world.serve({ hangsUpAfterMs: 10_000 })
    expect(left.record).toMatchObject({ outcome: 'abandoned', marks: [] })
    world.served(talking)
    world.clock.run(60_000)
    expect(world.phones.get('anna')!.rings).toBe(1)
  })

  test('at every tenth of a second leaves the queue empty', async () => {
    for (let hangsUpAfterMs = 0; hangsUpAfterMs < 6_000; hangsUpAfterMs += 100) {
      const served = (await distributor()).serve({ hangsUpAfterMs })
      expect(served.record.endedBy).toBe('hungUp')
    }
  })
})

test('given a hang-up command in a gap, the agent is released after the reconnect', async () => {
  const world = await distributor({ agents: { anna: STAYS } })
  const caller = world.callIn(PATIENT)
  until(world, () => talksNow(caller))
  caller.hangUp()
  until(world, () => world.lines.some(({ what }) => what.type === 'hangUpAgent'))
  world.pbx.cut(1_000)
  world.served(caller)
  expect(world.engine.agentStates().get('anna' as never)).toBe('closing')
  until(world, () => world.engine.agentStates().get('anna' as never) === 'free')
})

describe('an agent who hangs up', () => {
  test('leaves the caller with the rest of the flow, not with silence', async () => {
    const served = (await distributor()).serve(PATIENT)
    expect(served.words).toBe('Goodbye.')
    expect(served.caller.result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
    expect(served.record).toMatchObject({
      outcome: 'talked',
      agent: 'anna',
      marks: ['reached-a-person'],
      endedBy: 'us',
    })
  })

  test('at the same instant as the caller ends both once', async () => {
    const world = await distributor({ agents: { anna: STAYS } })
    const caller = world.callIn(PATIENT)
    until(world, () => talksNow(caller))
    world.phones.get('anna')!.hangUp()
    caller.hangUp()
    expect(world.served(caller).record).toMatchObject({ outcome: 'talked', endedBy: 'hungUp' })
  })
})
