import type { Pool } from 'pg'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import { awaitsIntent, writeIntent } from './audit-intent.ts'
import type { Transaction } from './connection.ts'

/** A statement that a connection prepares once, under its name, and then only executes. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

/** Maximum of tries of a transaction after deadlocks and failed serializations (F-D6). */
const TRIES_MAX = 5
const REPEATABLE = ['40001', '40P01']

/** A read-only statement. */
const SHOWS = /^\s*select\b/i

/**
 * SQL states of a temporary failure: connection (08), a server that does not let us in (28, 3D000), resources
 * (53), shutdown (57P), files (58), a statement or lock that took too long (57014, 55P03), the limit on idle
 * transactions (25P03), a read-only server (25006), conflicts that outlasted all tries (40001, 40P01), and system codes
 * such as ECONNREFUSED.
 */
const NOT_NOW = /^(08|28|53|57P|58|E[A-Z]{3})|^(3D000|57014|55P03|25P03|25006|40001|40P01)$/
/** What OpenSSL and Node say of a certificate that has expired or is not trusted, such as CERT_HAS_EXPIRED. */
const NO_TRUST = /^(ERR_(TLS|SSL)|(?!ERR_)[A-Z]+)(_[A-Z]+)+$/
/** Errors of `pg` itself about connections and their pool; they have no SQL state. */
const DRIVER_COMPLAINT = /connect|timeout|terminated|queryable|cannot use a pool/i

/**
 * Runs `work` in a transaction (READ COMMITTED) and commits it. `work` may run several times and must do nothing but
 * query the database. `begin` may also take locks, in the same message. Rejects with `DatabaseUnavailable` during an
 * outage.
 */
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

/** One statement as its own transaction; a writing statement also commits the intent of its change. */
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

/** Runs a statement within a transaction and returns its rows. */
export async function ask<Row>(
  asked: Pick<Pool, 'query'> | Transaction,
  statement: string | Prepared,
  values: readonly unknown[],
): Promise<Row[]> {
  const prepared = typeof statement === 'string' ? { text: statement } : statement
  const { rows } = await asked.query({ ...prepared, values: [...values] })
  return rows as Row[]
}

/** `DatabaseUnavailable` for the errors of an outage; any other error is a bug and stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error
  const state = stateOf(error)
  if (!isDriverComplaint(error) && !NOT_NOW.test(state) && !NO_TRUST.test(state)) return error
  return new DatabaseUnavailable(`the database did not do it just now: ${error.message}`, { cause: error })
}

async function attempt<T>(pool: Pool, work: (transaction: Transaction) => Promise<T>, begin: string): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // Without a listener a connection that breaks between two statements would end the process.
  const onError = (error: Error) => {
    broken = error
  }
  let isCommitting = false
  client.on('error', onError)
  try {
    await client.query(begin)
    const result = await work(client)
    const onCommit = await writeIntent(client)
    isCommitting = true
    await client.query('commit')
    onCommit()
    return result
  } catch (error) {
    // A broken connection, or one that cannot roll back, is discarded: the server then rolls back on its own.
    if (isDriverComplaint(error)) broken = error
    else {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    }
    throw isCommitting ? asUnanswered(error) : error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** Of a commit: a conflict has undone it; of an outage nobody knows. */
function asUnanswered(error: unknown): unknown {
  const known = REPEATABLE.includes(stateOf(error)) ? error : asUnavailable(error)
  if (known instanceof DatabaseUnavailable) known.mayBeDone = true
  return known
}

function isDriverComplaint(error: unknown): error is Error {
  return error instanceof Error && stateOf(error) === '' && DRIVER_COMPLAINT.test(error.message)
}

/** The SQL state, or the system's error code of a failed connection; empty for an error of the driver. */
function stateOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}
