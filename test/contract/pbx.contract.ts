/** What every switch behind the `Pbx` port does. One suite for the simulated and the real one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LegId } from '../../src/kernel/ids.ts'
import type { Callee, Caller } from '../../src/sim/person.ts'
import { ANNA, NOBODY, type PbxWorld, playbackId, playbacksOf, toldAbout, type WorldCaller } from './pbx-world.ts'

/** A caller's answer that comes too late for any of these tests. */
const PATIENT: Caller = { waitsMaxMs: 30_000 }
const RING = { callerId: '+4551234567', ringTimeoutMs: 20_000 }
const ANSWERS: Callee = { does: 'answer', afterMs: 100 }

/** Runs the suite. `makeWorld` starts a switch, connects to it and records what it tells. */
export function pbxContract(name: string, makeWorld: () => Promise<PbxWorld>): void {
  describe(`the contract of a switch: ${name}`, () => {
    let world: PbxWorld
    let calls = 0

    beforeAll(async () => {
      world = await makeWorld()
    })
    afterAll(() => world?.close())

    const newNumber = () => `+457000${1000 + calls++}`

    async function arrival(person: Caller = PATIENT): Promise<{ caller: WorldCaller; leg: LegId }> {
      const called = newNumber()
      const caller = await world.callIn({ called, caller: '+4551234567', person })
      const { leg } = await world.event('leg.arrived', { called })
      return { caller, leg }
    }

    async function answeredCall(person: Caller = PATIENT) {
      const call = await arrival(person)
      world.pbx.answer(call.leg)
      await world.event('leg.answered', { leg: call.leg })
      await call.caller.answered()
      return call
    }

    function play(leg: LegId, prompt: string, durationMs = 400, sounds = [world.sound(prompt, durationMs)]) {
      const playback = playbackId(leg, prompt)
      world.pbx.play(playback, leg, sounds)
      return { leg, playback }
    }

    async function ringing(person: Callee, options = RING, agent = ANNA) {
      const phone = agent === NOBODY ? undefined : await world.agentPhone(agent, person)
      const leg = world.ids.leg()
      world.pbx.ringAgent(leg, agent, options)
      return { phone: phone!, leg }
    }

    async function answeredAgent(person = ANSWERS) {
      const agent = await ringing(person)
      await world.event('leg.answered', { leg: agent.leg })
      return agent
    }

    async function ended(leg: LegId) {
      return await world.event('leg.ended', { leg })
    }

    async function hungUp(...legs: LegId[]) {
      for (const leg of legs) world.pbx.hangUp(leg)
      for (const leg of legs) await ended(leg)
    }

    /** A call that comes and goes after everything so far: what was to be told before it has been told. */
    async function settled() {
      const { leg } = await arrival()
      await hungUp(leg)
    }

    const endsOf = (leg: LegId) => toldAbout(world, leg).filter((type) => type === 'leg.ended')

    describe('connecting', () => {
      test('the switch says that it is there before it tells anything of calls', async () => {
        await settled()
        expect(world.events[0]).toEqual({ type: 'pbx.up', restarted: false })
      })
    })

    describe('a call in', () => {
      test('arrives with the number that was called and the number of the caller', async () => {
        const called = newNumber()
        await world.callIn({ called, caller: '+4598765432', person: PATIENT })
        const arrived = await world.event('leg.arrived', { called })
        expect(arrived.caller).toBe('+4598765432')
        await hungUp(arrived.leg)
      })

      test('arrives without a number when the caller withholds it', async () => {
        const called = newNumber()
        await world.callIn({ called, person: PATIENT })
        const arrived = await world.event('leg.arrived', { called })
        expect(arrived).toEqual({ type: 'leg.arrived', leg: arrived.leg, called })
        await hungUp(arrived.leg)
      })

      test('is answered, and the caller notices', async () => {
        const { caller, leg } = await answeredCall()
        expect(await caller.answered()).toBe(true)
        expect(toldAbout(world, leg)).toEqual(['leg.arrived', 'leg.answered'])
        await hungUp(leg)
      })

      test.for([
        ['notFound', 404],
        ['busy', 486],
        ['congestion', 503],
      ] as const)('is refused as %s, which the caller sees as %i', async ([reason, code]) => {
        const { caller, leg } = await arrival()
        world.pbx.reject(leg, reason)
        await ended(leg)
        expect(await caller.result()).toMatchObject({ outcome: 'refused', code })
        await settled()
        expect(toldAbout(world, leg)).toEqual(['leg.arrived', 'leg.ended'])
      })

      test('ends when the caller gives up before the answer', async () => {
        const { caller, leg } = await arrival({ waitsMaxMs: 500 })
        await ended(leg)
        expect((await caller.result()).outcome).toBe('gaveUp')
        await settled()
        expect(toldAbout(world, leg)).toEqual(['leg.arrived', 'leg.ended'])
      })

      test('ends when the caller hangs up, once, and nothing is told after it', async () => {
        const { caller, leg } = await answeredCall({ hangsUpAfterMs: 300 })
        expect((await ended(leg)).reason).toBe('hungUp')
        expect(await caller.result()).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
        await settled()
        expect(toldAbout(world, leg)).toEqual(['leg.arrived', 'leg.answered', 'leg.ended'])
      })

      test('ends when we hang up, once', async () => {
        const { caller, leg } = await answeredCall()
        world.pbx.hangUp(leg)
        world.pbx.hangUp(leg)
        expect((await ended(leg)).reason).toBe('hungUp')
        expect(await caller.result()).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
        await settled()
        expect(endsOf(leg)).toHaveLength(1)
      })
    })

    describe('a prompt', () => {
      test('is told to start and to finish, under the name we gave it, and is heard', async () => {
        const { caller, leg } = await answeredCall()
        const prompt = play(leg, 'a', 600)
        await world.event('playback.started', prompt)
        expect((await world.event('playback.ended', prompt)).result).toBe('finished')
        await caller.hears(300)
        await hungUp(leg)
      })

      test('of several sounds starts once and finishes once', async () => {
        const { leg } = await answeredCall()
        const sounds = ['one', 'two', 'three'].map((text) => world.sound(text, 200))
        await world.event('playback.ended', play(leg, 'list', 0, sounds))
        await settled()
        expect(playbacksOf(world, leg)).toEqual(['started list', 'finished list'])
        await hungUp(leg)
      })

      test('waits for the one before it', async () => {
        const { leg } = await answeredCall()
        play(leg, 'a')
        play(leg, 'b')
        await world.event('playback.ended', play(leg, 'c'))
        expect(playbacksOf(world, leg)).toEqual([
          ...['started a', 'finished a', 'started b', 'finished b', 'started c', 'finished c'],
        ])
        await hungUp(leg)
      })

      test('can be stopped, and the next one begins', async () => {
        const { leg } = await answeredCall()
        const long = play(leg, 'long', 60_000)
        const next = play(leg, 'next')
        await world.event('playback.started', long)
        world.pbx.stopPlaying(long.playback)
        await world.event('playback.ended', next)
        expect(playbacksOf(world, leg)).toEqual(['started long', 'stopped long', 'started next', 'finished next'])
        await hungUp(leg)
      })

      test('can be stopped before its turn, and then never starts', async () => {
        const { leg } = await answeredCall()
        const first = play(leg, 'first', 800)
        const second = play(leg, 'second')
        await world.event('playback.started', first)
        world.pbx.stopPlaying(second.playback)
        expect((await world.event('playback.ended', second)).result).toBe('stopped')
        await world.event('playback.ended', first)
        await settled()
        expect(playbacksOf(world, leg).toSorted()).toEqual(['finished first', 'started first', 'stopped second'])
        await hungUp(leg)
      })

      test('whose sound is missing fails, and the leg lives on', async () => {
        const { leg } = await answeredCall()
        const missing = play(leg, 'missing', 0, [world.missingSound])
        expect((await world.event('playback.ended', missing)).result).toBe('failed')
        expect((await world.event('playback.ended', play(leg, 'good'))).result).toBe('finished')
        await hungUp(leg)
      })

      test('ends at most once when the caller hangs up in the middle, before the leg and never after', async () => {
        const { leg } = await answeredCall({ hangsUpAfterMs: 700 })
        await world.event('playback.started', play(leg, 'long', 60_000))
        play(leg, 'never')
        await ended(leg)
        await settled()
        const told = toldAbout(world, leg)
        expect(told.at(-1)).toBe('leg.ended')
        expect(endsOf(leg)).toHaveLength(1)
        expect(playbacksOf(world, leg)).not.toContain('finished long')
        expect(playbacksOf(world, leg).filter((told) => told.endsWith(' long')).length).toBeLessThanOrEqual(2)
        expect(playbacksOf(world, leg)).not.toContain('finished never')
      })
    })

    describe('keys', () => {
      const digitsOf = (leg: LegId) =>
        world.events.flatMap((event) => (event.type === 'leg.digit' && event.leg === leg ? [event.digit] : [])).join('')

      test('are told one by one, each once, in order', async () => {
        const { leg } = await answeredCall({ presses: [{ afterMs: 300, keys: '4711#*0889' }] })
        await world.event('leg.digit', { leg, digit: '9' })
        await settled()
        expect(digitsOf(leg)).toBe('4711#*0889')
        await hungUp(leg)
      })

      test('are told while a prompt plays', async () => {
        const { caller, leg } = await answeredCall()
        const prompt = play(leg, 'long', 60_000)
        await world.event('playback.started', prompt)
        caller.press('5')
        await world.event('leg.digit', { leg, digit: '5' })
        expect(playbacksOf(world, leg)).toEqual(['started long'])
        world.pbx.stopPlaying(prompt.playback)
        expect((await world.event('playback.ended', prompt)).result).toBe('stopped')
        await hungUp(leg)
      })

      test('are told while music plays', async () => {
        const { caller, leg } = await answeredCall()
        world.pbx.startMusic(leg, 'default')
        caller.press('55')
        await world.event('leg.digit', { leg, digit: '5' })
        await hungUp(leg)
      })
    })

    describe('music', () => {
      /** Keys mark time: between the first and the last one a second passes. */
      async function heardInASecond(caller: WorldCaller, leg: LegId): Promise<number> {
        caller.press('1')
        await world.event('leg.digit', { leg, digit: '1' })
        const heardMs = caller.soundMs()
        caller.press('23456')
        await world.event('leg.digit', { leg, digit: '6' })
        return caller.soundMs() - heardMs
      }

      test('is heard until it is stopped', async () => {
        const { caller, leg } = await answeredCall()
        world.pbx.startMusic(leg, 'default')
        await caller.hears(400)
        world.pbx.stopMusic(leg)
        expect(await heardInASecond(caller, leg)).toBeLessThan(200)
        await hungUp(leg)
      })

      test('gives way to a prompt, and does not come back by itself', async () => {
        const { caller, leg } = await answeredCall()
        world.pbx.startMusic(leg, 'default')
        expect((await world.event('playback.ended', play(leg, 'position'))).result).toBe('finished')
        expect(await heardInASecond(caller, leg)).toBeLessThan(200)
        await hungUp(leg)
      })
    })

    describe("an agent's phone", () => {
      test('rings, is answered, can be spoken to, and ends when we hang up', async () => {
        const { leg } = await answeredAgent()
        expect((await world.event('playback.ended', play(leg, 'whisper'))).result).toBe('finished')
        await hungUp(leg)
        await settled()
        const told = toldAbout(world, leg)
        expect(told[0]).toBe('leg.ringing')
        expect(told.filter((type) => !type.startsWith('playback'))).toEqual([
          'leg.ringing',
          'leg.answered',
          'leg.ended',
        ])
      })

      test('ends when the agent hangs up', async () => {
        const { leg } = await answeredAgent({ ...ANSWERS, hangsUpAfterMs: 200 })
        expect((await ended(leg)).reason).toBe('hungUp')
        await settled()
        expect(endsOf(leg)).toHaveLength(1)
      })

      test.for([
        ['busy', { does: 'busy', afterMs: 100 }],
        ['rejected', { does: 'reject', afterMs: 100 }],
        ['noAnswer', { does: 'ignore', afterMs: 0 }],
      ] as const)('that is %s is told to have ended so, and never to be answered', async ([reason, person]) => {
        const { leg } = await ringing(person, { ...RING, ringTimeoutMs: reason === 'noAnswer' ? 1_000 : 20_000 })
        expect((await ended(leg)).reason).toBe(reason)
        await settled()
        expect(endsOf(leg)).toHaveLength(1)
        expect(toldAbout(world, leg)).not.toContain('leg.answered')
      })

      test('that is not there is unreachable', async () => {
        const { leg } = await ringing(ANSWERS, RING, NOBODY)
        expect((await ended(leg)).reason).toBe('unreachable')
        await settled()
        expect(toldAbout(world, leg)).toEqual(['leg.ended'])
      })

      test('stops ringing when we hang up', async () => {
        const { leg } = await ringing({ does: 'ignore', afterMs: 0 })
        await world.event('leg.ringing', { leg })
        world.pbx.hangUp(leg)
        expect((await ended(leg)).reason).toBe('hungUp')
        await settled()
        expect(toldAbout(world, leg)).toEqual(['leg.ringing', 'leg.ended'])
      })

      test('ends exactly once when the answer and our hang-up cross', async () => {
        for (const afterMs of [0, 2, 4, 6]) {
          const { leg } = await ringing({ does: 'answer', afterMs })
          await world.event('leg.ringing', { leg })
          world.pbx.hangUp(leg)
          await ended(leg)
          await settled()
          expect(toldAbout(world, leg).filter((type) => type !== 'leg.answered')).toEqual(['leg.ringing', 'leg.ended'])
          expect(toldAbout(world, leg).at(-1)).toBe('leg.ended')
        }
      })

      test('that was hung up before it could ring has one end, too', async () => {
        const { leg } = await ringing(ANSWERS)
        world.pbx.hangUp(leg)
        await ended(leg)
        await settled()
        expect(endsOf(leg)).toHaveLength(1)
      })
    })

    describe('a bridge', () => {
      async function talking(person: Caller = PATIENT, agentPerson = ANSWERS) {
        const { caller, leg } = await answeredCall(person)
        const agent = await answeredAgent(agentPerson)
        const bridge = world.ids.bridge()
        world.pbx.bridge(bridge, [leg, agent.leg])
        await world.event('bridge.joined', { bridge, leg })
        await world.event('bridge.joined', { bridge, leg: agent.leg })
        return { caller, leg, agent, bridge }
      }

      test('lets both hear each other', async () => {
        const { caller, leg, agent, bridge } = await talking()
        await caller.hearsAgent()
        await agent.phone.hearsCaller()
        await hungUp(leg, agent.leg)
        world.pbx.closeBridge(bridge)
      })

      test('keeps the agent when the caller hangs up, until we end it', async () => {
        const { caller, leg, agent, bridge } = await talking({ hangsUpAfterMs: 1_500 })
        await ended(leg)
        await caller.result()
        expect((await world.event('playback.ended', play(agent.leg, 'still there'))).result).toBe('finished')
        await settled()
        expect(toldAbout(world, agent.leg)).not.toContain('leg.ended')
        await hungUp(agent.leg)
        world.pbx.closeBridge(bridge)
      })

      test('keeps the caller when the agent hangs up, and the caller can be served further', async () => {
        const { leg, agent, bridge } = await talking(PATIENT, { ...ANSWERS, hangsUpAfterMs: 800 })
        await ended(agent.leg)
        world.pbx.closeBridge(bridge)
        expect((await world.event('playback.ended', play(leg, 'goodbye'))).result).toBe('finished')
        expect(toldAbout(world, leg)).not.toContain('leg.ended')
        await hungUp(leg)
      })

      test('that is closed leaves both legs up', async () => {
        const { leg, agent, bridge } = await talking()
        world.pbx.closeBridge(bridge)
        await world.event('playback.ended', play(leg, 'a'))
        await world.event('playback.ended', play(agent.leg, 'b'))
        await hungUp(leg, agent.leg)
      })

      test('stops the prompt that one of the legs is hearing', async () => {
        const { leg } = await answeredCall()
        const agent = await answeredAgent()
        const prompt = play(leg, 'long', 60_000)
        await world.event('playback.started', prompt)
        const bridge = world.ids.bridge()
        world.pbx.bridge(bridge, [leg, agent.leg])
        await world.event('bridge.joined', { bridge, leg })
        await world.event('bridge.joined', { bridge, leg: agent.leg })
        expect((await world.event('playback.ended', prompt)).result).toBe('stopped')
        await hungUp(leg, agent.leg)
        world.pbx.closeBridge(bridge)
      })
    })

    test('wishes about things that are gone, or never were, change nothing', async () => {
      const { leg } = await answeredCall()
      const prompt = play(leg, 'a')
      await world.event('playback.ended', prompt)
      await hungUp(leg)
      const toldBefore = toldAbout(world, leg)
      const { pbx } = world
      const bridge = world.ids.bridge()
      pbx.answer(leg)
      pbx.reject(leg, 'busy')
      pbx.stopPlaying(prompt.playback)
      play(leg, 'too late')
      pbx.startMusic(leg, 'default')
      pbx.stopMusic(leg)
      pbx.bridge(bridge, [leg])
      pbx.closeBridge(bridge)
      pbx.closeBridge(world.ids.bridge())
      pbx.hangUp(leg)
      pbx.hangUp(world.ids.leg())
      await settled()
      expect(toldAbout(world, leg)).toEqual(toldBefore)
    })
  })
}
