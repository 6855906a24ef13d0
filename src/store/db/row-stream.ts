import type { Pool, PoolClient } from 'pg'
import Cursor from 'pg-cursor'
import type { Pools } from './pools.ts'
import { asUnavailable } from './transaction.ts'

/** Rows per read: enough to be fast, few enough not to delay other work of the process. */
const ROWS_AT_A_TIME = 250
/** A slower reader loses its connection: other requests need it. */
const STREAM_TIMEOUT_MS = 60_000

/**
 * The rows of a statement as JSON texts that the database made: 50,000 rows as objects would stop the event loop for
 * half a second. Rows wait in the database until the reader takes them. The first rows are read before this resolves:
 * an unavailable database rejects here. A reader that stops early must leave the loop, or call `return`.
 */
export async function streamRows(
  { api }: Pick<Pools, 'api'>,
  text: string,
  values: readonly unknown[],
): Promise<AsyncIterable<readonly string[]>> {
  const reading = readRows(api, `select row_to_json(page)::text as row from (${text}) page`, values)
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

async function* readRows(api: Pool, text: string, values: readonly unknown[]): AsyncGenerator<readonly string[]> {
  let client: PoolClient | undefined
  let failure: Error | undefined
  let last: readonly string[] = []
  try {
    client = await api.connect()
    client.on('error', ignore)
    await client.query(`begin read only; set local statement_timeout = ${STREAM_TIMEOUT_MS}`)
    const cursor = client.query(new Cursor<{ row: string }>(text, [...values]))
    try {
      for (;;) {
        const rows = (await cursor.read(ROWS_AT_A_TIME)).map(({ row }) => row)
        last = rows
        if (rows.length < ROWS_AT_A_TIME) break
        yield rows
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
  // The connection is released before the reader takes the last rows.
  if (last.length > 0) yield last
}

/** The read itself rejects when the connection breaks. */
function ignore(): void {}
