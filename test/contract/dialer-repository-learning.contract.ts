import { describe, expect, test } from 'vitest'
import type { CampaignId } from '../../src/kernel/ids.ts'
import { HOUR_MS, type Shop } from './dialer-repository-world.ts'

/** What campaigns have learnt is kept by node, and goes on with whoever comes next. */
export function learningContract(shop: () => Shop): void {
  describe('what a campaign has learnt', () => {
    const of = (campaign: CampaignId, known: number, atMs = 1_000) => ({ campaign, data: { known }, atMs })

    test('is kept as it was given, and the last one holds', async () => {
      const { dialerRepository, lease, campaign, node } = shop()
      expect(await dialerRepository.keptLearning(campaign, node)).toBeUndefined()
      await dialerRepository.keepLearning(lease, of(campaign, 1))
      const data = { known: 2, laws: { answers: [0.5, 3] }, note: 'æ' }
      await dialerRepository.keepLearning(lease, { campaign, data, atMs: 2_000 })
      expect(await dialerRepository.keptLearning(campaign, node)).toEqual(data)
      expect(await dialerRepository.keptLearning(await shop().anotherCampaign(), node)).toBeUndefined()
    })

    test('is not overwritten by a lease that is not the newest any more', async () => {
      const { dialerRepository, lease, campaign, node } = shop()
      const newer = await dialerRepository.takeLease(node, HOUR_MS)
      await dialerRepository.keepLearning(newer, of(campaign, 2))
      await dialerRepository.keepLearning(lease, of(campaign, 1, 9_000))
      expect(await dialerRepository.keptLearning(campaign, node)).toEqual({ known: 2 })
    })

    test('of a node is its own; a node that is new begins with what was learnt last', async () => {
      const { dialerRepository, lease, campaign, node } = shop()
      const other = await dialerRepository.takeLease(`${node} other`, HOUR_MS)
      await dialerRepository.keepLearning(lease, of(campaign, 1, 1_000))
      await dialerRepository.keepLearning(other, of(campaign, 2, 2_000))
      expect(await dialerRepository.keptLearning(campaign, node)).toEqual({ known: 1 })
      expect(await dialerRepository.keptLearning(campaign, `${node} third`)).toEqual({ known: 2 })
    })

    test('of a campaign that nobody knows is not kept', async () => {
      const { dialerRepository, lease, node } = shop()
      const nobodys = 999_999_999 as CampaignId
      await dialerRepository.keepLearning(lease, of(nobodys, 1))
      expect(await dialerRepository.keptLearning(nobodys, node)).toBeUndefined()
    })
  })
}
