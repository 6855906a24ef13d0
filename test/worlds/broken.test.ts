/** What a caller hears when something of ours is broken: missing sounds, endless flows, ports that throw. */
import { describe, expect, test } from 'vitest'
import type { EngineDependencies } from '../../src/engine/context.ts'
import type { CompiledFlow } from '../../src/flow/run/compile.ts'
import type { StepName } from '../../src/kernel/ids.ts'
import type { Utterance } from '../../src/ports/speech.ts'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import { caseInfo, typesCase } from './set-up.ts'
import { soundWorlds } from './sound.ts'
import type { World, WorldOptions } from './world.ts'

const APOLOGY = 'We are sorry, something went wrong on our side. Please call again later. Goodbye.'

const worlds = soundWorlds()

const centre = async (options: WorldOptions = {}) => (await worlds.open(options)).caseIs('4711', { body: caseInfo() })

/** Speech that has no words for some texts. */
const mute = (isMute: (text: string) => boolean) => () => ({
  speech: simSpeech((said: Utterance) => ('text' in said && isMute(said.text) ? 'the voice is missing' : undefined)),
})

const notes = (world: World, type: string) =>
  world.lines.filter(({ what }) => what.type === type).map(({ what }) => what)

describe('given missing sound files', () => {
  test('in the question, the caller reaches an agent by the failure path of the author', async () => {
    const world = await centre({ parts: mute((text) => text.startsWith('Please enter')) })
    const served = world.serve({})
    expect(served.path).toEqual(['welcome', 'known', 'ask-case', 'team', 'goodbye'])
    expect(served.record.outcome).toBe('talked')
    expect(world.logged.join()).toContain('a prompt could not be turned into sound')
  })

  test('in the welcome, the caller reaches an agent by onError', async () => {
    const served = (await centre({ parts: mute((text) => text.startsWith('Welcome')) })).serve({})
    expect(served.path).toEqual(['welcome', 'team', 'goodbye'])
  })

  test('in the goodbye, the call ends at once and not in silence', async () => {
    const served = (await centre({ parts: mute((text) => text === 'Goodbye.') })).serve({ presses: typesCase('4711') })
    expect(served.record).toMatchObject({ outcome: 'completed', endedBy: 'us' })
  })

  test('everywhere, the caller hears music and an agent', async () => {
    const served = (await centre({ parts: mute(() => true) })).serve({})
    expect(served.path).toEqual(['welcome', 'team', 'goodbye'])
    expect(served.record.outcome).toBe('talked')
  })

  test('everywhere and without agents, the call ends at once, not in silence', async () => {
    const served = (await centre({ parts: mute(() => true), teams: { collections: [] } })).serve({})
    expect(served.record.endedBy).toBe('us')
    expect(served.path).toEqual(['welcome', 'team', 'sorry', 'goodbye'])
    expect(served.caller.result!.ms).toBeLessThan(1_000)
  })

  test('in the whisper, caller and agent are still connected', async () => {
    const served = (await centre({ parts: mute((text) => text === 'Case') })).serve({})
    expect(served.record.outcome).toBe('talked')
  })

  test('in the announcement of the position, the music goes on', async () => {
    const world = await centre({
      parts: mute((text) => text.startsWith('You are number')),
      agents: { cleo: { does: 'ignore', afterMs: 0 } },
    })
    const served = world.serve({ waitsMaxMs: 300_000, hangsUpAfterMs: 200_000 })
    expect(served.caller.heard.filter(({ what }) => what === 'music').length).toBeGreaterThan(1)
  })

  test('in a file of the operator without a failure path, the caller hears the built-in apology', async () => {
    const flow = 'flow: f\nstart: a\nsteps:\n  a: { play: { file: sounds/gone.wav }, next: b }\n  b: { hangup: }\n'
    const world = await worlds.open({ flow, pbx: { isPlayable: ({ file }) => !file.includes('gone') } })
    const served = world.serve({})
    expect(served.words).toMatch(new RegExp(`${APOLOGY}$`))
    expect(served.record).toMatchObject({ outcome: 'failed', endedBy: 'us' })
    expect(notes(world, 'step.left')).toMatchObject([
      { step: 'a', end: 'failed', why: expect.stringContaining('played') },
    ])
  })
})

describe('given a flow without end', () => {
  const loop = (limits: string) => `
flow: loop
start: a
limits: ${limits}
steps:
  a: { play: Round, next: b }
  b: { menu: { prompt: and round, keys: { "1": a }, tries: 1, firstDigitTimeout: 1s }, on: { failed: a } }
`

  test('the caller hears the apology after the maximum number of steps', async () => {
    const world = await worlds.open({ flow: loop('{ steps: 10 }') })
    const served = world.serve({ waitsMaxMs: 900_000 })
    expect(served.path).toHaveLength(11)
    expect(served.words.endsWith(APOLOGY)).toBe(true)
    expect(notes(world, 'step.left').at(-1)).toMatchObject({ end: 'broken', why: 'the call took more than 10 steps' })
  })

  test('the caller hears the apology after the maximum duration', async () => {
    const world = await worlds.open({ flow: loop('{ duration: 20s }') })
    const served = world.serve({ waitsMaxMs: 900_000 })
    expect(served.words.endsWith(APOLOGY)).toBe(true)
    expect(served.record.endedAtMs - served.record.arrivedAtMs).toBeLessThan(32_000)
    expect(notes(world, 'step.left').at(-1)).toMatchObject({ end: 'broken', why: 'the flow took more than 20 s' })
  })
})

describe('given a bug of ours', () => {
  const thrower = (): never => {
    throw new Error('planted')
  }
  const BREAKS: Readonly<Record<string, (usual: EngineDependencies) => Partial<EngineDependencies>>> = {
    'the web port throws': () => ({ web: { request: thrower } }),
    'the text port throws': () => ({ sms: { send: thrower } }),
    'the flow run throws': ({ flows }) => ({
      flows: Object.assign(Object.create(flows), {
        get: (name: never) => flows.get(name),
        draw: (...call: Parameters<typeof flows.draw>) => {
          const drawn = flows.draw(...call)!
          return { ...drawn, compiled: withoutStep(drawn.compiled, 'lookup') }
        },
      }),
    }),
    'the switch port throws at one prompt': ({ pbx }) => ({
      pbx: patched(pbx, {
        play: (playback, leg, sounds) =>
          sounds[0]?.text === 'You entered' ? thrower() : pbx.play(playback, leg, sounds),
      }),
    }),
  }

  test.each(Object.keys(BREAKS))('%s: that call ends with the apology, the others go on', async (what) => {
    const world = await centre({ parts: BREAKS[what]! })
    const neighbour = world.callIn({}, { caller: '+4551000002' })
    const served = world.serve({ presses: typesCase('4711') })
    expect(served.words.endsWith(APOLOGY)).toBe(true)
    expect(served.record).toMatchObject({ outcome: 'failed', endedBy: 'us' })
    expect(served.texts).toEqual([])
    expect(notes(world, 'call.broke')).toMatchObject([{ why: expect.any(String) }])
    expect(world.logged.join()).toContain('an internal error broke a call')
    expect(world.served(neighbour).record.outcome).toBe('talked')
  })

  test('the switch port throws at every prompt: the call ends at once, with a record', async () => {
    const world = await centre({ parts: ({ pbx }) => ({ pbx: patched(pbx, { play: thrower }) }) })
    const caller = world.callIn({})
    world.clock.run(10_000)
    expect(caller.result).toMatchObject({ hungUpBy: 'switch' })
    expect(world.recordOf(caller)).toMatchObject({ outcome: 'failed' })
  })
})

describe('given a refused call', () => {
  test('to an unassigned number, the caller hears that it does not exist', async () => {
    const world = await centre()
    const caller = world.callIn({}, { called: '+4570009999' })
    world.clock.run(1_000)
    expect(caller.result).toMatchObject({ outcome: 'refused', code: 404 })
    expect(world.lines).toEqual([])
    expect(world.logged.join()).toContain('no flow answers this number')
    expect(world.logged.join()).toContain('+4570009999')
  })

  test('above the call limit, the caller hears congestion and the other calls go on', async () => {
    const world = await centre({ callsMax: 2 })
    const taken = [world.callIn({}), world.callIn({})]
    world.clock.run(1_000)
    const refused = world.callIn({})
    world.clock.run(1_000)
    expect(refused.result).toMatchObject({ outcome: 'refused', code: 503 })
    expect(taken.map((caller) => world.served(caller).record.outcome)).toEqual(['talked', 'talked'])
    expect(world.serve({}).record.outcome).toBe('talked')
  })
})

/** A port of which some methods do something else. */
function patched<P extends object>(port: P, methods: Partial<P>): P {
  return new Proxy(port, {
    get: (target, name) => {
      const own = methods[name as keyof P] ?? target[name as keyof P]
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}

function withoutStep({ flow, machine }: CompiledFlow, gone: string): CompiledFlow {
  return { machine, flow: { ...flow, steps: new Map([...flow.steps].filter(([name]) => name !== (gone as StepName))) } }
}
