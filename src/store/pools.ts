import { Pool, type PoolConfig, types } from 'pg'
import type { Log } from '../kernel/log.ts'

/** Connections for three kinds of work that must not starve each other (F-D5). */
export interface Pools {
  /** Claims, attempts, ends of calls. */
  readonly control: Pool
  /** What people and integrators ask. */
  readonly api: Pool
  /** Imports, deliveries, migrations. */
  readonly jobs: Pool
  /** Waits for statements under way, then closes all. */
  close(): Promise<void>
}

/** The dial path fails quickly and tries again later, rather than ring somebody on old knowledge (F-D4). */
const LIMITS = {
  control: { max: 8, statement_timeout: 3_000, lock_timeout: 1_000 },
  api: { max: 12, statement_timeout: 10_000, lock_timeout: 3_000 },
  jobs: { max: 6, statement_timeout: 60_000, lock_timeout: 10_000 },
} as const

const CONNECT_TIMEOUT_MS = 3_000
/** A transaction that does nothing holds its locks against everybody. */
const IDLE_IN_TRANSACTION_MS = 10_000
const INT8 = 20
const INT8_ARRAY = 1016

/** Opens the pools. Connections are made when they are needed, so this says nothing about the server. */
export function openPools(connection: PoolConfig, log: Log): Pools {
  const open = (name: keyof typeof LIMITS) => {
    const pool = new Pool({
      ...connection,
      ...LIMITS[name],
      application_name: `switchboard ${name}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      types: { getTypeParser: parserOf },
    })
    // A connection that breaks while nobody uses it is replaced; whoever uses one learns of it by the statement.
    pool.on('error', (error) => log.warn({ pool: name, error: error.message }, 'a database connection was lost'))
    return pool
  }
  const [control, api, jobs] = [open('control'), open('api'), open('jobs')]
  return { control, api, jobs, close: async () => void (await Promise.all([control.end(), api.end(), jobs.end()])) }
}

/** Ids and instants are `bigint` and stay below 2^53; `pg` alone would make texts of them. */
const parserOf = ((oid: number, format?: 'text' | 'binary') => {
  const usual = types.getTypeParser(oid, format as 'text')
  if (oid === INT8_ARRAY) return (text: string) => (usual(text) as string[]).map(Number)
  return oid === INT8 ? Number : usual
}) as typeof types.getTypeParser
