import { describe, expect, test } from 'vitest'
import type { CampaignId } from '../../src/ports/call-task.ts'
import { HOUR_MS, type Shop } from './dialer-repository-world.ts'

/** What campaigns have learnt is kept by node, and goes on with whoever comes next. */
export function learningContract(shop: () => Shop): void {
  describe('what a campaign has learnt', () => {
    const of = (campaign: CampaignId, known: number, atMs = 1_000) => ({ campaign, data: { known }, atMs })

    test('is kept as it was given, and the last one holds', async () => {
      const { records, lease, campaign, node } = shop()
      expect(await records.keptLearning(campaign, node)).toBeUndefined()
      await records.keepLearning(lease, of(campaign, 1))
      const data = { known: 2, laws: { answers: [0.5, 3] }, note: 'æ' }
      await records.keepLearning(lease, { campaign, data, atMs: 2_000 })
      expect(await records.keptLearning(campaign, node)).toEqual(data)
      expect(await records.keptLearning(await shop().anotherCampaign(), node)).toBeUndefined()
    })

    test('is not overwritten by a lease that is not the newest any more', async () => {
      const { records, lease, campaign, node } = shop()
      const newer = await records.takeLease(node, HOUR_MS)
      await records.keepLearning(newer, of(campaign, 2))
      await records.keepLearning(lease, of(campaign, 1, 9_000))
      expect(await records.keptLearning(campaign, node)).toEqual({ known: 2 })
    })

    test('of a node is its own; a node that is new begins with what was learnt last', async () => {
      const { records, lease, campaign, node } = shop()
      const other = await records.takeLease(`${node} other`, HOUR_MS)
      await records.keepLearning(lease, of(campaign, 1, 1_000))
      await records.keepLearning(other, of(campaign, 2, 2_000))
      expect(await records.keptLearning(campaign, node)).toEqual({ known: 1 })
      expect(await records.keptLearning(campaign, `${node} third`)).toEqual({ known: 2 })
    })

    test('of a campaign that nobody knows is not kept', async () => {
      const { records, lease, node } = shop()
      const nobodys = 999_999_999 as CampaignId
      await records.keepLearning(lease, of(nobodys, 1))
      expect(await records.keptLearning(nobodys, node)).toBeUndefined()
    })
  })
}
