import { describe, expect, test } from 'vitest'
import type { CampaignId } from '../../src/kernel/ids.ts'
import type { StoredCampaign } from '../../src/ports/dialer-repository.ts'
import { HOUR_MS, type Shop } from './dialer-repository-world.ts'

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
    test('is inactive, has a reason, and claims and reserves nothing', async () => {
      await shop().import([shop().debtor(0), shop().debtor(1)])
      const before = await kept()
      expect(before.pausedReason).toBeUndefined()
      expect(await pause(before.activeSinceAtMs)).toBe('paused')
      const settingsVersion = expect.any(Number)
      expect(await kept()).toEqual({ ...before, active: false, pausedReason: WHY, settingsVersion })
      expect(await shop().claim()).toEqual([])
      expect(await shop().dialerRepository.reserveTask(shop().reservationOf())).toBe('nothing due')
    })

    test('sends a notification of orders', async () => {
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

    test('keeps its lines in flight, as after a pause by a user', async () => {
      await shop().dialed()
      await pause((await kept()).activeSinceAtMs)
      expect(await shop().dialerRepository.attemptsToCancel(shop().lease)).toEqual([])
      await shop().changeCampaign({ active: true })
      await shop().changeCampaign({ active: false })
      expect(await shop().dialerRepository.attemptsToCancel(shop().lease)).toEqual([])
    })

    test('may report it twice, as after a lost answer, and nothing changes', async () => {
      const { activeSinceAtMs } = await kept()
      expect(await pause(activeSinceAtMs)).toBe('paused')
      expect(await pause(activeSinceAtMs)).toBe('not active')
      expect(await kept()).toMatchObject({ active: false, pausedReason: WHY })
    })

    test('keeps its reason through other changes, until a user activates it', async () => {
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

    test('for attempts before its activation stays active', async () => {
      const { activeSinceAtMs } = await kept()
      await pause(activeSinceAtMs)
      await shop().changeCampaign({ active: true })
      const again = await kept()
      expect(await pause(activeSinceAtMs)).toBe('not active')
      expect(await kept()).toEqual(again)
      expect(await pause(again.activeSinceAtMs)).toBe('paused')
    })

    test('has the same activation instant, whatever else of it changes', async () => {
      const { activeSinceAtMs } = await kept()
      await shop().changeCampaign({ name: 'Another name', active: true })
      expect((await kept()).activeSinceAtMs).toBe(activeSinceAtMs)
    })
  })

  describe('the attempts of a campaign', () => {
    test('are those placed since then and over, oldest first', async () => {
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

/** Learned statistics of campaigns are stored per node; a new node starts with the latest. */
export function learningContract(shop: () => Shop): void {
  describe('the statistics of a campaign', () => {
    const of = (campaign: CampaignId, known: number, atMs = 1_000) => ({ campaign, data: { known }, atMs })

    test('are stored as given, and the last ones count', async () => {
      const { dialerRepository, lease, campaign, node } = shop()
      expect(await dialerRepository.keptLearning(campaign, node)).toBeUndefined()
      await dialerRepository.keepLearning(lease, of(campaign, 1))
      const data = { known: 2, laws: { answers: [0.5, 3] }, note: 'æ' }
      await dialerRepository.keepLearning(lease, { campaign, data, atMs: 2_000 })
      expect(await dialerRepository.keptLearning(campaign, node)).toEqual(data)
      expect(await dialerRepository.keptLearning(await shop().anotherCampaign(), node)).toBeUndefined()
    })

    test('are not overwritten under an old lease', async () => {
      const { dialerRepository, lease, campaign, node } = shop()
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      await dialerRepository.keepLearning(newer, of(campaign, 2))
      await dialerRepository.keepLearning(lease, of(campaign, 1, 9_000))
      expect(await dialerRepository.keptLearning(campaign, node)).toEqual({ known: 2 })
    })

    test('belong to their node; a new node starts with the latest ones', async () => {
      const { dialerRepository, lease, campaign, node } = shop()
      const other = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      await dialerRepository.keepLearning(lease, of(campaign, 1, 1_000))
      await dialerRepository.keepLearning(other, of(campaign, 2, 2_000))
      expect(await dialerRepository.keptLearning(campaign, node)).toEqual({ known: 1 })
      expect(await dialerRepository.keptLearning(campaign, `${node} third`)).toEqual({ known: 2 })
    })

    test('are not stored for an unknown campaign', async () => {
      const { dialerRepository, lease, node } = shop()
      const unknown = 999_999_999 as CampaignId
      await dialerRepository.keepLearning(lease, of(unknown, 1))
      expect(await dialerRepository.keptLearning(unknown, node)).toBeUndefined()
    })
  })
}
