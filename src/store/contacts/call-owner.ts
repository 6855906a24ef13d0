/** The contact under which a call is listed (contract.md §4.2). Never a proof of identity (F-F14). */

import type { ExtensionId, ExternalSystemId } from '../../kernel/ids.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'

/** Of call `g`: its task's customer, else that of its case's newest task, else the number's only contact. */
export const CALL_OWNER = `
coalesce(
  (select x.id from attempts a join call_tasks t on t.id = a.task_id
     join entity_extensions x on x.external_system_id = t.external_system_id
      and x.external_customer = t.external_customer and x.corporation_id = t.corporation_id
    where a.id = g.attempt),
  case when g.attempt is null and g.external_case_number is not null then
    (select x.id from entity_extensions x
      where x.corporation_id = g.corporation and x.external_system_id = g.external_system
        and x.external_customer = (select t.external_customer from call_tasks t
          where t.corporation_id = g.corporation and t.external_system_id = g.external_system
            and t.external_case_number = g.external_case_number order by t.id desc limit 1)) end,
  (select min(x.id) from entity_extensions x where x.entity_id = (
     select min(only_one.entity_id) from (
       select distinct n.entity_id from entity_numbers n join entities e on e.id = n.entity_id
        where n.number = case g.direction when 'in' then g.caller else g.called end
          and e.corporation_id = g.corporation limit 2) only_one
     having count(*) = 1)))`

/** Assigns earlier calls about its customer to a new contact. */
export async function adoptCalls(
  transaction: Transaction,
  extension: ExtensionId,
  [system, customer]: readonly [ExternalSystemId, string],
): Promise<void> {
  await ask(transaction, ADOPT, [extension, system, customer])
}

/** The attempts of call tasks about a customer. */
export const CALLS_OF_CUSTOMER = (system: string, customer: string) =>
  `select a.id from call_tasks t join attempts a on a.task_id = t.id
    where t.external_system_id = ${system} and t.external_customer = ${customer}`

const ADOPT = `
update call_activities c set extension_id = $1 from (${CALLS_OF_CUSTOMER('$2', '$3')}) a
 where c.attempt_id = a.id and c.extension_id is null`
