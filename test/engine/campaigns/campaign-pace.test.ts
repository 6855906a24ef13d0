/** What a campaign's pace counts by hours, beside a shadow and over a restart. */
import { expect, test } from 'vitest'
import { CampaignPace } from '../../../src/engine/campaigns/campaign-pace.ts'
import { PacingStats } from '../../../src/engine/campaigns/pacing-stats.ts'
import { aCampaign } from '../../dialer/samples.ts'

const NOON = Date.UTC(2026, 0, 2, 12)

test('lines that only the shadow, or only the pacer, would place are counted', () => {
  const stats = new PacingStats()
  const decide = (lines: number, shadow: number) =>
    stats.decided({ lines, why: 'oneToOne' }, { lines: shadow, why: 'oneToOne' }, NOON)
  decide(3, 1)
  decide(0, 2)
  // The same request, still unmet.
  decide(0, 2)
  expect(stats.hours).toMatchObject([{ shadowLess: 2, shadowMore: 2 }])
})

test('the hours of a campaign go on after a restart, with what was learnt', () => {
  const campaign = aCampaign({ mode: 'predictive' })
  const pace = new CampaignPace(campaign)
  pace.stats.placed(4, 'oneToOne', NOON)
  pace.learn({ type: 'line.failed', ageMs: 1_000 }, NOON)
  const next = new CampaignPace(campaign, JSON.parse(JSON.stringify(pace.toKeep())))
  expect(next.stats.hours).toMatchObject([{ placed: { oneToOne: 4 } }])
  expect(next.learnt.known).toBe(1)
})
