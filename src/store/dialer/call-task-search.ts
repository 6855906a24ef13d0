import type { CallTaskSearch, Span } from '../../ports/call-task.ts'
import { countOf } from '../db/criteria.ts'
import { type NamedColumn, storedList } from '../db/json-rows.ts'
import type { Pools } from '../db/pools.ts'
import { seenBy } from '../db/seen-by.ts'
import { joined, type Sql, sql, written } from '../db/sql.ts'
import { callTaskColumns } from './call-task-columns.ts'

/** How many call tasks match, on all pages together. */
export async function countCallTasks({ api }: Pick<Pools, 'api'>, search: CallTaskSearch): Promise<number> {
  return countOf(api, ...written(matching(search, search.filter.statuses !== undefined)))
}

/** Rows are ordered by ids alone first: columns of skipped rows cost seconds. A first page by id needs no such step. */
export function selectPage(search: CallTaskSearch, columns: readonly NamedColumn[]): Sql {
  const skipped = search.after ? 0 : search.page * search.rowsMax
  const page = sql`limit ${search.rowsMax} offset ${skipped}`
  const [list, by] = [storedList(columns), order(search)]
  if (search.sort.by === 'id' && skipped === 0) {
    return sql`select ${list} ${matching(search, true, following(search))} order by ${by} ${page}`
  }
  const needsCampaign = search.filter.statuses !== undefined || search.sort.by === 'status'
  return sql`select ${list}
    from (select t.id ${matching(search, needsCampaign, following(search))} order by ${by} ${page}) found
    join call_tasks t on t.id = found.id join campaigns c on c.id = t.campaign_id order by ${by}`
}

/** One direction for both keys: the pages of the two orders mirror each other. */
function order(search: CallTaskSearch): Sql {
  const direction = search.sort.descending ? sql`desc` : sql`asc`
  if (search.sort.by === 'id') return sql`t.id ${direction}`
  return sql`${sortedBy(search)} ${direction} nulls last, t.id ${direction}`
}

function sortedBy({ sort: { by, rank }, atMs }: CallTaskSearch): Sql {
  const column = callTaskColumns(atMs)[by]
  return rank === undefined ? column : sql`(${JSON.stringify(rank)}::jsonb ->> (${column}))::integer`
}

/** What comes in that order after the last row of a page. A cast: a client may name a number that no column holds. */
function following(search: CallTaskSearch): Sql[] {
  const { sort, after } = search
  if (!after) return []
  const beyond = sort.descending ? sql`<` : sql`>`
  const ofId = sql`t.id ${beyond} ${after.id}::bigint`
  if (sort.by === 'id') return [ofId]
  const column = sql`(${sortedBy(search)})`
  if (after.value === null) return [sql`${column} is null`, ofId]
  const value = typeof after.value === 'string' ? sql`${after.value}::text` : sql`${after.value}::bigint`
  return [sql`(${column} ${beyond} ${value} or ${column} is null or (${column} = ${value} and ${ofId}))`]
}

/** The campaign says whether a task is paused; a statement that does not ask need not look. */
function matching(search: CallTaskSearch, withCampaign: boolean, also: readonly Sql[] = []): Sql {
  const campaigns = withCampaign ? sql`join campaigns c on c.id = t.campaign_id` : sql``
  return sql`from call_tasks t ${campaigns} where ${joined([...conditions(search), ...also], ' and ')}`
}

/** Values always travel beside the text of the statement, never in it. */
function conditions({ filter, atMs }: CallTaskSearch): Sql[] {
  // For one value, an index yields rows in the order of ids; for several values it does not.
  const among = (column: Sql, values: readonly unknown[] | undefined) => {
    if (values === undefined) return []
    return [values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${[...values]})`]
  }
  const columns = callTaskColumns(atMs)
  const { numbers, hasCallback, feedbackTypes, outcomes, externalSystemCodes } = filter
  return [
    ...among(columns.corporation, filter.corporations),
    ...seenBy(filter.seenBy, 'task'),
    ...among(columns.id, filter.ids),
    ...among(columns.campaign, filter.campaigns),
    ...among(columns.externalSystem, filter.externalSystems),
    ...among(columns.externalCaseNumber, filter.externalCaseNumbers),
    ...among(columns.externalCustomer, filter.externalCustomers),
    ...among(columns.assignedUser, filter.assignedUsers),
    ...among(sql`(${columns.status})`, filter.statuses),
    ...among(columns.answered, filter.answered),
    ...among(columns.finished, filter.finished),
    ...(hasCallback === undefined ? [] : [sql`(t.callback_at_ms is not null) = ${hasCallback}`]),
    ...(numbers === undefined ? [] : [hasNumber(numbers)]),
    ...(feedbackTypes === undefined ? [] : [hasFeedback(feedbackTypes)]),
    ...(outcomes === undefined ? [] : [hasOutcome(outcomes)]),
    ...(externalSystemCodes === undefined ? [] : [isOfSystem(externalSystemCodes)]),
    ...(filter.importIds === undefined ? [] : [isOfImport(filter.importIds)]),
    ...within(sql`t.created_at_ms`, filter.createdAtMs),
    ...within(sql`t.last_call_at_ms`, filter.lastCallAtMs),
    ...within(sql`t.next_call_at_ms`, filter.nextCallAtMs),
    ...within(sql`t.callback_at_ms`, filter.callbackAtMs),
  ]
}

function hasNumber(numbers: readonly string[]): Sql {
  return sql`t.id in (select task_id from call_task_numbers where number = any(${[...numbers]}))`
}

function hasFeedback(types: readonly string[]): Sql {
  return sql`t.id in (select task_id from feedback where feedback_type = any(${[...types]}))`
}

function hasOutcome(outcomes: readonly number[]): Sql {
  return sql`t.id in (select task_id from feedback where outcome_id = any(${[...outcomes]}))`
}

function isOfSystem(codes: readonly string[]): Sql {
  return sql`t.external_system_id in (select id from external_systems where code = any(${[...codes]}))`
}

/** Each piece of a large import is stored as an import of its own. */
function isOfImport(importIds: readonly string[]): Sql {
  return sql`t.import_id in (select id from imports where whole_id = any(${[...importIds]}))`
}

function within(column: Sql, span: Span | undefined): Sql[] {
  const from = span?.from === undefined ? [] : [sql`${column} >= ${span.from}`]
  const to = span?.to === undefined ? [] : [sql`${column} < ${span.to}`]
  return [...from, ...to]
}
