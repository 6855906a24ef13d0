import { Client, Pool, type PoolConfig, types } from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { NotificationChannel } from './notifications.ts'

/** Connections for kinds of work that must not starve each other (F-D5). */
export interface Pools {
  /** Claims, attempts, ends of calls. */
  readonly control: Pool
  /** REST requests. */
  readonly api: Pool
  /** Searches of words, which may read every text there is. */
  readonly searches: Pool
  /** Pages of many rows, which their readers take as slowly as they like. */
  readonly streams: Pool
  /** Imports, deliveries, migrations. */
  readonly jobs: Pool
  readonly news: NotificationChannel
  /** A separate connection, not opened yet. The caller handles its errors and closes it. */
  connection(purpose: string): Client
  /** Waits for running statements, then closes all connections. May be called twice. */
  close(): Promise<void>
}

/** The dial path fails fast rather than dial on old facts (F-D4); `query_timeout` is for a silent server. */
const LIMITS = {
  control: { max: 8, statement_timeout: 3_000, lock_timeout: 1_000, query_timeout: 4_000 },
  api: { max: 12, statement_timeout: 10_000, lock_timeout: 3_000 },
  searches: { max: 4, statement_timeout: 10_000, lock_timeout: 3_000 },
  streams: { max: 8, statement_timeout: 60_000, lock_timeout: 3_000 },
  jobs: { max: 6, statement_timeout: 60_000, lock_timeout: 10_000 },
} as const

const CONNECT_TIMEOUT_MS = 3_000
/** An idle transaction still holds its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000
/** PostgreSQL cuts a longer name; the rest must stay distinct. */
const PURPOSE_LENGTH_MAX = 50
const INT8 = 20
const INT8_ARRAY = 1016

/**
 * Opens the pools. Connections are created on demand, so this does not contact the server. A `connectionTimeoutMillis`
 * of the server's own (default 3 s) is kept.
 */
export function openPools(server: PoolConfig, { clock, log }: { readonly clock: Clock; readonly log: Log }): Pools {
  const common = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...server, types: { getTypeParser: parserOf } }
  const open = (name: keyof typeof LIMITS) => {
    const pool = new Pool({
      ...common,
      ...LIMITS[name],
      application_name: nameOf(name),
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    })
    // An idle connection that breaks is replaced; in use, its statement rejects.
    pool.on('error', (error) => log.warn({ pool: name, error: error.message }, 'a database connection was lost'))
    // It may break between two uses, without a listener: the next statement rejects.
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  const [control, api, streams, jobs] = [open('control'), open('api'), open('streams'), open('jobs')]
  const searches = open('searches')
  const connection = (purpose: string) => new Client({ ...common, application_name: nameOf(purpose), keepAlive: true })
  const news = new NotificationChannel({ connect: () => connection('news'), clock, log })
  let closing: Promise<unknown> | undefined
  const close = async () => {
    closing ??= Promise.all([...[control, api, searches, streams, jobs].map((pool) => pool.end()), news.close()])
    await closing
  }
  return { control, api, searches, streams, jobs, news, connection, close }
}

/** Prefix of our connections' application names in the server's lists. */
export const OUR_CONNECTIONS = 'switchboard '

function nameOf(purpose: string): string {
  return `${OUR_CONNECTIONS}${purpose.slice(0, PURPOSE_LENGTH_MAX)}`
}

/** Ids and instants are `bigint` and stay below 2^53; by default `pg` returns them as texts. */
const parserOf = ((oid: number, format?: 'text' | 'binary') => {
  const usual = types.getTypeParser(oid, format as 'text')
  if (oid === INT8_ARRAY) return (text: string) => (usual(text) as string[]).map(Number)
  return oid === INT8 ? Number : usual
}) as typeof types.getTypeParser
