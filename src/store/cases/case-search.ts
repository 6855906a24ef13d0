/** Finds cases, and reads whole ones in one statement. */

import type { Pool } from 'pg'
import type { ActivityId } from '../../kernel/ids.ts'
import type { Case, CaseRepository, CaseSearch, FoundCase, LongList } from '../../ports/case-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { Criteria, countOf, totalOf, type Window } from '../db/criteria.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared, query } from '../db/transaction.ts'
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
/** A log of `case_logs g` and its `users u`. */
export const CASE_LOG = `'what', g.what, 'was', g.was, 'becomes', g.becomes, 'why', g.why, 'by', ${userOf('u')},
  'atMs', g.at_ms`
const LOGS = listOf(
  CASE_LOG,
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

/** Whole cases of the ids `$1`, newest first, with the long lists `$2`. Planning takes longer than the execution. */
const WHOLE: Prepared = {
  name: 'whole-cases',
  text: `
select row_to_json(r) as record, c.seq_no as number, a.created_at_ms as "createdAtMs", ${userOf('creator')} as creator,
  ${statusOf('s')} as custom, ${statusOf('o')} as "lastOpen",
  json_build_object('id', p.id, 'name', p.name, 'level', p.level, 'isDefault', p.is_default, 'active', p.active,
    'color', p.color, 'sortOrder', p.sort_order) as priority,
  case when g.id is not null then json_build_object('id', g.id, 'name', g.name, 'parent', g.parent_id, 'active',
    g.active, 'sortOrder', g.sort_order) end as category,
  case when t.id is not null then json_build_object('id', t.id, 'name', t.title) end as team,
  ${MEMBERS} as members, ${LINKS} as links, ${TAGS} as tags, ${FILES} as files, ${VALUES} as values,
  case when 'texts' = any($2) then ${TEXTS} else '[]' end as texts,
  case when 'logs' = any($2) then ${LOGS} else '[]' end as logs
  from cases c
  join activities a on a.id = c.activity_id
  cross join lateral (select ${CASE_RECORD}) r
  join ems_statuses s on s.id = c.ems_status_id
  join ems_statuses o on o.id = c.last_open_ems_status_id
  join priorities p on p.id = c.priority_id
  left join categories g on g.id = c.category_id
  left join teams t on t.id = c.team_id
  left join users creator on creator.id = a.creator_id
 where c.activity_id = any($1) order by c.activity_id desc`,
}

/** A page of the cases `i` and the bytes of their long lists. */
const sized = (ids: string) => `
select i.*, json_build_object(
    'texts', (select coalesce(sum(octet_length(t.text)), 0) from case_texts t where t.case_id = i.id),
    'logs', (select coalesce(sum(pg_column_size(g)), 0) from case_logs g where g.case_id = i.id)) as bytes
  from (${ids}) i order by i.id desc`

const OF_IDS: Prepared = {
  name: 'cases-of-ids',
  text: sized(`select c.activity_id as id from cases c where c.corporation_id = any($1) and c.activity_id = any($2)
    order by c.activity_id desc limit $3 offset $4`),
}

/** One whole case, as the transaction sees it. It must exist. */
export async function wholeCase(transaction: Transaction, id: ActivityId): Promise<Case> {
  return (await ask<Case>(transaction, WHOLE, [[id], LONG_LISTS]))[0]!
}

const LONG_LISTS = ['texts', 'logs']

/** The entries of the case `$1` after `$2`, until `$3` bytes are reached. Sizes are known without reading the texts. */
const entries = (alias: string, table: string, bytes: string, entry: string, user: string) => `
select ${alias}.id, json_build_object(${entry}) as entry
  from ${table} ${alias} left join users u on u.id = ${alias}.${user}
 where ${alias}.id in (
   select s.id from (
     select ${alias}.id, sum(${bytes}) over (order by ${alias}.id) - ${bytes} as before
       from ${table} ${alias} where ${alias}.case_id = $1 and ${alias}.id > $2) s
    where s.before < $3)
 order by ${alias}.id`
const ENTRIES: Readonly<Record<LongList, Prepared>> = {
  texts: {
    name: 'texts-of-a-case',
    text: entries('t', 'case_texts', 'octet_length(t.text)', CASE_TEXT, 'creator_id'),
  },
  logs: { name: 'logs-of-a-case', text: entries('g', 'case_logs', 'pg_column_size(g)', CASE_LOG, 'user_id') },
}

export const caseSearch = {
  async searchCases({ api, searches }, search) {
    if (search.text !== undefined) return searchWords(searches, search, search.text)
    const criteria = criteriaOf(search)
    const from = `${CASES} where ${criteria.where}`
    const values = [...criteria.values]
    const count = () => countOf(api, from, values)
    const cases = isOfIdsAlone(search)
      ? await query<FoundCase>(api, OF_IDS, [search.corporations, search.ids, search.rowsMax, search.offset])
      : await query<FoundCase>(api, windowOf(`select c.activity_id as id ${from}`, criteria, search), criteria.values)
    return { found: await totalOf(search, cases.length, count), cases }
  },

  async readCases({ streams }, ids, lists) {
    return query<Case>(streams, WHOLE, [ids, lists])
  },

  async readEntries({ streams }, list, id, after, bytesMax) {
    return query(streams, ENTRIES[list], [id, after, bytesMax])
  },
} satisfies Partial<In<CaseRepository>>

const CASES = 'from cases c left join activities a on a.id = c.activity_id'
/** How many ids back a search of words looks first: a common word fills its page with the newest cases. */
const FIRST_LOOK = 12_000
/** To start workers, or to compile, takes longer than the whole search. */
const ALONE = 'begin read only; set local max_parallel_workers_per_gather = 0; set local jit = off'

/** Counts only as far back as it looked: all, unless newer cases filled the page (cases-17). */
async function searchWords(searches: Pool, search: CaseSearch, text: string) {
  const work = async (transaction: Transaction) => {
    const newest = `select coalesce(max(activity_id), 0) as id from cases`
    const [last] = await ask<{ id: number }>(transaction, newest, [])
    const since = last!.id - FIRST_LOOK
    const first = since > 0 ? await look(transaction, search, text, since) : undefined
    return first?.cases.length === search.rowsMax ? first : look(transaction, search, text, 0)
  }
  return inTransaction(searches, work, ALONE)
}

/** Of the cases after an id, all of them for 0. The sum keeps the planner from walking all cases in their order. */
async function look(transaction: Transaction, search: CaseSearch, text: string, after: number) {
  const criteria = criteriaOf(search)
  const part = criteria.bind(text)
  const having = after === 0 ? withPart(part) : newWithPart(part, criteria.bind(after))
  const where = `${criteria.where} and c.activity_id in (${having})`
  const values = [...criteria.values]
  const window = windowOf(
    `select c.activity_id + 0 as id, count(*) over () as found ${CASES} where ${where}`,
    criteria,
    search,
  )
  const rows = await ask<FoundCase & { readonly found: number }>(transaction, window, criteria.values)
  const count = async () => {
    const [all] = await ask<{ found: number }>(transaction, `select count(*) as found ${CASES} where ${where}`, values)
    return all!.found
  }
  // Beyond the last page no row carries the count.
  const found = rows[0]?.found ?? (search.offset === 0 ? 0 : await count())
  return { found, cases: rows.map(({ id, bytes }) => ({ id, bytes })) }
}

/** Not prepared: a common status and a rare one need different plans. */
function windowOf(ids: string, criteria: Criteria, { rowsMax, offset }: Window): string {
  return sized(`${ids} order by id desc limit ${criteria.bind(rowsMax)} offset ${criteria.bind(offset)}`)
}

function isOfIdsAlone({ ids, corporations, offset, rowsMax, ...others }: CaseSearch): boolean {
  return ids !== undefined && Object.values(others).every((value) => value === undefined)
}

/** Some conditions need `a`; without them the planner removes the join. */
function criteriaOf(search: CaseSearch): Criteria {
  const { corporations, ids, numbers, statuses, customs, teams, extensions, assigned } = search
  const assignedTo = (name: string) => `c.activity_id in (select m.activity_id from activity_members m
     where m.role = 1 and m.ended_at_ms is null and m.user_id = any(${name}::bigint[]))`
  return new Criteria()
    .add(corporations, (name) => `c.corporation_id = any(${name}::bigint[])`)
    .add(ids, (name) => `c.activity_id = any(${name}::bigint[])`)
    .add(numbers, (name) => `c.seq_no = any(${name}::bigint[])`)
    .add(statuses, (name) => `c.status = any(${name}::smallint[])`)
    .add(customs, (name) => `c.ems_status_id = any(${name}::bigint[])`)
    .add(teams, (name) => `c.team_id = any(${name}::bigint[])`)
    .add(extensions, (name) => `a.extension_id = any(${name}::bigint[])`)
    .add(assigned, assignedTo)
    .add(search.below, (name) => `c.activity_id < ${name}`)
    .add(search.updatedFromMs, (name) => `a.updated_at_ms >= ${name}`)
    .add(search.updatedToMs, (name) => `a.updated_at_ms <= ${name}`)
}

/** The cases with the part in their title, in a comment, or in an email of theirs or of a conversation of theirs. */
function withPart(part: string): string {
  const has = (folded: string) => `${folded} like folded_part(${part})`
  return `
    with named as materialized (
      select s.id, s.kind from activities s where s.kind <> 'conversation' and ${has('s.folded')}
    ), mail as materialized (
      select id from named where kind = 'email' union all
      select e.activity_id from emails e where ${has('e.folded')})
    select id from named where kind = 'case' union all
    select t.case_id from case_texts t where ${has('t.folded')} union all
    select k.to_id from mail join activity_links k on k.from_id = mail.id and k.type = 14 union all
    select k.to_id from mail join activity_links l on l.from_id = mail.id and l.type = 13
      join activity_links k on k.from_id = l.to_id and k.type = 14`
}

/**
 * Those after an id: from the cases to what they say, not the other way. The concatenation hides the column from the
 * trigram index, which would find a common word in all cases before it looked at the new ones.
 */
function newWithPart(part: string, after: string): string {
  const has = (folded: string) => `(${folded} || '') like folded_part(${part})`
  return `
    select s.id from activities s where s.kind = 'case' and s.id > ${after} and ${has('s.folded')} union all
    select t.case_id from case_texts t where t.case_id > ${after} and ${has('t.folded')} union all
    select k.to_id from activity_links k join activity_links l on l.to_id = k.from_id and l.type = 13
      join activities s on s.id = l.from_id left join emails e on e.activity_id = s.id
     where k.to_id > ${after} and k.type = 14 and (${has('s.folded')} or ${has('e.folded')}) union all
    select k.to_id from activity_links k join emails e on e.activity_id = k.from_id
      join activities s on s.id = e.activity_id
     where k.to_id > ${after} and k.type = 14 and (${has('s.folded')} or ${has('e.folded')})`
}
