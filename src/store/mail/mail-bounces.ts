import type { ActivityId, CorporationId } from '../../kernel/ids.ts'
import type { DeliveryReport } from '../../ports/mail.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'
import { storable } from './mail-rows.ts'

const WHY_LETTERS_MAX = 2_000

/** SQL: whether `undelivered` contains every recipient of email `e`. */
export const isUndelivered = (undelivered: string) =>
  `(cardinality(${undelivered}) > 0 and not exists (
    select from jsonb_array_elements(e.recipients || e.copies) r where not (r->>'address' = any(${undelivered}))))`

/** Failed if no recipient got it; else sent, and `why` names those without. Only their servers know the Message-ID. */
export async function markUndelivered(
  transaction: Transaction,
  corporation: CorporationId,
  { about, undelivered }: DeliveryReport,
): Promise<void> {
  interface Row {
    readonly activity: ActivityId
    readonly recipients: readonly string[]
    readonly known: readonly string[]
    readonly why: string | null
  }
  for (const { activity, recipients, known, why } of await ask<Row>(transaction, FIND, [corporation, about])) {
    const lost = new Set(known)
    const words = why === null ? [] : [why]
    for (const { addresses, why: reason } of undelivered) {
      // With a single recipient the report is about them, even if their address was rewritten on the way.
      const meant = recipients.length === 1 ? recipients : addresses
      const added = meant.filter((address) => recipients.includes(address) && !lost.has(address))
      for (const address of added) lost.add(address)
      if (added.length > 0) words.push(`not delivered to ${added.join(', ')}: ${reason}`)
    }
    if (lost.size === known.length) continue
    const text = storable(words.join('; ')).slice(0, WHY_LETTERS_MAX)
    await transaction.query(MARK, [activity, [...lost], text])
  }
}

const FIND = `
select o.activity_id as activity, o.undelivered as known, o.why,
  array(select distinct r->>'address' from jsonb_array_elements(e.recipients || e.copies) r) as recipients
  from outgoing_emails o join emails e on e.activity_id = o.activity_id
 where e.corporation_id = $1 and e.message_id = any($2::text[]) order by o.activity_id for update of o`

const MARK = `
update outgoing_emails o set undelivered = $2::text[], why = $3,
  state = case when o.state in ('sent', 'unknown') and ${isUndelivered('$2::text[]')} then 'failed' else o.state end
  from emails e where e.activity_id = o.activity_id and o.activity_id = $1`
