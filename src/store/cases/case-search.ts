/** Reads any number of whole cases in one statement. */

import type { Pool } from 'pg'
import type { ActivityId } from '../../kernel/ids.ts'
import type { Case, CaseRepository, CaseSearch } from '../../ports/case-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { Criteria, countOf, totalOf, type Window } from '../db/criteria.ts'
import type { In } from '../db/port-methods.ts'
import { ask, type Prepared, query } from '../db/transaction.ts'
import { CASE_RECORD } from './case-rows.ts'

/** The public fields of a user, of the alias. */
const userOf = (alias: string) => `case when ${alias}.id is not null then
  json_build_object('id', ${alias}.id, 'userName', ${alias}.user_name, 'name', ${alias}.name) end`
const statusOf = (alias: string) => `json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'status',
  ${alias}.status, 'isDefault', ${alias}.is_default, 'active', ${alias}.active, 'color', ${alias}.color, 'sortOrder',
  ${alias}.sort_order)`
/** A list of a case, `c`, in its order. */
const listOf = (object: string, from: string, order: string) =>
  `(select coalesce(json_agg(json_build_object(${object}) order by ${order}), '[]'::json) from ${from})`

const MEMBERS = listOf(
  `'role', m.role, 'user', m.user_id, 'extension', m.extension_id, 'startedAtMs', m.started_at_ms, 'endedAtMs',
   m.ended_at_ms, 'who', ${userOf('u')}`,
  'activity_members m left join users u on u.id = m.user_id where m.activity_id = c.activity_id',
  'm.id',
)
const LINKS = listOf(
  `'type', l.type, 'from', l.from_id, 'to', l.to_id`,
  `(select * from activity_links where to_id = c.activity_id union
    select * from activity_links where from_id = c.activity_id) l`,
  'l.type, l.from_id, l.to_id',
)

/** A `CaseText` of `case_texts t` and its `users u`. */
export const CASE_TEXT = `'id', t.id, 'case', t.case_id, 'text', t.text, 'isInternal', t.is_internal,
  'isExternalUpdate', t.is_external_update, 'creator', ${userOf('u')}, 'createdAtMs', t.created_at_ms`
const TEXTS = listOf(
  CASE_TEXT,
  'case_texts t left join users u on u.id = t.creator_id where t.case_id = c.activity_id',
  't.id',
)
const LOGS = listOf(
  `'what', g.what, 'was', g.was, 'becomes', g.becomes, 'why', g.why, 'by', ${userOf('u')}, 'atMs', g.at_ms`,
  'case_logs g left join users u on u.id = g.user_id where g.case_id = c.activity_id',
  'g.id',
)
const TAGS = listOf(
  `'id', t.id, 'name', t.name`,
  'activity_tags at join tags t on t.id = at.tag_id where at.activity_id = c.activity_id',
  't.name',
)
const FILES = listOf(
  `'id', f.id, 'kind', f.kind, 'fileName', f.file_name, 'mimeType', f.mime_type, 'sizeBytes', f.size_bytes,
   'createdAtMs', f.created_at_ms`,
  'files f where f.activity_id = c.activity_id',
  'f.id',
)
const VALUES = listOf(
  `'field', v.field_id, 'name', p.name, 'value', v.value`,
  'case_values v join property_fields p on p.id = v.field_id where v.case_id = c.activity_id',
  'v.field_id',
)

/** Whole cases, newest first; `which` selects their ids. */
const whole = (which: string) => `
select row_to_json(r) as record, c.seq_no as number, a.created_at_ms as "createdAtMs", ${userOf('creator')} as creator,
  ${statusOf('s')} as custom, ${statusOf('o')} as "lastOpen",
  json_build_object('id', p.id, 'name', p.name, 'level', p.level, 'isDefault', p.is_default, 'active', p.active,
    'color', p.color, 'sortOrder', p.sort_order) as priority,
  case when g.id is not null then json_build_object('id', g.id, 'name', g.name, 'parent', g.parent_id, 'active',
    g.active, 'sortOrder', g.sort_order) end as category,
  case when t.id is not null then json_build_object('id', t.id, 'name', t.title) end as team,
  ${MEMBERS} as members, ${LINKS} as links, ${TEXTS} as texts, ${LOGS} as logs, ${TAGS} as tags, ${FILES} as files,
  ${VALUES} as values
  from cases c
  join activities a on a.id = c.activity_id
  cross join lateral (select ${CASE_RECORD}) r
  join ems_statuses s on s.id = c.ems_status_id
  join ems_statuses o on o.id = c.last_open_ems_status_id
  join priorities p on p.id = c.priority_id
  left join categories g on g.id = c.category_id
  left join teams t on t.id = c.team_id
  left join users creator on creator.id = a.creator_id
 where c.activity_id = any(${which}) order by c.activity_id desc`

// Prepared: planning takes several times as long as the execution.
const WHOLE: Prepared = { name: 'whole-cases', text: whole('$1') }
const WHOLE_OF_IDS: Prepared = {
  name: 'whole-cases-of-ids',
  text: whole(`array(select i.activity_id from cases i
    where i.corporation_id = any($1) and i.activity_id = any($2) order by i.activity_id desc limit $3 offset $4)`),
}

/** One whole case, as the transaction sees it. It must exist. */
export async function wholeCase(transaction: Transaction, id: ActivityId): Promise<Case> {
  return (await ask<Case>(transaction, WHOLE, [[id]]))[0]!
}

export const caseSearch = {
  async searchCases({ api }, search) {
    const criteria = criteriaOf(search)
    const from = `from cases c left join activities a on a.id = c.activity_id where ${criteria.where}`
    const values = [...criteria.values]
    const count = () => countOf(api, from, values)
    const cases = isOfIdsAlone(search)
      ? await query<Case>(api, WHOLE_OF_IDS, [search.corporations, search.ids, search.rowsMax, search.offset])
      : await windowOf(api, from, criteria, search)
    return { found: await totalOf(search, cases.length, count), cases }
  },
} satisfies Partial<In<CaseRepository>>

/** Not prepared: a common status and a rare one need different plans. */
async function windowOf(api: Pool, from: string, criteria: Criteria, { offset, rowsMax }: Window): Promise<Case[]> {
  const window = `limit ${criteria.bind(rowsMax)} offset ${criteria.bind(offset)}`
  const text = `select c.activity_id as id ${from} order by c.activity_id desc ${window}`
  const ids = await query<{ id: ActivityId }>(api, text, criteria.values)
  return ids.length === 0 ? [] : query<Case>(api, WHOLE, [ids.map(({ id }) => id)])
}

function isOfIdsAlone({ ids, corporations, offset, rowsMax, ...others }: CaseSearch): boolean {
  return ids !== undefined && Object.values(others).every((value) => value === undefined)
}

/** Some conditions need `a`; without them the planner removes the join. */
function criteriaOf(search: CaseSearch): Criteria {
  const { corporations, ids, numbers, statuses, customs, teams, extensions, assigned, text } = search
  const assignedTo = (name: string) => `c.activity_id in (select m.activity_id from activity_members m
     where m.role = 1 and m.ended_at_ms is null and m.user_id = any(${name}::bigint[]))`
  const contains = (name: string) => `c.activity_id in (
    select s.id from activities s where s.kind = 'case' and lower(s.subject) like lower(${name}) union all
    select t.case_id from case_texts t where lower(t.text) like lower(${name}))`
  return new Criteria()
    .add(corporations, (name) => `c.corporation_id = any(${name}::bigint[])`)
    .add(ids, (name) => `c.activity_id = any(${name}::bigint[])`)
    .add(numbers, (name) => `c.seq_no = any(${name}::bigint[])`)
    .add(statuses, (name) => `c.status = any(${name}::smallint[])`)
    .add(customs, (name) => `c.ems_status_id = any(${name}::bigint[])`)
    .add(teams, (name) => `c.team_id = any(${name}::bigint[])`)
    .add(extensions, (name) => `a.extension_id = any(${name}::bigint[])`)
    .add(assigned, assignedTo)
    .add(search.updatedFromMs, (name) => `a.updated_at_ms >= ${name}`)
    .add(search.updatedToMs, (name) => `a.updated_at_ms <= ${name}`)
    .add(text === undefined ? undefined : partOf(text), contains)
}

/** Escapes the searched text: it is never a pattern (F-I10). */
function partOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
