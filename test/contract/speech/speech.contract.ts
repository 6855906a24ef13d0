import { describe, expect, test } from 'vitest'
import type { LegId, ListeningId } from '../../../src/kernel/ids.ts'
import type { PbxWorld } from '../pbx-world.ts'
import { type Call, PATIENT, type Steps } from '../steps.ts'

/** What every caller of the world says. */
export const SAID = { text: 'four seven one one', confidence: 0.9 }
const SILENT = { ...PATIENT, speaks: [] }

/** Listening to what a caller says. */
export function speechContract(world: () => PbxWorld, steps: Steps): void {
  describe('listening to a caller', () => {
    let count = 0
    const listens = async (): Promise<Call & { readonly listening: ListeningId }> => {
      const call = await steps.answeredCall(SILENT)
      return { ...call, listening: listen(call.leg) }
    }
    const listen = (leg: LegId) => {
      const listening = `${leg}.l${++count}` as ListeningId
      world().pbx.listen(listening, leg, 'en')
      return listening
    }
    const toldOf = (listening: ListeningId) =>
      world().events.filter((event) => 'listening' in event && event.listening === listening)

    test('tells that somebody speaks, and then what was said', async () => {
      const { caller, leg, listening } = await listens()
      caller.speak()
      expect(await world().event('leg.said', { listening })).toEqual({ type: 'leg.said', leg, listening, ...SAID })
      expect(toldOf(listening).map(({ type }) => type)).toEqual(['leg.speaks', 'leg.said'])
      await steps.hungUp(leg)
    })

    test('hears over a prompt, and keys as well', async () => {
      const { caller, leg, listening } = await listens()
      steps.play(leg, 'long', 5_000)
      caller.speak()
      caller.press('1')
      await Promise.all([world().event('leg.said', { listening }), world().event('leg.digit', { leg, digit: '1' })])
      await steps.hungUp(leg)
    })

    test('tells nothing of what was said before it was stopped, and can begin again', async () => {
      const { caller, leg, listening } = await listens()
      caller.speak()
      await world().event('leg.speaks', { listening })
      world().pbx.stopListening(listening)
      const again = listen(leg)
      caller.speak()
      await world().event('leg.said', { listening: again })
      expect(toldOf(listening).map(({ type }) => type)).toEqual(['leg.speaks'])
      await steps.hungUp(leg)
    })

    test('ends with the leg, and stopping it afterwards is harmless', async () => {
      const { leg, listening } = await listens()
      await steps.hungUp(leg)
      world().pbx.stopListening(listening)
      world().pbx.listen('late' as ListeningId, leg, 'en')
      await steps.settled()
      expect([...toldOf(listening), ...toldOf('late' as ListeningId)]).toEqual([])
    })
  })
}
