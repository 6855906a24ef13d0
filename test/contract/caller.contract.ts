import { describe, expect, test } from 'vitest'
import type { LegId } from '../../src/kernel/ids.ts'
import { type PbxWorld, playbacksOf, toldAbout, type WorldCaller } from './pbx-world.ts'
import { PATIENT, type Steps } from './steps.ts'

/** A caller's leg: arrival, prompts, keys, music, and every way of ending. */
export function callerContract(world: () => PbxWorld, steps: Steps): void {
  describe('connecting', () => {
    test('the switch reports that it is up before any event of a call', async () => {
      await steps.settled()
      expect(world().events[0]).toEqual({ type: 'pbx.up', restarted: false })
    })
  })

  describe('a call in', () => {
    test('arrives with the number that was called, the number of the caller and the trunk', async () => {
      const called = steps.newNumber()
      await world().callIn({ called, caller: '+4598765432', person: PATIENT })
      const arrived = await world().event('leg.arrived', { called })
      expect(arrived).toMatchObject({ caller: '+4598765432', trunk: 'main' })
      await steps.hungUp(arrived.leg)
    })

    test('arrives without a number when the caller withholds it', async () => {
      const called = steps.newNumber()
      await world().callIn({ called, person: PATIENT })
      const arrived = await world().event('leg.arrived', { called })
      expect(arrived).toEqual({ type: 'leg.arrived', leg: arrived.leg, called, trunk: 'main' })
      await steps.hungUp(arrived.leg)
    })

    test('is answered, and the caller notices', async () => {
      const { caller, leg } = await steps.answeredCall()
      expect(await caller.answered()).toBe(true)
      expect(toldAbout(world(), leg)).toEqual(['leg.arrived', 'leg.answered'])
      await steps.hungUp(leg)
    })

    test.for([
      ['notFound', 404],
      ['busy', 486],
      ['congestion', 503],
    ] as const)('is refused as %s, which the caller sees as %i', async ([reason, code]) => {
      const { caller, leg } = await steps.arrival()
      world().pbx.reject(leg, reason)
      await steps.ended(leg)
      expect(await caller.result()).toMatchObject({ outcome: 'refused', code })
      await steps.settled()
      expect(toldAbout(world(), leg)).toEqual(['leg.arrived', 'leg.ended'])
    })

    test('ends when the caller gives up before the answer', async () => {
      const { caller, leg } = await steps.arrival({ waitsMaxMs: 500 })
      await steps.ended(leg)
      expect((await caller.result()).outcome).toBe('gaveUp')
      await steps.settled()
      expect(toldAbout(world(), leg)).toEqual(['leg.arrived', 'leg.ended'])
    })

    test('ends once when the caller hangs up, and no event follows', async () => {
      const { caller, leg } = await steps.answeredCall({ hangsUpAfterMs: 300 })
      expect((await steps.ended(leg)).reason).toBe('hungUp')
      expect(await caller.result()).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
      await steps.settled()
      expect(toldAbout(world(), leg)).toEqual(['leg.arrived', 'leg.answered', 'leg.ended'])
    })

    test('ends when we hang up, once', async () => {
      const { caller, leg } = await steps.answeredCall()
      world().pbx.hangUp(leg)
      world().pbx.hangUp(leg)
      expect((await steps.ended(leg)).reason).toBe('hungUp')
      expect(await caller.result()).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
      await steps.settled()
      expect(steps.endsOf(leg)).toHaveLength(1)
    })
  })

  describe('a voice over a prompt', () => {
    /** Speaks for half a second while the prompt plays. */
    const SPEAKER = { ...PATIENT, speaks: [{ afterMs: 1_500, forMs: 500 }] }
    const isOfVoice = (type: string) => type === 'leg.talking' || type === 'leg.quiet'
    const toldOfVoice = (leg: LegId) => toldAbout(world(), leg).filter(isOfVoice)
    const quiet = (name: string, ms: number) => {
      return { ...world().sound(name, ms), quietFile: world().sound(`${name}-quiet`, ms).file }
    }

    test('is told of while a prompt plays that hears it: when it begins, and when it has ended', async () => {
      const { leg } = await steps.answeredCall(SPEAKER)
      const prompt = steps.play(leg, 'a', 4_000, undefined, { hearsVoice: true })
      await world().event('playback.ended', prompt)
      expect(toldOfVoice(leg)).toEqual(['leg.talking', 'leg.quiet'])
      await steps.hungUp(leg)
    })

    test('is not told of otherwise', async () => {
      const { leg } = await steps.answeredCall(SPEAKER)
      const short = steps.play(leg, 'a', 400, undefined, { hearsVoice: true })
      await world().event('playback.ended', short)
      await world().event('playback.ended', steps.play(leg, 'b', 3_000))
      expect(toldOfVoice(leg)).toEqual([])
      await steps.hungUp(leg)
    })

    test('may make the prompt quiet and loud: it starts once, ends once, and is heard to its end', async () => {
      const { caller, leg } = await steps.answeredCall({ ...PATIENT, speaks: [] })
      const sounds = [quiet('a', 1_000), quiet('b', 3_000)]
      const prompt = steps.play(leg, 'a', undefined, sounds, { hearsVoice: true })
      await world().event('playback.started', prompt)
      await caller.hears(500)
      world().pbx.setVolume(prompt.playback, 'quiet')
      await caller.hears(1_500)
      world().pbx.setVolume(prompt.playback, 'full')
      expect((await world().event('playback.ended', prompt)).result).toBe('finished')
      world().pbx.setVolume(prompt.playback, 'quiet')
      await steps.settled()
      expect(playbacksOf(world(), leg)).toEqual(['started a', 'finished a'])
      // A prompt that began again would be heard for longer, one that jumped for a shorter time.
      expect(Math.round(caller.soundMs() / 1_000)).toBe(4)
      await steps.hungUp(leg)
    })

    test('may stop it while it is quiet', async () => {
      const { leg } = await steps.answeredCall(PATIENT)
      const prompt = steps.play(leg, 'a', undefined, [quiet('a', 9_000)], { hearsVoice: true })
      await world().event('playback.started', prompt)
      world().pbx.setVolume(prompt.playback, 'quiet')
      world().pbx.stopPlaying(prompt.playback)
      expect((await world().event('playback.ended', prompt)).result).toBe('stopped')
      expect(await steps.played(leg, 'b')).toBe('finished')
      await steps.hungUp(leg)
    })
  })

  describe('a prompt', () => {
    test('is reported as started and finished, under our name for it, and is heard', async () => {
      const { caller, leg } = await steps.answeredCall()
      const prompt = steps.play(leg, 'a', 600)
      await world().event('playback.started', prompt)
      expect((await world().event('playback.ended', prompt)).result).toBe('finished')
      await caller.hears(300)
      await steps.hungUp(leg)
    })

    test('of several sounds starts once and finishes once', async () => {
      const { leg } = await steps.answeredCall()
      const sounds = ['one', 'two', 'three'].map((text) => world().sound(text, 200))
      await world().event('playback.ended', steps.play(leg, 'list', 0, sounds))
      await steps.settled()
      expect(playbacksOf(world(), leg)).toEqual(['started list', 'finished list'])
      await steps.hungUp(leg)
    })

    test('waits for the previous one', async () => {
      const { leg } = await steps.answeredCall()
      steps.play(leg, 'a')
      steps.play(leg, 'b')
      await world().event('playback.ended', steps.play(leg, 'c'))
      expect(playbacksOf(world(), leg)).toEqual([
        ...['started a', 'finished a', 'started b', 'finished b', 'started c', 'finished c'],
      ])
      await steps.hungUp(leg)
    })

    test('can be stopped, and the next one starts', async () => {
      const { leg } = await steps.answeredCall()
      const long = steps.play(leg, 'long', 60_000)
      const next = steps.play(leg, 'next')
      await world().event('playback.started', long)
      world().pbx.stopPlaying(long.playback)
      await world().event('playback.ended', next)
      expect(playbacksOf(world(), leg)).toEqual(['started long', 'stopped long', 'started next', 'finished next'])
      await steps.hungUp(leg)
    })

    test('can be stopped before its turn, and then never starts', async () => {
      const { leg } = await steps.answeredCall()
      const first = steps.play(leg, 'first', 800)
      const second = steps.play(leg, 'second')
      await world().event('playback.started', first)
      world().pbx.stopPlaying(second.playback)
      expect((await world().event('playback.ended', second)).result).toBe('stopped')
      await world().event('playback.ended', first)
      await steps.settled()
      expect(playbacksOf(world(), leg).toSorted()).toEqual(['finished first', 'started first', 'stopped second'])
      await steps.hungUp(leg)
    })

    test('without its sound fails, and the leg stays up', async () => {
      const { leg } = await steps.answeredCall()
      const missing = steps.play(leg, 'missing', 0, [world().missingSound])
      expect((await world().event('playback.ended', missing)).result).toBe('failed')
      expect(await steps.played(leg, 'good')).toBe('finished')
      await steps.hungUp(leg)
    })

    test('has no further events when the caller hangs up in the middle: the end of the leg ends it', async () => {
      const { leg } = await steps.answeredCall({ hangsUpAfterMs: 2_500 })
      await world().event('playback.started', steps.play(leg, 'long', 60_000))
      steps.play(leg, 'never')
      await steps.ended(leg)
      await steps.settled()
      const playbacks = playbacksOf(world(), leg)
      // A queued prompt may be reported as started; the switch keeps it silent.
      expect(playbacks.filter((told) => told !== 'started never')).toEqual(['started long'])
      expect(toldAbout(world(), leg).at(-1)).toBe('leg.ended')
      expect(steps.endsOf(leg)).toHaveLength(1)
    })
  })

  describe('keys', () => {
    const digitsOf = (leg: LegId) =>
      world()
        .events.flatMap((event) => (event.type === 'leg.digit' && event.leg === leg ? [event.digit] : []))
        .join('')

    test('are reported one by one, each once, in order', async () => {
      const { leg } = await steps.answeredCall({ presses: [{ afterMs: 300, keys: '4711#*0889' }] })
      await world().event('leg.digit', { leg, digit: '9' })
      await steps.settled()
      expect(digitsOf(leg)).toBe('4711#*0889')
      await steps.hungUp(leg)
    })

    test('are reported while a prompt plays', async () => {
      const { caller, leg } = await steps.answeredCall()
      const prompt = steps.play(leg, 'long', 60_000)
      await world().event('playback.started', prompt)
      caller.press('5')
      await world().event('leg.digit', { leg, digit: '5' })
      expect(playbacksOf(world(), leg)).toEqual(['started long'])
      world().pbx.stopPlaying(prompt.playback)
      expect((await world().event('playback.ended', prompt)).result).toBe('stopped')
      await steps.hungUp(leg)
    })

    test('are reported while music plays', async () => {
      const { caller, leg } = await steps.answeredCall()
      world().pbx.startMusic(leg, 'default')
      caller.press('55')
      await world().event('leg.digit', { leg, digit: '5' })
      await steps.hungUp(leg)
    })
  })

  describe('music', () => {
    /** Keys mark time: between the first and the last one a second passes. */
    async function heardInASecond(caller: WorldCaller, leg: LegId): Promise<number> {
      caller.press('1')
      await world().event('leg.digit', { leg, digit: '1' })
      const heardMs = caller.soundMs()
      caller.press('23456')
      await world().event('leg.digit', { leg, digit: '6' })
      return caller.soundMs() - heardMs
    }

    test('is heard until it is stopped', async () => {
      const { caller, leg } = await steps.answeredCall()
      world().pbx.startMusic(leg, 'default')
      await caller.hears(400)
      world().pbx.stopMusic(leg)
      expect(await heardInASecond(caller, leg)).toBeLessThan(200)
      await steps.hungUp(leg)
    })

    test('stops for a prompt, and does not resume by itself', async () => {
      const { caller, leg } = await steps.answeredCall()
      world().pbx.startMusic(leg, 'default')
      expect(await steps.played(leg, 'position')).toBe('finished')
      expect(await heardInASecond(caller, leg)).toBeLessThan(200)
      await steps.hungUp(leg)
    })
  })
}
