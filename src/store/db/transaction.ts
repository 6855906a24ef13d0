import type { Pool } from 'pg'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import { awaitsIntent, writeIntent } from './audit-intent.ts'
import type { Transaction } from './connection.ts'

/** A statement that a connection prepares once, under its name, and then only carries out. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

/** Deadlocks and failed serializations: repeated from the start, so often at the most (F-D6). */
const TRIES_MAX = 5
const REPEATABLE = ['40001', '40P01']

/** A statement that only shows. */
const SHOWS = /^\s*select\b/i

/** Not now: connection (08), resources (53), shutdown (57P), files (58), timeouts, read-only, ECONNREFUSED … */
const NOT_NOW = /^(08|53|57P|58|E[A-Z]{3})|^(57014|55P03|25P03|25006|40001|40P01)$/
/** What `pg` says itself about connections and their pool; these errors have no state. */
const DRIVER_COMPLAINT = /connect|timeout|terminated|queryable|cannot use a pool/i

/** READ COMMITTED. `work` may run again: it only asks the database. `begin` may lock. Rejects if unavailable. */
export async function inTransaction<T>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  for (let triesLeft = TRIES_MAX; ; triesLeft--) {
    try {
      return await attempt(pool, work, begin)
    } catch (error) {
      if (triesLeft > 1 && REPEATABLE.includes(stateOf(error))) continue
      throw asUnavailable(error)
    }
  }
}

/** One statement by itself; one that may change something brings the intent of its change with it. */
export async function query<Row>(pool: Pool, statement: string | Prepared, values: readonly unknown[]): Promise<Row[]> {
  if (awaitsIntent() && !SHOWS.test(typeof statement === 'string' ? statement : statement.text)) {
    return inTransaction(pool, (transaction) => ask<Row>(transaction, statement, values))
  }
  for (let triesLeft = TRIES_MAX; ; triesLeft--) {
    try {
      return await ask<Row>(pool, statement, values)
    } catch (error) {
      if (triesLeft > 1 && REPEATABLE.includes(stateOf(error))) continue
      throw asUnavailable(error)
    }
  }
}

/** The rows that a statement answers, as part of a transaction. */
export async function ask<Row>(
  asked: Pick<Pool, 'query'> | Transaction,
  statement: string | Prepared,
  values: readonly unknown[],
): Promise<Row[]> {
  const prepared = typeof statement === 'string' ? { text: statement } : statement
  const { rows } = await asked.query({ ...prepared, values: [...values] })
  return rows as Row[]
}

/** `DatabaseUnavailable` for what an outage does; everything else is our mistake and stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (!isDriverComplaint(error) && !NOT_NOW.test(stateOf(error))) return error
  return new DatabaseUnavailable(`the database did not do it just now: ${error.message}`, { cause: error })
}

async function attempt<T>(pool: Pool, work: (transaction: Transaction) => Promise<T>, begin: string): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // Without a listener a connection that breaks between two statements would end the process.
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query(begin)
    const result = await work(client)
    const onCommit = await writeIntent(client)
    await client.query('commit')
    onCommit()
    return result
  } catch (error) {
    // A connection that is gone or silent, or cannot even roll back, is thrown away: the server rolls back by itself.
    if (isDriverComplaint(error)) broken = error
    else {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    }
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

function isDriverComplaint(error: unknown): error is Error {
  return error instanceof Error && stateOf(error) === '' && DRIVER_COMPLAINT.test(error.message)
}

/** The SQL state, or the system's word for a connection that failed; empty when the driver itself complains. */
function stateOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}
