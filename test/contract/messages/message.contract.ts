import { describe, expect, test } from 'vitest'
import { type LegId, messageOf, type RecordingId } from '../../../src/kernel/ids.ts'
import type { Caller } from '../../../src/sim/person.ts'
import type { PbxWorld } from '../pbx-world.ts'
import { PATIENT, type Steps } from '../steps.ts'

const RULES = { maxMs: 10_000, silenceMs: 2_000 }

/** A message that a caller leaves: every way in which it ends, and what is kept of it. */
export function messageContract(world: () => PbxWorld, steps: Steps): void {
  let count = 0

  async function leaving(person: Partial<Caller>, rules = RULES) {
    const { caller, leg } = await steps.answeredCall({ ...PATIENT, ...person })
    const recording = messageOf(leg, ++count)
    world().pbx.takeMessage(recording, leg, rules)
    const end = () => world().event('recording.ended', { recording })
    return { caller, leg, recording, end }
  }

  /** Two seconds, at another phone. */
  async function pass() {
    const { leg } = await steps.answeredCall()
    await world().event('playback.ended', steps.play(leg, 'two seconds', 2_000))
    await steps.hungUp(leg)
  }

  const endsOf = (recording: RecordingId) =>
    world().events.filter((event) => event.type === 'recording.ended' && event.recording === recording)

  describe('a message', () => {
    test('begins with a tone, and ends with the silence after the words', async () => {
      const { caller, leg, recording, end } = await leaving({ speaks: [{ afterMs: 1_500, forMs: 2_000 }] })
      await caller.hears(100)
      const ended = await end()
      expect(ended).toMatchObject({ result: 'stored' })
      // From the tone to the end of the words; of the silence, 0.2 s stay.
      expect(ended.lengthMs! > 2_400 && ended.lengthMs! < 4_000, `${ended.lengthMs} ms`).toBe(true)
      expect(endsOf(recording)).toHaveLength(1)
      await steps.hungUp(leg)
    })

    test('of nobody who speaks is silent, and there is no file', async () => {
      const { leg, recording, end } = await leaving({ speaks: [] })
      expect(await end()).toEqual({ type: 'recording.ended', recording, result: 'silent' })
      await steps.hungUp(leg)
    })

    // Asterisk adds no channel to a bridge that it records.
    test('whose caller is asked into a bridge lets them in when it is over', async () => {
      const { leg, recording, end } = await leaving({ speaks: [{ afterMs: 0, forMs: 30_000 }] })
      const agent = await steps.waitingAgent()
      await pass()
      world().pbx.join(agent.bridge, leg)
      world().pbx.stopRecording(recording)
      await end()
      await steps.joined(agent.bridge, leg)
      world().pbx.closeBridge(agent.bridge)
      await steps.hungUp(leg, agent.leg)
    })

    test('of a single word is kept', async () => {
      const { leg, end } = await leaving({ speaks: [{ afterMs: 1_500, forMs: 400 }] })
      expect(await end()).toMatchObject({ result: 'stored' })
      await steps.hungUp(leg)
    })

    test('ends when it is stopped, once', async () => {
      const { leg, recording, end } = await leaving({ speaks: [{ afterMs: 0, forMs: 30_000 }] })
      await pass()
      world().pbx.stopRecording(recording)
      world().pbx.stopRecording(recording)
      expect(await end()).toMatchObject({ result: 'stored' })
      await steps.settled()
      expect(endsOf(recording)).toHaveLength(1)
      await steps.hungUp(leg)
    })

    test('ends at its maximum', async () => {
      const { leg, end } = await leaving(
        { speaks: [{ afterMs: 0, forMs: 30_000 }] },
        { maxMs: 3_000, silenceMs: 2_000 },
      )
      const ended = await end()
      // Asterisk counts whole seconds of its clock.
      expect(ended.lengthMs! > 2_000 && ended.lengthMs! <= 4_100, `${ended.lengthMs} ms`).toBe(true)
      await steps.hungUp(leg)
    })

    test('of a caller who hangs up is kept, and says so', async () => {
      const { leg, recording, end } = await leaving({ speaks: [{ afterMs: 0, forMs: 30_000 }], hangsUpAfterMs: 4_000 })
      expect(await end()).toMatchObject({ result: 'stored', hasHungUp: true })
      await steps.ended(leg)
      await steps.settled()
      expect(endsOf(recording)).toHaveLength(1)
    })

    test('of a leg that does not exist fails', async () => {
      const leg = world().ids.leg()
      const recording = messageOf(leg as LegId, ++count)
      world().pbx.takeMessage(recording, leg, RULES)
      expect((await world().event('recording.ended', { recording })).result).toBe('failed')
    })

    test('goes on while the engine is replaced; the next engine ends it and has it', async () => {
      const { leg, recording } = await leaving({ speaks: [{ afterMs: 0, forMs: 30_000 }] })
      await pass()
      const told = await world().replaceEngine([leg], [])
      expect(told.some(({ type }) => type === 'recording.ended')).toBe(false)
      world().pbx.stopRecording(recording)
      expect(await world().event('recording.ended', { recording })).toMatchObject({ result: 'stored' })
      await steps.hungUp(leg)
    })
  })
}
