import { describe, expect, test } from 'vitest'
import type { StoredCampaign } from '../../src/ports/dialer-repository.ts'
import type { Shop } from './dialer-repository-world.ts'

const WHY = '31 of its last 50 calls failed: 31 rejected'

/** Campaigns that pause themselves (F-F7). */
export function pauseContract(shop: () => Shop): void {
  const kept = async (): Promise<StoredCampaign> => {
    const found = (await shop().dialerRepository.campaigns()).find(({ id }) => id === shop().campaign)
    return found!
  }
  const pause = async (activeSinceAtMs: number) => {
    const { dialerRepository, campaign } = shop()
    return dialerRepository.pauseCampaign({ campaign, activeSinceAtMs, why: WHY, atMs: shop().nowMs() })
  }

  describe('a campaign that pauses itself', () => {
    test('is not active, says why, and claims and reserves nothing', async () => {
      await shop().import([shop().debtor(0), shop().debtor(1)])
      const before = await kept()
      expect(before.pausedReason).toBeUndefined()
      expect(await pause(before.activeSinceAtMs)).toBe('paused')
      expect(await kept()).toEqual({ ...before, active: false, pausedReason: WHY })
      expect(await shop().claim()).toEqual([])
      expect(await shop().dialerRepository.reserveTask(shop().reservationOf())).toBe('nothing due')
    })

    test('is told of as an order', async () => {
      const told: string[] = []
      let heard = () => {}
      const isTold = new Promise<void>((resolve) => {
        heard = resolve
      })
      const { activeSinceAtMs } = await kept()
      const stop = shop().dialerRepository.onNotification((notification) => {
        told.push(notification)
        if (notification === 'orders') heard()
      })
      await pause(activeSinceAtMs)
      await isTold
      stop()
      expect(told).toContain('orders')
    })

    test('lets its lines that are out go on; where somebody pauses it they are taken back', async () => {
      const attempt = await shop().dialed()
      await pause((await kept()).activeSinceAtMs)
      expect(await shop().dialerRepository.attemptsToCancel(shop().lease)).toEqual([])
      await shop().changeCampaign({ active: true })
      await shop().changeCampaign({ active: false })
      expect(await shop().dialerRepository.attemptsToCancel(shop().lease)).toEqual([
        { attempt: attempt.id, why: 'campaignInactive' },
      ])
    })

    test('says so twice, as after an answer that got lost, and nothing changes', async () => {
      const { activeSinceAtMs } = await kept()
      expect(await pause(activeSinceAtMs)).toBe('paused')
      expect(await pause(activeSinceAtMs)).toBe('not active')
      expect(await kept()).toMatchObject({ active: false, pausedReason: WHY })
    })

    test('keeps its reason through other changes, until somebody makes it active again', async () => {
      const { activeSinceAtMs } = await kept()
      await pause(activeSinceAtMs)
      await shop().changeCampaign({ name: 'Another name', active: false })
      expect(await kept()).toMatchObject({ name: 'Another name', active: false, pausedReason: WHY })
      await shop().changeCampaign({ active: true })
      const again = await kept()
      expect(again.active).toBe(true)
      expect(again.pausedReason).toBeUndefined()
      expect(again.activeSinceAtMs).toBeGreaterThan(activeSinceAtMs)
    })

    test('for what it did before it was made active again, does not', async () => {
      const { activeSinceAtMs } = await kept()
      await pause(activeSinceAtMs)
      await shop().changeCampaign({ active: true })
      const again = await kept()
      expect(await pause(activeSinceAtMs)).toBe('not active')
      expect(await kept()).toEqual(again)
      expect(await pause(again.activeSinceAtMs)).toBe('paused')
    })

    test('is active since the same instant, whatever else of it is changed', async () => {
      const { activeSinceAtMs } = await kept()
      await shop().changeCampaign({ name: 'Another name', active: true })
      expect((await kept()).activeSinceAtMs).toBe(activeSinceAtMs)
    })
  })

  describe('what a campaign tried', () => {
    test('is what was placed since then and is over, oldest first', async () => {
      const { dialerRepository, campaign } = shop()
      const [first, second, third, open] = [
        await shop().dialed(),
        await shop().dialed(),
        await shop().dialed(),
        await shop().dialed(),
      ]
      const failed = { result: 'failed', reach: 'sent', sipStatus: 503 } as const
      await dialerRepository.endAttempt(shop().noAnswer(first!, { result: 'blocked', reach: 'nothing', counts: false }))
      await dialerRepository.endAttempt(shop().noAnswer(second!, failed))
      const answeredAtMs = shop().nowMs()
      await dialerRepository.endAttempt(shop().talked(third!, { answeredAtMs, atMs: answeredAtMs + 400 }))
      const tried = await dialerRepository.triedAttempts(campaign, 0)
      expect(tried).toEqual([
        { ...failed, claimedAtMs: expect.any(Number), endedAtMs: expect.any(Number) },
        {
          result: 'answered',
          reach: 'answered',
          answeredAtMs,
          endedAtMs: answeredAtMs + 400,
          claimedAtMs: expect.any(Number),
        },
      ])
      expect(open!.id).toBeGreaterThan(third!.id)
      expect(await dialerRepository.triedAttempts(campaign, shop().nowMs() + 60_000)).toEqual([])
      const other = await shop().anotherCampaign()
      expect(await dialerRepository.triedAttempts(other, 0)).toEqual([])
    })
  })
}
