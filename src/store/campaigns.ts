import type { AtMs } from '../kernel/clock.ts'
import type { TeamName } from '../kernel/ids.ts'
import type { AnsweredAttempt } from '../ports/attempt.ts'
import type { CampaignId, ExternalSystemId } from '../ports/call-task.ts'
import type { Campaign } from '../ports/records.ts'
import { telling } from './news.ts'
import type { Pools } from './pools.ts'
import { query } from './transaction.ts'

/** Creates the campaign of this id, or changes it (D-14). */
export async function saveCampaign({ api }: Pools, campaign: Campaign, atMs: AtMs): Promise<void> {
  const { id, corporation, externalSystem, team, name, active, settings } = campaign
  await query(
    api,
    `insert into campaigns (id, corporation_id, external_system_id, team_name, name, active, settings, created_at_ms,
       updated_at_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     on conflict (id) do update set external_system_id = excluded.external_system_id,
       team_name = excluded.team_name, name = excluded.name, active = excluded.active, settings = excluded.settings,
       updated_at_ms = excluded.updated_at_ms
       where campaigns.corporation_id = excluded.corporation_id
     returning ${telling('orders')}`,
    [id, corporation, externalSystem ?? null, team ?? null, name, active, JSON.stringify(settings), atMs],
  )
}

/** Every campaign, by id. */
export async function campaigns({ control }: Pools): Promise<readonly Campaign[]> {
  const text = `select id, corporation_id as corporation, name, active, settings, external_system_id as system,
                  team_name as team from campaigns order by id`
  const rows = await query<CampaignRow>(control, text, [])
  return rows.map(({ system, team, ...campaign }) => ({
    ...campaign,
    ...(system === null ? {} : { externalSystem: system }),
    ...(team === null ? {} : { team }),
  }))
}

interface CampaignRow extends Omit<Campaign, 'externalSystem' | 'team'> {
  readonly system: ExternalSystemId | null
  readonly team: TeamName | null
}

/**
 * Calls that were answered since then and are over, oldest first: one that goes on is counted by whoever ends it.
 * What an agent called a machine afterwards is one.
 */
export async function answeredCalls(
  { api }: Pools,
  campaign: CampaignId,
  sinceAtMs: AtMs,
): Promise<readonly AnsweredAttempt[]> {
  const text = `select a.answered_at_ms as "answeredAtMs", a.result = 'dropped' as "isAbandoned",
                  (a.result = 'voicemail' or c.attempt_id is not null) as "isMachine"
                  from attempts a left join attempt_corrections c on c.attempt_id = a.id
                 where a.campaign_id = $1 and a.answered_at_ms >= $2 and a.ended_at_ms is not null
                 order by a.answered_at_ms, a.id`
  return query<AnsweredAttempt>(api, text, [campaign, sinceAtMs])
}
