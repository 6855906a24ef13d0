/** What moves when cases become one, and comes back when they are taken apart (D-21). */
import { logOf } from '../../cases/case-change.ts'
import { type CaseLists, type Changer, type Refused, refused } from '../../cases/case-state.ts'
import { mergeCases, unmergeCases } from '../../cases/merge.ts'
import type { ActivityId } from '../../kernel/ids.ts'
import type { CaseRecord } from '../../ports/cases.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'
import { writeCaseLogs } from './case-rows.ts'
import { stateOf, writeState } from './case-state-rows.ts'
import { wholesAbove } from './sub-cases.ts'

/** Where a change landed, and the case as it has become. */
export type Moved = { readonly ok: true; readonly id: ActivityId; readonly record: CaseRecord } | Refused

/** What went from one case to the other, by ids; kept in the log, so that it can come back. */
interface Belongings {
  readonly links: readonly ActivityId[]
  readonly parts: readonly ActivityId[]
  readonly texts: readonly number[]
  readonly files: readonly number[]
}

const MOVED = 'moved'

/** Both are locked. Answers the case that was merged. */
export async function mergeInto(
  transaction: Transaction,
  source: CaseRecord,
  target: CaseRecord,
  lists: CaseLists,
  changer: Changer,
): Promise<Moved> {
  const [from, into] = [await stateOf(transaction, source), await stateOf(transaction, target)]
  const merge = mergeCases(from, into, lists, changer)
  if (!merge.ok) return merge
  // Its parts become parts of the target: what lies between the two would be above itself.
  if ((await wholesAbove(transaction, target.id)).indexOf(source.id) > 0) {
    return refused('invalid', 'mergedInto', 'that is a part of a part of the case; take that part out of it first')
  }
  const { state, logs } = merge.source
  await writeState(transaction, from, state, logs)
  await writeState(transaction, into, merge.target.state, merge.target.logs)
  const belongings = await move(transaction, source.id, target.id)
  const log = logOf(MOVED, null, belongings, changer, state.record.updatedAtMs)
  await writeCaseLogs(transaction, source.id, [log])
  return { ok: true, id: source.id, record: state.record }
}

/** Both are locked; `end` is where what was moved lies now. */
export async function takeApart(
  transaction: Transaction,
  source: CaseRecord,
  end: CaseRecord,
  lists: CaseLists,
  changer: Changer,
): Promise<Moved> {
  const [from, into] = [await stateOf(transaction, source), await stateOf(transaction, end)]
  const merge = unmergeCases(from, into, lists, changer)
  if (!merge.ok) return merge
  const { state, logs } = merge.source
  await writeState(transaction, from, state, logs)
  await writeState(transaction, into, merge.target.state, merge.target.logs)
  const text = 'select becomes as it from case_logs where case_id = $1 and what = $2 order by id desc limit 1'
  const [moved] = await ask<{ it: Belongings }>(transaction, text, [source.id, MOVED])
  if (moved) {
    // A part that the case itself came under meanwhile stays where it is: no case is above itself.
    const above = await wholesAbove(transaction, source.id)
    const parts = moved.it.parts.filter((part) => !above.includes(part))
    await move(transaction, end.id, source.id, { ...moved.it, parts })
  }
  return { ok: true, id: source.id, record: state.record }
}

/** Moves links to a case, its parts, texts and files: all of them, or those that are named and are still there. */
async function move(
  transaction: Transaction,
  from: ActivityId,
  to: ActivityId,
  only?: Belongings,
): Promise<Belongings> {
  const ids = (name: keyof Belongings) => only?.[name] ?? null
  const chosen = (column: string, place: number) => `($${place}::bigint[] is null or ${column} = any($${place}))`
  // What was a part of the other one is no part of itself.
  await transaction.query('delete from activity_links where type = 16 and from_id = $2 and to_id = $1', [from, to])
  const [moved] = await ask<Belongings>(
    transaction,
    `with links as (update activity_links set to_id = $2
              where to_id = $1 and type = 14 and ${chosen('from_id', 3)} returning from_id as id),
       parts as (update activity_links set to_id = $2
              where to_id = $1 and type = 16 and ${chosen('from_id', 4)} returning from_id as id),
       texts as (update case_texts set case_id = $2 where case_id = $1 and ${chosen('id', 5)} returning id),
       files as (update files set activity_id = $2 where activity_id = $1 and ${chosen('id', 6)} returning id)
     select ${['links', 'parts', 'texts', 'files'].map(
       (name) => `(select coalesce(json_agg(id order by id), '[]'::json)
       from ${name}) as ${name}`,
     )}`,
    [from, to, ids('links'), ids('parts'), ids('texts'), ids('files')],
  )
  return moved!
}
