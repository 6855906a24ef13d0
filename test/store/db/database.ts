import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { EmbeddedPostgres } from '../../../src/store/db/embedded-postgres.ts'
import { migrate } from '../../../src/store/db/migrate.ts'
import { embeddedServer } from '../../../src/store/db/open-database.ts'
import { openPools, type Pools } from '../../../src/store/db/pools.ts'

/** A server to run the suite on. */
export interface TestServer {
  readonly name: string
  /** It ends with the run, so a migrated database may be left there to be copied. */
  readonly isLent: boolean
  admin(): Promise<ClientConfig>
}

/** The folder of the run's cluster; the global setup makes and removes it. A benchmark lends one when it begins. */
function runDirectory(): string {
  const directory = process.env['SWITCHBOARD_TEST_POSTGRES']
  if (!directory)
    throw new Error('nobody has lent a folder for the database: call lendPostgres of test/global-setup.ts')
  return directory
}

/** The embedded server, which all files of a run share, and the one of `TEST_DATABASE_URL` if that is set. */
export const servers: readonly TestServer[] = [
  { name: 'the embedded server', isLent: true, admin: async () => (await startEmbedded(runDirectory())).connection() },
  ...[process.env['TEST_DATABASE_URL'] ?? []].flat().map((connectionString) => ({
    name: 'the server of TEST_DATABASE_URL',
    isLent: false,
    admin: async () => ({ connectionString }),
  })),
]

/** The embedded server of a directory, running. */
export async function startEmbedded(directory: string): Promise<EmbeddedPostgres> {
  const server = await embeddedOf(directory)
  const refusal = await server.start()
  if (refusal) throw new Error(`${refusal.why}; ${refusal.remedy}`)
  return server
}

/** The embedded server of a directory, as it is. */
export async function embeddedOf(directory: string): Promise<EmbeddedPostgres> {
  const server = await embeddedServer({
    dataDirectory: join(directory, 'data'),
    clock: new RealClock(),
    log: silentLog,
    onLine: () => {},
  })
  if (!(server instanceof EmbeddedPostgres)) throw new Error(`${server.why}; ${server.remedy}`)
  return server
}

/** A database of its own, empty unless `migrated`. */
export async function makeDatabase(server: TestServer, migrated = true) {
  const admin = await server.admin()
  const name = `switchboard_test_${randomBytes(6).toString('hex')}`
  const isCopy = migrated && server.isLent
  if (isCopy) await makeTemplate(admin)
  await command(admin, `create database ${name}${isCopy ? ` template ${TEMPLATE}` : ''}`)
  const connection = withDatabase(admin, name)
  const open = (): Pools => openPools(patient(connection), { clock: new RealClock(), log: silentLog })
  const pools = open()
  if (migrated && !isCopy) await migrateFully(pools)
  const drop = async () => {
    await pools.close()
    await command(admin, `drop database ${name} with (force)`)
  }
  return { pools, connection, open, drop }
}

/** A migrated database that is copied: a copy takes a tenth of the time of all migrations. */
const TEMPLATE = 'switchboard_template'

/** One process makes it, the others wait. Nobody is connected to it afterwards, as copying demands. */
async function makeTemplate(admin: ClientConfig): Promise<void> {
  const client = new Client(admin)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(1)')
    const { rows } = await client.query('select from pg_database where datname = $1 and datistemplate', [TEMPLATE])
    if (rows.length > 0) return
    await client.query(`drop database if exists ${TEMPLATE} with (force)`)
    await client.query(`create database ${TEMPLATE}`)
    const pools = openPools(patient(withDatabase(admin, TEMPLATE)), { clock: new RealClock(), log: silentLog })
    await migrateFully(pools).finally(() => pools.close())
    await client.query(`alter database ${TEMPLATE} with is_template true allow_connections false`)
  } finally {
    await client.end()
  }
}

async function migrateFully(pools: Pools): Promise<void> {
  const refusal = await migrate(pools)
  if (refusal) throw new Error(refusal.why)
}

/** A database of a file, its connections, and its end. */
export type TestDatabase = Awaited<ReturnType<typeof makeDatabase>>

/** A busy machine may need longer for a connection than production waits. */
function patient(connection: ClientConfig): ClientConfig {
  return { ...connection, connectionTimeoutMillis: 60_000 }
}

async function command(connection: ClientConfig, text: string): Promise<void> {
  const client = new Client(connection)
  await client.connect()
  await client.query(text)
  await client.end()
}

function withDatabase(admin: ClientConfig, database: string): ClientConfig {
  if (admin.connectionString === undefined) return { ...admin, database }
  const url = new URL(admin.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}
