import type { PoolConfig } from 'pg'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { type DatabasePlace, databasePlace } from './database-place.ts'
import { EmbeddedPostgres, type Refusal } from './embedded-postgres.ts'
import { migrate } from './migrate.ts'
import { nativeTree, thisPlatform } from './native-tree.ts'
import { openPools, type Pools } from './pools.ts'

/** What is needed to have a database. */
export interface DatabaseOptions {
  readonly dataDirectory: string
  /** A server that somebody else runs (`DATABASE_URL`); else we run our own. */
  readonly databaseUrl?: string
  readonly clock: Clock
  readonly log: Log
  /** Told what takes time, in sentences. */
  readonly onLine: (line: string) => void
}

/** An open database whose tables are those this version needs. */
export interface Database {
  readonly ok: true
  readonly kind: 'embedded' | 'server'
  readonly version: string
  readonly pools: Pools
  /** Starts our own server again when it ended; on somebody else's server there is nothing we can do. */
  revive(): Promise<Refusal | undefined>
  /** Closes the connections, and the server when it is our own. Closing twice is silent. */
  close(): Promise<void>
}

/** A server that somebody else looks after. */
const NOT_OURS = { start: async () => undefined, stop: async () => {} }

/** Opens the database: starts the embedded one or finds the one of the address, and brings its tables up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Database | Refusal> {
  if (options.databaseUrl !== undefined) {
    return connect('server', { connectionString: options.databaseUrl }, options, NOT_OURS)
  }
  const server = await embeddedServer(options)
  if (!(server instanceof EmbeddedPostgres)) return server
  const problem = await server.start()
  return problem ?? connect('embedded', server.connection(), options, server)
}

/** The embedded server of a data directory, not started; for whoever only wants to start or stop it. */
export async function embeddedServer(
  options: Omit<DatabaseOptions, 'databaseUrl'>,
): Promise<EmbeddedPostgres | Refusal> {
  const { dataDirectory, clock, log, onLine } = options
  const place = placeOrRefusal(dataDirectory)
  if ('why' in place) return place
  if (place.isElsewhere) {
    onLine(`the database is in ${place.cluster}: PostgreSQL does not run as root, and ${dataDirectory} is closed`)
  }
  const programs = await nativeTree(place.runtime, thisPlatform())
  return programs.ok ? new EmbeddedPostgres({ place, programs, clock, log }) : programs
}

function placeOrRefusal(dataDirectory: string): DatabasePlace | Refusal {
  try {
    return databasePlace(dataDirectory, process.getuid?.() ?? -1)
  } catch (error) {
    const why = `no database can be kept in ${dataDirectory}: ${(error as Error).message}`
    return { ok: false, why, remedy: 'make the folder writable, choose another DATA_DIR, or set DATABASE_URL' }
  }
}

/** Older servers lack what our statements use. */
const OLDEST_VERSION = 150_000

async function connect(
  kind: Database['kind'],
  connection: PoolConfig,
  { log }: DatabaseOptions,
  server: Pick<EmbeddedPostgres, 'start' | 'stop'>,
): Promise<Database | Refusal> {
  const pools = openPools(connection, log)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= pools.close().then(() => server.stop()))
  try {
    const { rows } = await pools.jobs.query<{ number: number; name: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
    )
    const { number, name } = rows[0]!
    const problem = number < OLDEST_VERSION ? tooOld(name) : await migrate(pools)
    if (!problem) return { ok: true, kind, version: name, pools, revive: () => server.start(), close }
    await close()
    return problem
  } catch (error) {
    await close()
    const why = `the database cannot be used: ${(error as Error).message}`
    return { ok: false, why, remedy: 'check that the server runs, and the address in DATABASE_URL' }
  }
}

function tooOld(version: string): Refusal {
  const remedy = 'use a server of version 15 or later, or unset DATABASE_URL to let us run one'
  return { ok: false, why: `the server of DATABASE_URL is PostgreSQL ${version}`, remedy }
}
