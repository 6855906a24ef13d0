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

/** Those of `names` that this version does not have: it is older than what they are from. */
export async function unknownMigrations(names: readonly string[]): Promise<readonly string[]> {
  const known = new Set(await ownMigrations())
  return names.filter((name) => !known.has(name))
}

/** Whether a database has tables, and they are those of an older version. */
export async function isBehind({ jobs }: Pick<Pools, 'jobs'>): Promise<boolean> {
  const recorded = await recordedMigrations(jobs)
  return recorded !== undefined && (await ownMigrations()).length > recorded.length
}

async function ownMigrations(): Promise<readonly string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
  return files.map((name) => name.slice(0, -'.sql'.length))
}

/** Waiting for other processes has no limit; the migrations have the limits of the pool. */
async function runMigrations(connection: PoolClient, only?: readonly string[]): Promise<undefined> {
  const known = await ownMigrations()
  await connection.query('begin; set local lock_timeout to default; set local statement_timeout to default')
  const found = await recordedMigrations(connection)
  // Not "if not exists": that needs the right to create tables, even if the table exists.
  if (!found) await connection.query(TABLE)
  const recorded = found ?? []
  const foreign = recorded.findIndex((name, index) => name !== known[index])
  if (foreign !== -1) {
    const expected = known[foreign] ?? 'none'
    throw new Error(`the database records migration ${recorded[foreign]}, this version has ${expected} in its place`)
  }
  for (const name of known.slice(recorded.length).filter((one) => only?.includes(one) ?? true)) {
    await connection.query(await readFile(new URL(`${name}.sql`, MIGRATIONS), 'utf8'))
    await connection.query(RECORD, [name])
  }
  await connection.query('commit')
}

/**
 * Undefined before the first. Named as Kysely's migrator did in earlier versions: either version continues a database,
 * or refuses unknown ones.
 */
async function recordedMigrations(asked: Pick<PoolClient, 'query'>): Promise<readonly string[] | undefined> {
  const { rows: found } = await asked.query(`select to_regclass('kysely_migration') is not null as exists`)
  if (!found[0].exists) return undefined
  const { rows } = await asked.query<{ name: string }>('select name from kysely_migration')
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
    remedy:
      'nothing was changed; run the version that used this database last, or restore a backup of before it with ' +
      '`switchboard restore FILE --replace`',
  }
}
