import { readdir, readFile } from 'node:fs/promises'
import type { PoolClient } from 'pg'
import { LOCKS } from './advisory-locks.ts'
import type { Refusal } from './embedded-postgres.ts'
import type { Pools } from './pools.ts'

/** Names give the order. The SQL of a released migration never changes: a later one corrects it. Forward only. */
const MIGRATIONS = new URL('./migrations/', import.meta.url)

/**
 * Runs new migrations in one transaction: all or none (F-D9), those of these names only, if they are given. An advisory
 * lock admits one process at a time.
 */
export async function migrate({ jobs }: Pick<Pools, 'jobs'>, only?: readonly string[]): Promise<Refusal | undefined> {
  const connection = await jobs.connect()
  try {
    await connection.query('set lock_timeout = 0; set statement_timeout = 0')
    await connection.query('select pg_advisory_lock($1)', [LOCKS.migrations])
    return await runMigrations(connection, only).catch(cannotMigrate)
  } finally {
    // Closing the connection ends its lock, its settings, and a transaction that failed.
    connection.release(true)
  }
}

/** Waiting for other processes has no limit; the migrations have the limits of the pool. */
async function runMigrations(connection: PoolClient, only?: readonly string[]): Promise<undefined> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
  await connection.query('begin; set local lock_timeout to default; set local statement_timeout to default')
  const recorded = await recordedMigrations(connection)
  const known = names.map((name) => name.slice(0, -'.sql'.length))
  const foreign = recorded.findIndex((name, index) => name !== known[index])
  if (foreign !== -1) {
    const expected = known[foreign] ?? 'none'
    throw new Error(`the database records migration ${recorded[foreign]}, this version has ${expected} in its place`)
  }
  const strange = only?.find((name) => !known.includes(name))
  if (strange) throw new Error(`this version does not know the migration ${strange}; use the version of the backup`)
  for (const name of known.slice(recorded.length).filter((one) => only?.includes(one) ?? true)) {
    await connection.query(await readFile(new URL(`${name}.sql`, MIGRATIONS), 'utf8'))
    await connection.query(RECORD, [name])
  }
  await connection.query('commit')
}

/** Named as Kysely's migrator did in earlier versions: either version continues a database, or refuses unknown ones. */
async function recordedMigrations(connection: PoolClient): Promise<readonly string[]> {
  const { rows: found } = await connection.query(`select to_regclass('kysely_migration') is not null as exists`)
  // Not "if not exists": that needs the right to create tables, even if the table exists.
  if (!found[0].exists) await connection.query(TABLE)
  const { rows } = await connection.query<{ name: string }>('select name from kysely_migration')
  return rows.map(({ name }) => name).sort()
}

const TABLE = `
create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`

const RECORD = `
insert into kysely_migration (name, timestamp)
values ($1, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

function cannotMigrate(error: unknown): Refusal {
  return {
    ok: false,
    why: `the tables cannot be brought up to date: ${error instanceof Error ? error.message : String(error)}`,
    remedy: 'nothing was changed; run the version that used this database last, or report this with the message',
  }
}
