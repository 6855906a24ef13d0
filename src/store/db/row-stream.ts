import type { Pool, PoolClient } from 'pg'
import Cursor from 'pg-cursor'
import type { NamedColumn } from './json-rows.ts'
import { writerOf } from './json-values.ts'
import type { Pools } from './pools.ts'
import { type Sql, written } from './sql.ts'
import { asUnavailable } from './transaction.ts'

/** Rows per read: enough to be fast, few enough not to delay other work of the process. */
const ROWS_AT_A_TIME = 250
/** A page of no more rows waits in memory: however slow its reader, it keeps no connection. */
const SHORT_ROWS_MAX = 1_000
/** A slower reader loses its connection: other pages need it. */
const STREAM_TIMEOUT_MS = 60_000

/**
 * The rows of a statement that selects `columns` (`storedList`), as JSON texts (storage-05). They are written a few at
 * a time, because 50,000 rows at once would stop the event loop for half a second. Rows wait in the database until the
 * reader takes them, unless there are few. The first rows are read before this resolves: an unavailable database
 * rejects here. A reader that stops early must leave the loop, or call `return`. `rowsMax`: of the statement.
 */
export async function streamRows(
  { api, streams }: Pick<Pools, 'api' | 'streams'>,
  statement: Sql,
  columns: readonly NamedColumn[],
  rowsMax: number,
): Promise<AsyncIterable<readonly string[]>> {
  if (rowsMax <= SHORT_ROWS_MAX) return inMemory(await allOf(readRows(api, statement, columns)))
  const reading = readRows(streams, statement, columns)
  let first: IteratorResult<readonly string[]> | undefined = await reading.next()
  // Not a generator: an unread generator does not notice `return`.
  const rows: AsyncIterableIterator<readonly string[]> = {
    next: async () => {
      const part = first ?? (await reading.next())
      first = undefined
      return part
    },
    return: async () => reading.return(undefined),
    [Symbol.asyncIterator]: () => rows,
  }
  return rows
}

async function allOf<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const all: Part[] = []
  for await (const part of parts) all.push(part)
  return all
}

async function* inMemory<Part>(parts: readonly Part[]): AsyncGenerator<Part> {
  yield* parts
}

async function* readRows(
  pool: Pool,
  statement: Sql,
  columns: readonly NamedColumn[],
): AsyncGenerator<readonly string[]> {
  let client: PoolClient | undefined
  let failure: Error | undefined
  let last: readonly string[] = []
  try {
    client = await pool.connect()
    client.on('error', ignore)
    await client.query(`begin read only; set local statement_timeout = ${STREAM_TIMEOUT_MS}`)
    const keys = columns.map(({ name }, place) => `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    const cursor = client.query(rowsOf(statement, columns))
    let reading = cursor.read(ROWS_AT_A_TIME)
    try {
      for (;;) {
        const rows = await reading
        last = rows.map((row) => objectText(row, keys))
        if (rows.length < ROWS_AT_A_TIME) break
        // The database works on the next part while the reader has this one.
        reading = cursor.read(ROWS_AT_A_TIME)
        reading.catch(ignore)
        yield last
      }
    } finally {
      failure = await reading.then(() => undefined, asError)
      // A failed cursor would wait for ever for the end of a lost connection; the connection is discarded.
      if (!failure) {
        await cursor.close()
        await client.query('rollback')
      }
    }
  } catch (error) {
    failure = error as Error
    throw asUnavailable(error)
  } finally {
    client?.off('error', ignore)
    client?.release(failure)
  }
  // The connection is released before the reader takes the last rows.
  if (last.length > 0) yield last
}

/** Values arrive written as JSON, in the order of the columns. */
type WrittenRow = readonly (string | null)[]

function rowsOf(statement: Sql, columns: readonly NamedColumn[]): Cursor<WrittenRow> {
  const [text, values] = written(statement)
  const unread = [...columns]
  // Asked once for each column, in their order.
  const getTypeParser = (type: number) => writerOf(unread.shift()!, type)
  return new Cursor<WrittenRow>(text, [...values], { rowMode: 'array', types: { getTypeParser } as never })
}

function objectText(row: WrittenRow, keys: readonly string[]): string {
  let text = ''
  for (let place = 0; place < keys.length; place++) text += keys[place]! + (row[place] ?? 'null')
  return `${text}}`
}

function asError(error: unknown): Error {
  return error as Error
}

/** The read itself rejects when the connection breaks. */
function ignore(): void {}
