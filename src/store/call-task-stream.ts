import { type Expression, sql } from 'kysely'
import type { PoolClient } from 'pg'
import Cursor from 'pg-cursor'
import { assert } from '../kernel/assert.ts'
import type { CallTaskSearch, CallTaskStream, StreamedField } from '../ports/call-task.ts'
import { countCallTasks, fields, selectPage } from './call-task-search.ts'
import type { Pools } from './pools.ts'
import { asUnavailable } from './transaction.ts'

/** Read at a time: enough to be quick, little enough that nothing else of the process waits. */
const ROWS_AT_A_TIME = 500
/** A reader that is slower than this loses its connection: others want it too. */
const STREAM_TIMEOUT_MS = 60_000

/**
 * A long page as JSON texts that the database made: 50,000 rows as objects would stop the event loop for half a
 * second. Rows wait in the database until the reader takes them.
 */
export async function streamCallTasks(
  pools: Pools,
  search: CallTaskSearch,
  names: Readonly<Record<string, StreamedField>>,
): Promise<CallTaskStream> {
  assert(Object.keys(names).length > 0, 'a stream has at least one field')
  const all = fields(search.atMs)
  const columns = Object.entries(names).map(([name, field]) => [name, shape(all[field.of], field.as)] as const)
  const page = selectPage(search, Object.fromEntries(columns))
  const text = `select row_to_json(page)::text as row from (${page.sql}) page`
  return { foundRows: await countCallTasks(pools, search), rows: readRows(pools, text, page.parameters) }
}

/** As it is, as ISO 8601 in UTC with milliseconds, or as the code of its word (null for a word without one). */
function shape(column: Expression<unknown>, as: StreamedField['as']): Expression<unknown> {
  if (as === undefined) return column
  if (as !== 'instant') return sql`(${JSON.stringify(as)}::jsonb -> (${column}))`
  return sql`to_char(to_timestamp(${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

async function* readRows({ api }: Pools, text: string, values: readonly unknown[]): AsyncGenerator<readonly string[]> {
  let client: PoolClient | undefined
  let failure: Error | undefined
  try {
    client = await api.connect()
    client.on('error', ignore)
    await client.query(`begin read only; set local statement_timeout = ${STREAM_TIMEOUT_MS}`)
    const cursor = client.query(new Cursor<{ row: string }>(text, [...values]))
    try {
      for (;;) {
        const rows = await cursor.read(ROWS_AT_A_TIME)
        if (rows.length === 0) return
        yield rows.map(({ row }) => row)
      }
    } finally {
      await cursor.close()
      await client.query('rollback')
    }
  } catch (error) {
    failure = error as Error
    throw asUnavailable(error)
  } finally {
    client?.off('error', ignore)
    client?.release(failure)
  }
}

/** Whoever reads learns of a broken connection by the read. */
function ignore(): void {}
