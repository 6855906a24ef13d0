/** Subcases. A case has at most one parent, so its ancestors form a chain. */

import type { ActivityId, CorporationId } from '../../kernel/ids.ts'
import { LINK_TYPE } from '../../ports/activities.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'

/** Moves of subcases take this lock before they lock a case: no two together make a cycle. */
export async function lockParts(transaction: Transaction, corporations: readonly CorporationId[]): Promise<void> {
  const text = 'select id from corporations where id = any($1) order by id for no key update'
  await transaction.query(text, [corporations])
}

/** No chain is so long; of a circle, which nobody can make, the walk has an end. */
const STEPS_MAX = 100_000

/** The ancestors of a case, the parent first. Only the steps are counted: paths would grow with their square. */
export async function ancestorsOf(transaction: Transaction, id: ActivityId): Promise<readonly ActivityId[]> {
  const text = `
    with recursive above (id, step) as (
      select to_id, 1 from activity_links where from_id = $1 and type = $2
      union all
      select l.to_id, above.step + 1 from above join activity_links l on l.from_id = above.id and l.type = $2
       where above.step < ${STEPS_MAX}
    )
    select id from above order by step`
  return (await ask<{ id: ActivityId }>(transaction, text, [id, LINK_TYPE.partOfCase])).map((row) => row.id)
}
