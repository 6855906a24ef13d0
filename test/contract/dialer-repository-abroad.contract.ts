import { describe, expect, test } from 'vitest'
import type { AtMs } from '../../src/kernel/clock.ts'
import type { CallId } from '../../src/kernel/ids.ts'
import type { AbroadUse, ClaimedAttempt, ClaimMoment } from '../../src/ports/attempt.ts'
import type { TransferProgress } from '../../src/ports/transfer.ts'
import { CORPORATION, MINUTE_MS, type Shop } from './dialer-repository-world.ts'

let countries = 0

/** Calls to other countries of the last 24 hours, and what they took. */
export function abroadContract(shop: () => Shop): void {
  /** One that no other test uses: the count is of the whole installation. */
  const country = () => `X${++countries}`
  const usedOf = (used: readonly AbroadUse[], of: string) => used.find((one) => one.country === of)

  const dialedTo = (of: string, abroad = true): Promise<ClaimedAttempt> => {
    const permit = { country: of, ...(abroad && { abroad }) }
    return shop()
      .importOne()
      .then((only) =>
        shop().claimOne({
          only,
          decide: ({ numbers }) => ({ verdict: 'dial', numbers: [{ number: numbers[0]!.number, permit }] }),
        }),
      )
  }
  const transferTo = (abroad: string, atMs: AtMs, change: Partial<TransferProgress>): TransferProgress => ({
    to: '+46812345678',
    mode: 'attended',
    beganAtMs: atMs - 3 * MINUTE_MS,
    connectedAtMs: atMs - 2 * MINUTE_MS,
    abroad,
    ...change,
  })

  describe('calls to other countries', () => {
    test('are counted with their talks, those at home are not; one that never left is none', async () => {
      const { dialerRepository } = shop()
      const [there, home] = [country(), country()]
      await dialedTo(home, false)
      const [talked, busy, blocked] = [await dialedTo(there), await dialedTo(there), await dialedTo(there)]
      const atMs = shop().nowMs()
      await dialerRepository.endAttempt(shop().talked(talked, { answeredAtMs: atMs - 5 * MINUTE_MS, atMs }))
      await dialerRepository.endAttempt(shop().noAnswer(busy))
      await dialerRepository.endAttempt({ ...shop().noAnswer(blocked), result: 'blocked', reach: 'nothing' })
      const used = await dialerRepository.usedAbroad()
      expect(usedOf(used, there)).toEqual({ country: there, calls: 2, talkMs: 5 * MINUTE_MS })
      expect(usedOf(used, home)).toBeUndefined()
    })

    test('are told to the gate of every claim', async () => {
      const there = country()
      await dialedTo(there)
      await shop().importOne()
      const moments: ClaimMoment[] = []
      await shop().claim({
        decide: (_, moment) => {
          moments.push(moment)
          return { verdict: 'leave' }
        },
      })
      expect(usedOf(moments[0]!.abroad, there)).toMatchObject({ calls: 1 })
    })

    test('are also transfers, of callers who are on the line and of those who were', async () => {
      const { dialerRepository, node } = shop()
      const there = country()
      const call = `abroad ${there}` as CallId
      const atMs = shop().nowMs()
      const open = { call, leg: `leg ${there}` as never, corporation: CORPORATION, called: '+4570000000' }
      const transfers = { first: transferTo(there, atMs, { endedAtMs: atMs - MINUTE_MS, end: 'done' }) }
      const progress = { answeredAtMs: atMs, texts: {}, transfers }
      await dialerRepository.callBegan(node, { ...open, caller: shop().number(), createdAtMs: atMs, progress })
      expect(usedOf(await dialerRepository.usedAbroad(), there)).toMatchObject({ calls: 1, talkMs: MINUTE_MS })
      const made = [transfers.first, transferTo(there, atMs, { endedAtMs: atMs, end: 'done' })]
      await dialerRepository.finishCall(shop().callIn({ call, transfers: made }))
      expect(usedOf(await dialerRepository.usedAbroad(), there)).toMatchObject({ calls: 2, talkMs: 3 * MINUTE_MS })
    })
  })
}
