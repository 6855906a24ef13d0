import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignId, ExternalSystemId, TeamName } from '../../kernel/ids.ts'
import type {
  CampaignsChanged,
  CampaignsToSave,
  DialerAdminRepository,
  ForecastFacts,
  KeptCampaign,
} from '../../ports/dialer-admin-repository.ts'
import type { Campaign } from '../../ports/dialer-repository.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Transaction } from '../db/connection.ts'
import { countOf } from '../db/criteria.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import type { In } from '../db/port-methods.ts'
import { inTransaction, query } from '../db/transaction.ts'

export const campaignAdmin = {
  /** Creates and changes campaigns, all or none; one for each requested id, in their order (D-14). */
  async changeCampaigns<Refusal>(
    { api }: Pools,
    campaignsToSave: CampaignsToSave<Refusal>,
  ): Promise<CampaignsChanged<Refusal>> {
    return inTransaction(api, async (transaction): Promise<CampaignsChanged<Refusal>> => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.campaigns])
      const wanted = campaignsToSave.ids.filter((id) => id !== undefined)
      const present = await readAndLock(transaction, wanted)
      const foreign = present.find(({ corporation }) => !campaignsToSave.corporations.includes(corporation))
      if (foreign) return { outcome: 'not yours', id: foreign.id }
      const decided: (readonly [CampaignId | undefined, Omit<Campaign, 'id'>])[] = []
      for (const [place, id] of campaignsToSave.ids.entries()) {
        const before = id === undefined ? undefined : present.find((one) => one.id === id)
        const decision = campaignsToSave.decide(before, place)
        if (!decision.ok) return { outcome: 'refused', why: decision.why }
        decided.push([id, decision.campaign])
      }
      const ids: CampaignId[] = []
      for (const [id, campaign] of decided) ids.push(await keep(transaction, id, campaign, campaignsToSave.atMs))
      await notify(transaction, 'orders')
      const kept = await readAndLock(transaction, ids)
      // This transaction has just written the row.
      return { outcome: 'kept', campaigns: ids.map((id) => kept.find((one) => one.id === id)!) }
    })
  },

  async findCampaigns({ api }, search) {
    const { corporations, ids, teams, active, name, page, rowsMax } = search
    const where = `c.corporation_id = any($1) and ($2::bigint[] is null or c.id = any($2))
      and ($3::boolean is null or c.active = $3) and ($4::text is null or folded(c.name) like folded_part($4))
      and ($5::text[] is null or c.team_name = any($5))`
    const values = [corporations, ids ?? null, active ?? null, name || null, teams ?? null]
    const text = `select ${COLUMNS}, count(*) over () as "foundRows" from ${TABLES} where ${where}
                   order by c.id limit $6 offset $7`
    const rows = await query<CampaignRow & { foundRows: number }>(api, text, [...values, rowsMax, page * rowsMax])
    const [first] = rows
    // Beyond the last page no row carries the count.
    const foundRows =
      first?.foundRows ?? (page === 0 ? 0 : await countOf(api, `from campaigns c where ${where}`, values))
    return { foundRows, campaigns: rows.map(campaignOf) }
  },

  /** Each node learns by itself: the data with the most facts stands for the campaign. */
  async forecastFacts({ api }, corporations, campaign, dueBeforeAtMs) {
    const text = `
      select
        (select l.data from campaign_learning l where l.campaign_id = c.id
          order by case when jsonb_typeof(l.data->'known') = 'number' then (l.data->>'known')::numeric end
                   desc nulls last, l.node limit 1) as kept,
        (select count(*) from call_tasks t
          where t.campaign_id = c.id and t.status in ('new', 'waiting', 'callback') and t.next_call_at_ms < $3
        ) as "dueTasks",
        (select count(*) from teams join team_members m on m.team_id = teams.id join users u on u.id = m.user_id
          where teams.corporation_id = c.corporation_id and teams.name = c.team_name and teams.active and u.active
        ) as agents
      from campaigns c where c.id = $2 and c.corporation_id = any($1)`
    return (await query<ForecastFacts>(api, text, [corporations, campaign, dueBeforeAtMs]))[0]
  },

  async callerIds({ api }, corporations) {
    const text = `select distinct settings->>'callerId' as number from campaigns
                   where corporation_id = any($1) and settings ? 'callerId'`
    return (await query<{ number: string }>(api, text, [corporations])).map(({ number }) => number)
  },
} satisfies Partial<In<DialerAdminRepository>>

const COLUMNS = `c.id, c.corporation_id as corporation, c.name, c.active, c.settings, c.external_system_id as system,
  s.code as "externalSystemCode", c.team_name as team, t.id as "teamId", c.created_at_ms as "createdAtMs",
  c.updated_at_ms as "updatedAtMs", c.paused_reason as "pausedReason"`
const TABLES = `campaigns c left join external_systems s on s.id = c.external_system_id
  left join teams t on t.corporation_id = c.corporation_id and t.name = c.team_name`

interface CampaignRow extends Omit<KeptCampaign, 'externalSystem' | 'team'> {
  readonly system: ExternalSystemId | null
  readonly team: TeamName | null
}

function campaignOf(row: CampaignRow): KeptCampaign {
  const { id, corporation, name, active, settings, externalSystemCode, teamId, createdAtMs, updatedAtMs } = row
  const kept = { id, corporation, name, active, settings, externalSystemCode, teamId, createdAtMs, updatedAtMs }
  return {
    ...kept,
    pausedReason: row.pausedReason,
    ...(row.system === null ? {} : { externalSystem: row.system }),
    ...(row.team === null ? {} : { team: row.team }),
  }
}

async function readAndLock(transaction: Transaction, ids: readonly CampaignId[]): Promise<KeptCampaign[]> {
  if (ids.length === 0) return []
  const text = `select ${COLUMNS} from ${TABLES} where c.id = any($1) order by c.id for no key update of c`
  const { rows } = await transaction.query(text, [[...ids]])
  return (rows as CampaignRow[]).map(campaignOf)
}

/** A chosen code advances the sequence: it is never given to another campaign. */
async function keep(
  transaction: Transaction,
  id: CampaignId | undefined,
  campaign: Omit<Campaign, 'id'>,
  atMs: AtMs,
): Promise<CampaignId> {
  const { corporation, externalSystem, team, name, active, settings } = campaign
  const values = [externalSystem ?? null, team ?? null, name, active, JSON.stringify(settings), atMs, corporation]
  const columns = `external_system_id, team_name, name, active, settings, updated_at_ms, corporation_id, created_at_ms`
  if (id === undefined) {
    const text = `insert into campaigns (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $6) returning id`
    return ((await transaction.query(text, values)).rows[0] as { id: CampaignId }).id
  }
  await transaction.query(
    `insert into campaigns (id, ${columns}) values ($8, $1, $2, $3, $4, $5, $6, $7, $6)
     on conflict (id) do update set external_system_id = $1, team_name = $2, name = $3, active = $4, settings = $5,
       updated_at_ms = $6`,
    [...values, id],
  )
  await transaction.query(
    `select setval(sequence, $1) from pg_get_serial_sequence('campaigns', 'id') as sequence
      where $1 > (select coalesce(last_value, 0) from pg_sequences
                   where schemaname || '.' || sequencename = sequence)`,
    [id],
  )
  return id
}
