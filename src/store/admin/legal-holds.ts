import type { LegalHoldId } from '../../kernel/ids.ts'
import type { LegalHold, Privacy } from '../../ports/privacy.ts'
import { lockCases } from '../cases/case-rows.ts'
import { ACTIVITY_IS_HELD, CALL_IS_HELD, CONTACT_IS_HELD, IS_OF_ALL, TASK_IS_HELD } from '../cases/held.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'
import { findPerson, type KnownPerson, type PersonThings } from './data-subject.ts'

export const legalHolds = {
  /** Protects records from erasure. The person is resolved now; their later records are held too. */
  addHold({ api }, { corporation, case: ofCase, person, reason, atMs }) {
    return inTransaction(api, async (transaction) => {
      const found = person && (await findPerson(transaction, { corporation, person }))
      if (found && found.outcome !== 'found') return found
      if (found && found.keys.length + found.numbers.length + found.extensions.length === 0)
        return { outcome: 'nobody' }
      const { keys = [], numbers = [], extensions = [] } = found ?? {}
      // Nobody leads anything out of the case between their look for holds and their commit.
      if (ofCase !== undefined) await lockCases(transaction, [ofCase], [corporation])
      const rows = await ask<{ id: LegalHoldId }>(transaction, ADD, [
        ...[corporation, keys, numbers, extensions, ofCase ?? null, reason, atMs],
      ])
      return rows[0] ? { outcome: 'held', id: rows[0].id } : { outcome: 'nobody' }
    })
  },

  /** All of them, by id. */
  holds({ api }, corporations) {
    const text = `select id, corporation_id as corporation, case_id as case, reason, created_at_ms as "createdAtMs",
        cardinality(person_keys) + cardinality(numbers) + cardinality(extension_ids) > 0 as "isOfPerson",
        (select count(*)::int from held_activities() k where k.hold_id = h.id) as activities
      from legal_holds h where corporation_id = any($1) order by id`
    return query<LegalHold>(api, text, [corporations])
  },

  async liftHold({ api }, corporations, id) {
    const text = 'delete from legal_holds where id = $2 and corporation_id = any($1) returning id'
    return (await query(api, text, [corporations, id])).length > 0
  },
} satisfies Partial<In<Privacy>>

/** A case must be one of the corporation. */
const ADD = `
insert into legal_holds (corporation_id, person_keys, numbers, extension_ids, case_id, reason, created_at_ms)
select $1, $2, $3, $4, $5, $6, $7
 where $5::bigint is null or exists (select from cases where activity_id = $5 and corporation_id = $1)
returning id`

/** Whether a legal hold covers any record of a person, or a case of others in which they are a contact. */
export async function isHeld(transaction: Transaction, person: KnownPerson, things: PersonThings): Promise<boolean> {
  const { corporation, keys, numbers, extensions, contacts } = person
  const ofPerson = `select from legal_holds h where h.corporation_id = $1
    and (${IS_OF_ALL} or h.person_keys && $2 or h.numbers && $3 or h.extension_ids && $4)`
  if ((await ask(transaction, ofPerson, [corporation, keys, numbers, extensions])).length > 0) return true
  const ofThings = `select from activities t where t.id = any($1) and ${ACTIVITY_IS_HELD}
    union all select from call_activities t where t.id = any($2) and ${CALL_IS_HELD}
    union all select from call_tasks t where t.id = any($3) and ${TASK_IS_HELD}
    union all select from entities t where t.id = any($4) and ${CONTACT_IS_HELD}`
  const values = [things.activities, things.calls, things.tasks, contacts]
  return (await ask(transaction, ofThings, values)).length > 0
}
