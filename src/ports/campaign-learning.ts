import type { AtMs } from '../kernel/clock.ts'
import type { CampaignId } from '../kernel/ids.ts'

/** What a campaign has learnt of its lines and agents: the dialer's own words, which say their shape. */
export interface CampaignLearning {
  readonly campaign: CampaignId
  readonly data: object
  readonly atMs: AtMs
}
