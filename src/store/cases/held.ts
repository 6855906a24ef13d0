/** What legal holds keep (audit-and-privacy-18): conditions for rows `t`, and who asks before a move. */
import type { ActivityId } from '../../kernel/ids.ts'
import type { LegalHold } from '../../ports/privacy.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'

/** For rows of legal_holds `h`. */
export const IS_OF_ALL = `(h.case_id is null and h.person_keys = '{}' and h.numbers = '{}' and h.extension_ids = '{}')`
const IS_REACHED = (id: string) => `${id} in (select activity_id from held_activities())`

/** For rows of call_tasks `t`; those of a held call too. */
export const TASK_IS_HELD = `(exists (select from legal_holds h where h.corporation_id = t.corporation_id and (
  ${IS_OF_ALL} or t.person_key = any(h.person_keys)
  or exists (select from call_task_numbers n where n.task_id = t.id and n.number = any(h.numbers))))
  or exists (select from attempts a join call_activities c on c.attempt_id = a.id
    where a.task_id = t.id and ${IS_REACHED('c.id')}))`

/** For rows of entities `t`; those of a held case or call too. */
export const CONTACT_IS_HELD = `(exists (select from legal_holds h where h.corporation_id = t.corporation_id and (
  ${IS_OF_ALL}
  or exists (select from entity_extensions x where x.entity_id = t.id and (x.id = any(h.extension_ids)
    or x.external_system_id || ':' || x.external_customer = any(h.person_keys)))
  or exists (select from entity_numbers n where n.entity_id = t.id and n.number = any(h.numbers))))
  or exists (select from entity_extensions x where x.entity_id = t.id and (
    exists (select from activities a where a.extension_id = x.id and ${IS_REACHED('a.id')})
    or exists (select from activity_members m where m.extension_id = x.id and ${IS_REACHED('m.activity_id')})
    or exists (select from call_activities c where c.extension_id = x.id and ${IS_REACHED('c.id')}))))`

/** For rows of call_activities `t`. A hold of a case covers its calls. */
export const CALL_IS_HELD = `(exists (select from legal_holds h where h.corporation_id = t.corporation_id and (
  ${IS_OF_ALL} or t.extension_id = any(h.extension_ids) or t.caller = any(h.numbers) or t.called = any(h.numbers)
  or exists (select from attempts a where a.id = t.attempt_id and a.person_key = any(h.person_keys))))
  or ${IS_REACHED('t.id')})`

/** For rows of activities `t`. */
export const ACTIVITY_IS_HELD = `(exists (select from legal_holds h where h.corporation_id = t.corporation_id
  and ${IS_OF_ALL}) or ${IS_REACHED('t.id')})`

/** What keeps an activity or a call where it is, as words for who wants to move it; undefined: nothing does. */
export async function holdOn(transaction: Transaction, ...ids: readonly ActivityId[]): Promise<string | undefined> {
  const [hold] = await ask<Pick<LegalHold, 'id' | 'reason'>>(transaction, HOLD_ON, [ids])
  return hold && `legal hold ${hold.id} (${hold.reason}) keeps it where it is; an administrator can lift the hold`
}

const HOLD_ON = `
select h.id, h.reason from legal_holds h
 where exists (select from activities t where t.id = any($1) and t.corporation_id = h.corporation_id
     and (${IS_OF_ALL} or (h.id, t.id) in (select hold_id, activity_id from held_activities())))
    or exists (select from call_activities t where t.id = any($1) and t.corporation_id = h.corporation_id
     and (${IS_OF_ALL} or (h.id, t.id) in (select hold_id, activity_id from held_activities())
       or t.extension_id = any(h.extension_ids) or t.caller = any(h.numbers) or t.called = any(h.numbers)))
 order by h.id limit 1`
