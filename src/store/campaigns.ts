import type { AtMs } from '../kernel/clock.ts'
import type { Campaign } from '../ports/records.ts'
import type { Pools } from './pools.ts'
import { query } from './transaction.ts'

/** Creates the campaign of this id, or changes it (D-14). */
export async function saveCampaign({ api }: Pools, campaign: Campaign, atMs: AtMs): Promise<void> {
  const { id, corporation, externalSystem, name, active, settings } = campaign
  await query(
    api,
    `insert into campaigns (id, corporation_id, external_system_id, name, active, settings, created_at_ms,
       updated_at_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict (id) do update set external_system_id = excluded.external_system_id, name = excluded.name,
       active = excluded.active, settings = excluded.settings, updated_at_ms = excluded.updated_at_ms
       where campaigns.corporation_id = excluded.corporation_id`,
    [id, corporation, externalSystem ?? null, name, active, JSON.stringify(settings), atMs],
  )
}
