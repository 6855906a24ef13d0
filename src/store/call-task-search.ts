import {
  type CompiledQuery,
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SqlBool,
  sql,
} from 'kysely'
import type { AtMs } from '../kernel/clock.ts'
import type { CallTask, CallTaskFilter, CallTaskSearch, Span } from '../ports/call-task.ts'
import type { Pools } from './pools.ts'
import { query } from './transaction.ts'

/** One page of summaries, and how many there are on all pages (D-09). */
export async function searchCallTasks(
  { api }: Pools,
  search: CallTaskSearch,
): Promise<{ foundRows: number; callTasks: readonly CallTask[] }> {
  const all = fields(search.atMs)
  const page = selectPage(search, all)
  return { foundRows: await countCallTasks({ api }, search), callTasks: await query<CallTask>(api, ...spread(page)) }
}

/** How many call tasks match, on all pages together. */
export async function countCallTasks({ api }: Pick<Pools, 'api'>, search: CallTaskSearch): Promise<number> {
  const found = matching(search).select(({ fn }) => fn.countAll<number>().as('count'))
  const rows = await query<{ count: number }>(api, ...spread(found.compile()))
  return rows[0]!.count
}

/** One page with the given columns under the given names. */
export function selectPage(search: CallTaskSearch, columns: Readonly<Record<string, Expression<unknown>>>) {
  const sortBy = fields(search.atMs)[search.sort.by]
  // One direction for both keys, so that the pages of either order are each other's mirror.
  const direction = search.sort.descending ? 'desc' : 'asc'
  return matching(search)
    .select(Object.entries(columns).map(([name, column]) => sql`${column}`.as(name)))
    .orderBy(sortBy, (order) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('t.id', direction)
    .limit(search.rowsMax)
    .offset(search.page * search.rowsMax)
    .compile()
}

/** The SQL of each field of a summary. What is read off the clock and the campaign is worked out here. */
export function fields(atMs: AtMs): Readonly<Record<keyof CallTask, Expression<unknown>>> {
  return {
    id: sql.ref('t.id'),
    campaign: sql.ref('t.campaign_id'),
    receiverName: sql.ref('t.receiver_name'),
    externalCustomer: sql.ref('t.external_customer'),
    externalCaseNumber: sql.ref('t.external_case_number'),
    status: shownStatus(atMs),
    finished: sql`(t.finished_at_ms is not null)`,
    answered: sql.ref('t.answered'),
    attemptsCounted: sql.ref('t.attempts_counted'),
    nextCallAtMs: sql.ref('t.next_call_at_ms'),
    lastCallAtMs: sql.ref('t.last_call_at_ms'),
    callbackAtMs: sql.ref('t.callback_at_ms'),
    createdAtMs: sql.ref('t.created_at_ms'),
    updatedAtMs: sql.ref('t.updated_at_ms'),
  }
}

/** As much of the tables as the clauses below name themselves; conditions name their columns by `sql.ref`. */
interface Tables {
  readonly call_tasks: { readonly id: number; readonly campaign_id: number }
  readonly campaigns: { readonly id: number }
}

/** Kysely writes the statements; they are carried out by our pools, like all others. */
const writer = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

function matching({ filter, atMs }: CallTaskSearch) {
  return writer
    .selectFrom('call_tasks as t')
    .innerJoin('campaigns as c', 'c.id', 't.campaign_id')
    .where(({ and }) => and(conditions(filter, atMs)))
}

function shownStatus(atMs: AtMs): Expression<unknown> {
  return sql`case when t.status in ('new', 'waiting', 'callback') and not c.active then 'paused'
    when t.status = 'waiting' and t.next_call_at_ms <= ${atMs} then 'ready' else t.status end`
}

/** Values always travel beside the text of the statement, never in it. */
function conditions(filter: CallTaskFilter, atMs: AtMs): Expression<SqlBool>[] {
  const among = (column: Expression<unknown>, values: readonly unknown[] | undefined) =>
    values === undefined ? [] : [sql<SqlBool>`${column} = any(${[...values]})`]
  const { numbers, hasCallback } = filter
  return [
    ...among(sql.ref('t.corporation_id'), filter.corporations),
    ...among(sql.ref('t.id'), filter.ids),
    ...among(sql.ref('t.campaign_id'), filter.campaigns),
    ...among(sql.ref('t.external_system_id'), filter.externalSystems),
    ...among(sql.ref('t.external_case_number'), filter.externalCaseNumbers),
    ...among(sql.ref('t.external_customer'), filter.externalCustomers),
    ...among(sql`(${shownStatus(atMs)})`, filter.statuses),
    ...among(sql.ref('t.answered'), filter.answered),
    ...among(sql`(t.finished_at_ms is not null)`, filter.finished),
    ...(hasCallback === undefined ? [] : [sql<SqlBool>`(t.callback_at_ms is not null) = ${hasCallback}`]),
    ...(numbers === undefined ? [] : [hasNumber(numbers)]),
    ...within('t.created_at_ms', filter.createdAtMs),
    ...within('t.last_call_at_ms', filter.lastCallAtMs),
    ...within('t.next_call_at_ms', filter.nextCallAtMs),
    ...within('t.callback_at_ms', filter.callbackAtMs),
  ]
}

function hasNumber(numbers: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`t.id in (select task_id from call_task_numbers where number = any(${[...numbers]}))`
}

function within(column: string, span: Span | undefined): Expression<SqlBool>[] {
  const from = span?.from === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} >= ${span.from}`]
  const to = span?.to === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} < ${span.to}`]
  return [...from, ...to]
}

function spread({ sql: text, parameters }: CompiledQuery): [string, readonly unknown[]] {
  return [text, parameters]
}
