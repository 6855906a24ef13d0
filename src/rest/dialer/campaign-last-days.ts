/** The last days of a campaign, in its own time zone: what its reports by day ask for. */
import { type Static, Type } from 'typebox'
import { lastDays } from '../../dialer/campaign-days.ts'
import { campaignZone } from '../../dialer/stored-campaign.ts'
import type { CampaignId, CorporationId } from '../../kernel/ids.ts'
import type { RestDependencies } from '../http/dependencies.ts'

const DAYS = 30
/** A leap year. */
const DAYS_MAX = 366

export const LastDaysQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: DAYS_MAX,
      description: `Number of days, including today; default ${DAYS}.`,
    }),
  ),
})

/** Undefined where the asker has no such campaign. Days are in order, today last. */
export async function campaignLastDays(
  { clock, dialerAdmin }: Pick<RestDependencies, 'clock' | 'dialerAdmin'>,
  corporations: readonly CorporationId[],
  id: CampaignId,
  { days = DAYS }: Static<typeof LastDaysQuery>,
) {
  const { campaigns } = await dialerAdmin.findCampaigns({ corporations, ids: [id], page: 0, rowsMax: 1 })
  const [campaign] = campaigns
  if (!campaign) return undefined
  const timeZone = campaignZone(campaign) ?? 'UTC'
  return { campaign, timeZone, days: lastDays(days, timeZone, clock.nowMs()) }
}
