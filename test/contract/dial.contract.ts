import { describe, expect, test } from 'vitest'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import type { PbxWorld } from './pbx-world.ts'
import { CALLER_ID, type Steps } from './steps.ts'

/** The outcome of a number dialed over a trunk. Who is reached: src/sim/magic-numbers.ts. */
export function dialContract(world: () => PbxWorld, steps: Steps): void {
  describe('a number dialed over a trunk', () => {
    test('rings, is answered, hears prompts, and ends when we hang up', async () => {
      const dialed = await steps.reached()
      expect(await steps.played(dialed.leg, 'good day')).toBe('finished')
      await steps.hungUp(dialed.leg)
      expect(await dialed.contact.endedBy()).toBe('switch')
      await steps.hasOneEnd(dialed)
      expect(steps.callsOf(dialed)).toEqual(['leg.ringing', 'leg.answered', 'leg.ended'])
    })

    test('reaches the carrier once, with our caller id and the reference of the attempt', async () => {
      const { leg, number, reference } = await steps.reached()
      expect(world().invites(number)).toMatchObject([{ number, callerId: CALLER_ID, reference }])
      await steps.hungUp(leg)
    })

    test('is dialed once, even if the same leg is dialed again', async () => {
      const dialed = steps.dial('11')
      await world().event('leg.ringing', { leg: dialed.leg })
      const { number, reference } = dialed
      world().pbx.dial(dialed.leg, { number, reference, callerId: CALLER_ID, ringTimeoutMs: 20_000 })
      await world().event('leg.answered', { leg: dialed.leg })
      await steps.hungUp(dialed.leg)
      await steps.hasOneEnd(dialed)
      expect(world().invites(number)).toHaveLength(1)
    })

    test.for([
      ['busy', '02', 486],
      ['rejected', '05', 603],
      ['notFound', '07', 404],
      ['congestion', '08', 503],
    ] as const)(
      'that is %s (magic %s) ends with that cause and status %i, and is never reported as answered',
      async ([reason, magic, code]) => {
        const dialed = steps.dial(magic)
        expect(await steps.ended(dialed.leg)).toEqual({ type: 'leg.ended', leg: dialed.leg, reason, code })
        await steps.hasOneEnd(dialed)
        expect(steps.callsOf(dialed)).not.toContain('leg.answered')
        expect(world().invites(dialed.number)).toHaveLength(1)
      },
    )

    test('without an answer ends after its ring timeout, and stops ringing at the carrier', async () => {
      const dialed = steps.dial('03', { ringTimeoutMs: 1_000 })
      const contact = await world().contact(dialed.number)
      expect((await steps.ended(dialed.leg)).reason).toBe('noAnswer')
      expect(await contact.endedBy()).toBe('switch')
      await steps.hasOneEnd(dialed)
      expect(steps.callsOf(dialed)).toEqual(['leg.ringing', 'leg.ended'])
    })

    test('over a trunk without a carrier is unreachable, and may have been sent', async () => {
      const dialed = steps.dial('01', { trunk: 'dead' })
      const ended = await steps.ended(dialed.leg)
      expect(ended.reason).toBe('unreachable')
      expect(ended.neverSent).toBeUndefined()
      await steps.hasOneEnd(dialed)
    })

    test('over an unknown trunk was never sent, and the outcome says so', async () => {
      const dialed = steps.dial('01', { trunk: 'nowhere' })
      expect((await steps.ended(dialed.leg)).neverSent).toBe(true)
      await steps.hasOneEnd(dialed)
      expect(steps.callsOf(dialed)).toEqual(['leg.ended'])
      expect(world().invites(dialed.number)).toEqual([])
    })

    test.for(['12345', '+45 70', '+457100;transport=tcp', '+45710001@evil', '+', '+4571000000000001'])(
      'that is not a number (%s) was never sent, and the outcome says so',
      async (text) => {
        const dialed = steps.dial('01', { number: text as PhoneNumber })
        expect((await steps.ended(dialed.leg)).neverSent).toBe(true)
        await steps.hasOneEnd(dialed)
      },
    )

    test('stops ringing when we hang up', async () => {
      const dialed = steps.dial('03')
      await world().event('leg.ringing', { leg: dialed.leg })
      const contact = await world().contact(dialed.number)
      world().pbx.hangUp(dialed.leg)
      expect((await steps.ended(dialed.leg)).reason).toBe('hungUp')
      expect(await contact.endedBy()).toBe('switch')
      expect(contact.hasAnswered).toBe(false)
      await steps.hasOneEnd(dialed)
      expect(steps.callsOf(dialed)).toEqual(['leg.ringing', 'leg.ended'])
    })

    test('ends exactly once on both sides if the answer and our hang-up cross', async () => {
      for (let round = 0; round < 4; round++) {
        const dialed = steps.dial('12')
        const contact = await world().contact(dialed.number)
        world().pbx.hangUp(dialed.leg)
        await steps.ended(dialed.leg)
        expect(await contact.endedBy()).toBe('switch')
        await steps.hasOneEnd(dialed)
      }
    })

    test.for([
      ['our hang-up', 20_000],
      ['the ring timeout', 1_000],
    ] as const)('answered after %s ends once, as answered, and never comes up', async ([_, ringTimeoutMs]) => {
      const dialed = steps.dial('13', { ringTimeoutMs })
      await world().event('leg.ringing', { leg: dialed.leg })
      if (ringTimeoutMs > 1_000) world().pbx.hangUp(dialed.leg)
      expect((await steps.ended(dialed.leg)).answeredAtMs).toBeTypeOf('number')
      expect((await world().contact(dialed.number)).hasAnswered).toBe(true)
      await steps.hasOneEnd(dialed)
      expect(steps.callsOf(dialed)).toEqual(['leg.ringing', 'leg.ended'])
    })

    test('answered without a codec of ours ends once, as answered, and never comes up', async () => {
      const dialed = steps.dial('14')
      expect(await steps.ended(dialed.leg)).toMatchObject({ reason: 'failed', code: 488 })
      expect((await steps.ended(dialed.leg)).answeredAtMs).toBeTypeOf('number')
      expect(await (await world().contact(dialed.number)).endedBy()).toBe('switch')
      await steps.hasOneEnd(dialed)
      expect(steps.callsOf(dialed)).toEqual(['leg.ringing', 'leg.ended'])
    })

    test('hung up before it could ring has one end, too', async () => {
      const dialed = steps.dial('01')
      world().pbx.hangUp(dialed.leg)
      await steps.ended(dialed.leg)
      await steps.hasOneEnd(dialed)
      expect(world().invites(dialed.number).length).toBeLessThanOrEqual(1)
    })

    test.for([
      ['at once', '06'],
      ['after a while', '09'],
    ] as const)('that is answered and hung up %s there ends so, once', async ([_, magic]) => {
      const dialed = await steps.reached(magic)
      expect((await steps.ended(dialed.leg)).reason).toBe('hungUp')
      expect(await dialed.contact.endedBy()).toBe('contact')
      await steps.hasOneEnd(dialed)
      expect(steps.callsOf(dialed)).toEqual(['leg.ringing', 'leg.answered', 'leg.ended'])
    })
  })
}
