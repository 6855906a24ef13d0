import type { PoolConfig } from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type DatabasePlace, databasePlace } from './database-location.ts'
import { EmbeddedPostgres, type Refusal } from './embedded-postgres.ts'
import { migrate } from './migrate.ts'
import { openPools, type Pools } from './pools.ts'
import { nativeTree, thisPlatform } from './postgres-binaries.ts'
import { keepServerAlive, type ServerWatch } from './postgres-supervisor.ts'

/** Which database, and what is done with it before anybody uses it. */
export interface DatabaseOptions {
  readonly dataDirectory: string
  /** An external server (`DATABASE_URL`); otherwise the embedded one runs. */
  readonly databaseUrl?: string
  readonly clock: Clock
  readonly log: Log
  /** Migrations to run; absent: all. */
  readonly migrations?: readonly string[]
  /** Asked before the tables are made; after a refusal they are as they were. */
  readonly before?: (pools: Pools) => Promise<Refusal | undefined>
  /** Called with a line of progress for each slow step. */
  readonly onLine: (line: string) => void
}

/** An open database with the tables of this version. */
export interface Database {
  readonly ok: true
  readonly kind: 'embedded' | 'server'
  readonly version: string
  readonly pools: Pools
  /** Also stops the embedded server, unless another process uses it, such as a CLI command. May be called twice. */
  close(): Promise<void>
}

/** Starts and supervises the embedded server (F-D1), or connects to the external one; then migrates. */
export async function openDatabase(options: DatabaseOptions): Promise<Database | Refusal> {
  if (options.databaseUrl !== undefined) {
    return connect({ connectionString: options.databaseUrl }, options, undefined)
  }
  const server = await embeddedServer(options)
  if (!(server instanceof EmbeddedPostgres)) return server
  const problem = await server.start()
  return problem ?? connect(server.connection(), options, server)
}

/** The embedded server of a data directory, not started; to start or stop it alone. */
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

/** Older servers lack features that our statements use. */
const OLDEST_VERSION = 150_000

/** `server` is the embedded one; undefined for an external server. */
async function connect(
  connection: PoolConfig,
  { clock, log, migrations, before }: DatabaseOptions,
  server: EmbeddedPostgres | undefined,
): Promise<Database | Refusal> {
  const pools = openPools(connection, { clock, log })
  const watch = server && keepServerAlive(server, clock, log)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll(pools, watch, server)
    return closing
  }
  try {
    const { rows } = await pools.jobs.query<{ number: number; name: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
    )
    // A select without a table returns one row.
    const { number, name } = rows[0]!
    const refused = number < OLDEST_VERSION ? tooOld(name) : await before?.(pools)
    const problem = refused ?? (await migrate(pools, migrations))
    if (!problem) return { ok: true, kind: server ? 'embedded' : 'server', version: name, pools, close }
    await close()
    return problem
  } catch (error) {
    await close()
    const why = `the database cannot be used: ${(error as Error).message}`
    return { ok: false, why, remedy: 'check that the server runs, and the address in DATABASE_URL' }
  }
}

async function closeAll(
  pools: Pools,
  watch: ServerWatch | undefined,
  server: EmbeddedPostgres | undefined,
): Promise<void> {
  await watch?.end()
  await pools.close()
  if (server && !(await server.isUsed())) await server.stop()
}

function tooOld(version: string): Refusal {
  const remedy = 'use a server of version 15 or later, or unset DATABASE_URL to let us run one'
  return { ok: false, why: `the server of DATABASE_URL is PostgreSQL ${version}`, remedy }
}
