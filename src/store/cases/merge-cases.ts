/** Moves records when two cases are merged, and back when the merge is undone (D-21). */
import { logOf } from '../../cases/case-change.ts'
import { type CaseLists, type Changer, type Refused, refused } from '../../cases/case-state.ts'
import { mergeCases, unmergeCases } from '../../cases/merge.ts'
import type { ActivityId } from '../../kernel/ids.ts'
import { LINKS_MAX } from '../../ports/activities.ts'
import type { CaseRecord } from '../../ports/cases.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'
import { countLinks, writeCaseLogs } from './case-rows.ts'
import { stateOf, writeState } from './case-state-rows.ts'
import { holdOn } from './held.ts'
import { ancestorsOf } from './sub-cases.ts'

/** The id of the changed case, and its new record. */
export type Moved = { readonly ok: true; readonly id: ActivityId; readonly record: CaseRecord } | Refused

/** Ids of the moved records; the log keeps them for undoing the merge. */
interface Belongings {
  readonly links: readonly ActivityId[]
  readonly parts: readonly ActivityId[]
  readonly texts: readonly number[]
  readonly files: readonly number[]
}

const KINDS = ['links', 'parts', 'texts', 'files'] as const
const MOVED = 'moved'

/** Both cases are locked. Returns the merged case. */
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
  // Its subcases become subcases of the target: a case between the two would become its own ancestor.
  if ((await ancestorsOf(transaction, target.id)).indexOf(source.id) > 0) {
    return refused('invalid', 'mergedInto', 'that is a part of a part of the case; take that part out of it first')
  }
  const links = await countLinks(transaction, [source.id, target.id])
  if (links > LINKS_MAX) {
    const words = `the two cases have ${links} links, and a case takes ${LINKS_MAX}; take some of them out first`
    return refused('conflict', 'mergedInto', words)
  }
  const { state, logs } = merge.source
  await writeState(transaction, from, state, logs)
  await writeState(transaction, into, merge.target.state, merge.target.logs)
  const belongings = await move(transaction, source.id, target.id)
  const log = logOf(MOVED, null, belongings, changer, state.record.updatedAtMs)
  await writeCaseLogs(transaction, source.id, [log])
  return { ok: true, id: source.id, record: state.record }
}

/** Both cases are locked; `end` has the moved records now. */
export async function undoMerge(
  transaction: Transaction,
  source: CaseRecord,
  end: CaseRecord,
  lists: CaseLists,
  changer: Changer,
): Promise<Moved> {
  const [from, into] = [await stateOf(transaction, source), await stateOf(transaction, end)]
  const merge = unmergeCases(from, into, lists, changer)
  if (!merge.ok) return merge
  const hold = await holdOn(transaction, source.id, end.id)
  if (hold !== undefined) return refused('conflict', 'mergedInto', hold)
  const { state, logs } = merge.source
  await writeState(transaction, from, state, logs)
  await writeState(transaction, into, merge.target.state, merge.target.logs)
  const text = 'select becomes as it from case_logs where case_id = $1 and what = $2 order by id desc limit 1'
  const [moved] = await ask<{ it: Belongings | null }>(transaction, text, [source.id, MOVED])
  if (moved?.it === null) return refused('conflict', 'mergedInto', 'the case was erased since; it stays merged')
  if (moved) {
    // A subcase that has become an ancestor of the case stays: no case is its own ancestor.
    const above = await ancestorsOf(transaction, source.id)
    const parts = moved.it.parts.filter((part) => !above.includes(part))
    const back = await move(transaction, end.id, source.id, { ...moved.it, parts })
    await forget(transaction, source.merged!.into, back)
  }
  return { ok: true, id: source.id, record: state.record }
}

/** The cases between were merged with these records, and take them along no more when they are split (cases-29). */
async function forget(transaction: Transaction, first: ActivityId, back: Belongings): Promise<void> {
  await transaction.query(FORGET, [first, MOVED, ...KINDS.map((kind) => back[kind])])
}

const FORGET = `
with recursive between (id, next) as (
  select activity_id, merged_into_id from cases where activity_id = $1 and merged_into_id is not null
  union
  select c.activity_id, c.merged_into_id from between b join cases c on c.activity_id = b.next
   where c.merged_into_id is not null
), newest as (
  select (select g.id from case_logs g where g.case_id = b.id and g.what = $2 order by g.id desc limit 1) from between b
)
update case_logs set becomes = json_build_object(${KINDS.map(
  (kind, place) => `'${kind}', (select coalesce(json_agg(id), '[]'::json)
     from jsonb_array_elements(becomes->'${kind}') as it(id) where id::bigint <> all($${place + 3}::bigint[]))`,
)})
 where id in (select * from newest) and becomes is not null`

/** Moves links, subcases, texts and files of a case: all of them, or the named ones that still exist. */
async function move(
  transaction: Transaction,
  from: ActivityId,
  to: ActivityId,
  only?: Belongings,
): Promise<Belongings> {
  const ids = (name: keyof Belongings) => only?.[name] ?? null
  const chosen = (column: string, place: number) => `($${place}::bigint[] is null or ${column} = any($${place}))`
  // A case is not its own subcase.
  await transaction.query('delete from activity_links where type = 16 and from_id = $2 and to_id = $1', [from, to])
  const [moved] = await ask<Belongings>(
    transaction,
    `with links as (update activity_links set to_id = $2
              where to_id = $1 and type = 14 and ${chosen('from_id', 3)} returning from_id as id),
       parts as (update activity_links set to_id = $2
              where to_id = $1 and type = 16 and ${chosen('from_id', 4)} returning from_id as id),
       texts as (update case_texts set case_id = $2 where case_id = $1 and ${chosen('id', 5)} returning id),
       files as (update files set activity_id = $2 where activity_id = $1 and ${chosen('id', 6)} returning id)
     select ${KINDS.map(
       (name) => `(select coalesce(json_agg(id order by id), '[]'::json)
       from ${name}) as ${name}`,
     )}`,
    [from, to, ids('links'), ids('parts'), ids('texts'), ids('files')],
  )
  return moved!
}
