import type { LegalHoldId } from '../../kernel/ids.ts'
import type { LegalHold, Privacy } from '../../ports/privacy.ts'
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
      const rows = await ask<{ id: LegalHoldId }>(transaction, ADD, [
        ...[corporation, keys, numbers, extensions, ofCase ?? null, reason, atMs],
      ])
      return rows[0] ? { outcome: 'held', id: rows[0].id } : { outcome: 'nobody' }
    })
  },

  /** All of them, by id. */
  holds({ api }, corporations) {
    const text = `select id, corporation_id as corporation, case_id as case, reason, created_at_ms as "createdAtMs",
        cardinality(person_keys) + cardinality(numbers) + cardinality(extension_ids) > 0 as "isOfPerson"
      from legal_holds where corporation_id = any($1) order by id`
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

/** Whether a legal hold covers any record of a person. */
export async function isHeld(transaction: Transaction, person: KnownPerson, things: PersonThings): Promise<boolean> {
  const { corporation, keys, numbers, extensions } = person
  const ofPerson = `select from legal_holds h where h.corporation_id = $1
    and (${IS_OF_ALL} or h.person_keys && $2 or h.numbers && $3 or h.extension_ids && $4)`
  if ((await ask(transaction, ofPerson, [corporation, keys, numbers, extensions])).length > 0) return true
  const ofThings = `select from activities t where t.id = any($1) and ${ACTIVITY_IS_HELD}
    union all select from call_activities t where t.id = any($2) and ${CALL_IS_HELD}`
  return (await ask(transaction, ofThings, [things.activities, things.calls])).length > 0
}

const IS_OF_ALL = `(h.case_id is null and h.person_keys = '{}' and h.numbers = '{}' and h.extension_ids = '{}')`

/** For rows of call_tasks `t`. */
export const TASK_IS_HELD = `exists (select from legal_holds h where h.corporation_id = t.corporation_id and (
  ${IS_OF_ALL} or t.person_key = any(h.person_keys)
  or exists (select from call_task_numbers n where n.task_id = t.id and n.number = any(h.numbers))))`

/** For rows of entities `t`. */
export const CONTACT_IS_HELD = `exists (select from legal_holds h where h.corporation_id = t.corporation_id and (
  ${IS_OF_ALL}
  or exists (select from entity_extensions x where x.entity_id = t.id and (x.id = any(h.extension_ids)
    or x.external_system_id || ':' || x.external_customer = any(h.person_keys)))
  or exists (select from entity_numbers n where n.entity_id = t.id and n.number = any(h.numbers))))`

/** For rows of call_activities `t`. A hold of a case covers its calls. */
export const CALL_IS_HELD = `exists (select from legal_holds h where h.corporation_id = t.corporation_id and (
  ${IS_OF_ALL} or t.extension_id = any(h.extension_ids) or t.caller = any(h.numbers) or t.called = any(h.numbers)
  or exists (select from attempts a where a.id = t.attempt_id and a.person_key = any(h.person_keys))
  or exists (select from activity_links l where l.from_id = t.id and l.type = 14 and l.to_id = h.case_id)))`

/** For rows of activities `t`: the case, the activities linked to it, and those of the person. */
export const ACTIVITY_IS_HELD = `exists (select from legal_holds h where h.corporation_id = t.corporation_id and (
  ${IS_OF_ALL} or t.id = h.case_id or t.extension_id = any(h.extension_ids)
  or exists (select from activity_members m where m.activity_id = t.id and m.extension_id = any(h.extension_ids))
  or exists (select from activity_links l left join activity_links u on u.from_id = l.to_id and u.type = 14
    where l.from_id = t.id and l.type in (13, 14) and h.case_id in (l.to_id, u.to_id))))`
