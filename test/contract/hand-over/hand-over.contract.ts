import { describe, expect, test } from 'vitest'
import type { PhoneNumber } from '../../../src/kernel/ids.ts'
import type { HandOverAnswer } from '../../../src/sim/person.ts'
import { type PbxWorld, toldAbout } from '../pbx-world.ts'
import { PATIENT, type Steps } from '../steps.ts'

const OTHER = { number: '+4533123456' as PhoneNumber, host: '127.0.0.41' }

/** A caller whose network is asked to call somebody else in our place. */
export function handOverContract(world: () => PbxWorld, steps: Steps): void {
  async function asked(onHandOver: HandOverAnswer, timeoutMs = 10_000) {
    const call = await steps.answeredCall({ ...PATIENT, onHandOver })
    world().pbx.handOver(call.leg, OTHER, timeoutMs)
    return call
  }

  describe('a caller who is handed over', () => {
    test('is taken by a network that accepts: it is told before the leg ends', async () => {
      const { leg } = await asked('accepts')
      expect(await world().event('leg.handedOver', { leg })).toMatchObject({ result: 'done' })
      await world().event('leg.ended', { leg })
      expect(toldAbout(world(), leg).slice(-2)).toEqual(['leg.handedOver', 'leg.ended'])
    })

    test('is taken by a network that leaves the end of the leg to us', async () => {
      const { leg } = await asked('acceptsStaying')
      expect(await world().event('leg.handedOver', { leg })).toMatchObject({ result: 'done' })
      await steps.hungUp(leg)
    })

    test.each(['refuses', 'fails'] as const)('stays ours, and hears us, when the network %s', async (answer) => {
      const { leg } = await asked(answer)
      const told = await world().event('leg.handedOver', { leg })
      expect([told.result, told.why]).toEqual(['failed', expect.any(String)])
      expect(await steps.played(leg, 'still here')).toBe('finished')
      await steps.hungUp(leg)
      expect(toldAbout(world(), leg).filter((type) => type === 'leg.handedOver')).toHaveLength(1)
    })

    test('is taken also where an earlier engine had the call', async () => {
      const { leg } = await steps.answeredCall({ ...PATIENT, onHandOver: 'accepts' })
      await world().replaceEngine([leg], [])
      world().pbx.handOver(leg, OTHER, 10_000)
      expect(await world().event('leg.handedOver', { leg })).toMatchObject({ result: 'done' })
      await world().event('leg.ended', { leg })
    })

    test('is lost when the network answers nothing, and nothing says that it was taken', async () => {
      const { leg } = await asked('ignores')
      await world().event('leg.ended', { leg })
      expect(toldAbout(world(), leg)).not.toContain('leg.handedOver')
    })
  })
}
