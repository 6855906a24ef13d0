/** Catalogues of outcomes: one row for each outcome that a campaign has or had. */
import type { AtMs } from '../../kernel/clock.ts'
import type { CampaignId, OutcomeId } from '../../kernel/ids.ts'
import type { DialerAdminRepository } from '../../ports/dialer-admin-repository.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { CatalogueChange, CatalogueChanged, Outcome, OutcomeToSave } from '../../ports/outcome.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'

/** The catalogue of the campaign of this id, an SQL expression, in its order. */
export const catalogueOf = (
  campaign: string,
) => `select o.id, o.name, o.key, o.is_final as "isFinal", o.needs_callback as "needsCallback", o.fields,
  o.is_active as "isActive", o.version, o.created_at_ms as "createdAtMs", o.updated_at_ms as "updatedAtMs"
  from campaign_outcomes o where o.campaign_id = ${campaign} order by o.position, o.id`

const OUTCOME = catalogueOf('$1')

/** For engines. */
export const outcomesOf = {
  async outcomesOf({ control }, campaign) {
    return query<Outcome>(control, OUTCOME, [campaign])
  },
} satisfies Partial<In<DialerRepository>>

export const outcomeCatalogues = {
  async findOutcomes({ api }, corporations, campaign) {
    const text = 'select from campaigns where id = $1 and corporation_id = any($2)'
    const isThere = (await query(api, text, [campaign, corporations])).length > 0
    return isThere ? query<Outcome>(api, OUTCOME, [campaign]) : undefined
  },

  /** The campaign is locked: of two changes the later one sees the earlier. */
  async changeOutcomes<Refusal>(
    { api }: Pools,
    { corporations, campaign, atMs, decide }: CatalogueChange<Refusal>,
  ): Promise<CatalogueChanged<Refusal>> {
    return inTransaction(api, async (transaction): Promise<CatalogueChanged<Refusal>> => {
      const lock = 'select from campaigns where id = $1 and corporation_id = any($2) for no key update'
      const found = await ask(transaction, lock, [campaign, corporations])
      if (found.length === 0) return { outcome: 'no such campaign' }
      const decision = decide(await ask<Outcome>(transaction, OUTCOME, [campaign]))
      if (!decision.ok) return { outcome: 'refused', why: decision.why }
      const { save, order } = decision
      const saved = save && (await keep(transaction, campaign, save, atMs))
      if (order) await transaction.query(ORDER, [campaign, [...order]])
      await notify(transaction, 'orders')
      return { outcome: 'changed', catalogue: await ask<Outcome>(transaction, OUTCOME, [campaign]), saved }
    })
  },
} satisfies Partial<In<DialerAdminRepository>>

/** Those that are not named, which are retired, come last. */
const ORDER = `
update campaign_outcomes set position = coalesce(array_position($2::bigint[], id), cardinality($2::bigint[]) + 1)
 where campaign_id = $1`

const ADD = `
insert into campaign_outcomes (campaign_id, name, key, is_final, needs_callback, fields, is_active, updated_at_ms,
  created_at_ms, position)
values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $8,
  (select coalesce(max(position), 0) + 1 from campaign_outcomes where campaign_id = $1))
returning id`

const CHANGE = `
update campaign_outcomes set name = $2, key = $3, is_final = $4, needs_callback = $5, fields = $6::jsonb,
  is_active = $7, updated_at_ms = $8, version = version + 1
 where campaign_id = $1 and id = $9
returning id`

async function keep(
  transaction: Transaction,
  campaign: CampaignId,
  { id, name, key, isFinal, needsCallback, fields, isActive }: OutcomeToSave,
  atMs: AtMs,
): Promise<OutcomeId | undefined> {
  const values = [campaign, name, key, isFinal, needsCallback, JSON.stringify(fields), isActive, atMs]
  const statement = id === undefined ? ADD : CHANGE
  const [row] = await ask<{ id: OutcomeId }>(transaction, statement, id === undefined ? values : [...values, id])
  return row?.id
}
