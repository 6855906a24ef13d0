/** Catalogues of outcomes: one row for each outcome that a campaign or a team has or had. */
import type { AtMs } from '../../kernel/clock.ts'
import { FIRST_CORPORATION, type OutcomeId } from '../../kernel/ids.ts'
import type { DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { CatalogueChange, CatalogueChanged, CatalogueOwner, Outcome, OutcomeToSave } from '../../ports/outcome.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'

/** The catalogue whose rows `o` fulfil the condition, in its order. */
export const catalogueOf = (
  owner: string,
) => `select o.id, o.name, o.key, o.is_final as "isFinal", o.needs_callback as "needsCallback", o.fields,
  o.is_active as "isActive", o.version, o.created_at_ms as "createdAtMs", o.updated_at_ms as "updatedAtMs"
  from campaign_outcomes o where ${owner} order by o.position, o.id`

const [CAMPAIGN, TEAM] = [tableOf('campaign_id', 'campaigns'), tableOf('team_id', 'teams')]

function tableOf(column: 'campaign_id' | 'team_id', table: 'campaigns' | 'teams') {
  return {
    list: catalogueOf(`o.${column} = $1`),
    find: `select from ${table} where id = $1 and corporation_id = any($2)`,
    // Those that are not named, which are retired, come last.
    order: `
update campaign_outcomes set position = coalesce(array_position($2::bigint[], id), cardinality($2::bigint[]) + 1)
 where ${column} = $1`,
    add: `
insert into campaign_outcomes (${column}, name, key, is_final, needs_callback, fields, is_active, updated_at_ms,
  created_at_ms, position)
values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $8,
  (select coalesce(max(position), 0) + 1 from campaign_outcomes where ${column} = $1))
returning id`,
    change: `
update campaign_outcomes set name = $2, key = $3, is_final = $4, needs_callback = $5, fields = $6::jsonb,
  is_active = $7, updated_at_ms = $8, version = version + 1
 where ${column} = $1 and id = $9
returning id`,
  } as const
}

function readOwner(owner: CatalogueOwner) {
  return 'team' in owner ? ([TEAM, owner.team] as const) : ([CAMPAIGN, owner.campaign] as const)
}

const OF_TEAM = catalogueOf(
  `o.team_id = (select id from teams where corporation_id = ${FIRST_CORPORATION} and name = $1)`,
)

/** For engines. */
export const outcomesOf = {
  async outcomesOf({ control }, campaign) {
    return query<Outcome>(control, CAMPAIGN.list, [campaign])
  },
  async outcomesOfTeam({ control }, team) {
    return query<Outcome>(control, OF_TEAM, [team])
  },
} satisfies Partial<In<DialerRepository>>

export const outcomeCatalogues = {
  async findOutcomes({ api }, corporations, owner) {
    const [{ find, list }, id] = readOwner(owner)
    const isThere = (await query(api, find, [id, corporations])).length > 0
    return isThere ? query<Outcome>(api, list, [id]) : undefined
  },

  /** The owner is locked: of two changes the later one sees the earlier. */
  async changeOutcomes<Refusal>(
    { api }: Pools,
    { corporations, owner, atMs, decide }: CatalogueChange<Refusal>,
  ): Promise<CatalogueChanged<Refusal>> {
    const [{ find, list, order: place }, id] = readOwner(owner)
    return inTransaction(api, async (transaction): Promise<CatalogueChanged<Refusal>> => {
      const found = await ask(transaction, `${find} for no key update`, [id, corporations])
      if (found.length === 0) return { outcome: 'no such owner' }
      const decision = decide(await ask<Outcome>(transaction, list, [id]))
      if (!decision.ok) return { outcome: 'refused', why: decision.why }
      const { save, order } = decision
      const saved = save && (await keep(transaction, owner, save, atMs))
      if (order) await transaction.query(place, [id, [...order]])
      await notify(transaction, 'orders')
      return { outcome: 'changed', catalogue: await ask<Outcome>(transaction, list, [id]), saved }
    })
  },
} satisfies Partial<In<DialerAdminRepository>>

async function keep(
  transaction: Transaction,
  owner: CatalogueOwner,
  { id, name, key, isFinal, needsCallback, fields, isActive }: OutcomeToSave,
  atMs: AtMs,
): Promise<OutcomeId | undefined> {
  const [{ add, change }, holder] = readOwner(owner)
  const values = [holder, name, key, isFinal, needsCallback, JSON.stringify(fields), isActive, atMs]
  const statement = id === undefined ? add : change
  const [row] = await ask<{ id: OutcomeId }>(transaction, statement, id === undefined ? values : [...values, id])
  return row?.id
}
