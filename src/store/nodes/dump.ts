/** All rows of a database, as files of PostgreSQL's COPY, and back: needs no program of PostgreSQL (storage-09). */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { AtMs } from '../../kernel/clock.ts'
import type { Pools } from '../db/pools.ts'

/** What a dump consists of. */
export interface DumpContents {
  readonly takenAtMs: AtMs
  readonly migrations: readonly string[]
  /** In an order in which each one refers to earlier ones only. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[]; readonly rows: number }[]
  readonly sequences: readonly { readonly name: string; readonly last: string | null }[]
}

const MIGRATIONS_TABLE = 'kysely_migration'

/** Writes a file for each table, all as of one instant, while others work on. */
export async function dumpDatabase(
  pools: Pick<Pools, 'connection'>,
  folder: string,
  takenAtMs: AtMs,
): Promise<DumpContents> {
  const client = await opened(pools)
  try {
    await client.query('begin isolation level repeatable read read only')
    const tables: { name: string; columns: readonly string[]; rows: number }[] = []
    for (const { name, columns } of await tablesOf(client)) {
      const source = client.query(copyTo(`copy ${tableWith(name, columns)} to stdout`))
      await pipeline(source, createWriteStream(join(folder, name), { mode: 0o600 }))
      tables.push({ name, columns, rows: source.rowCount })
    }
    const { rows: migrations } = await client.query<{ name: string }>(
      `select name from ${MIGRATIONS_TABLE} order by name`,
    )
    // Sequences belong to no transaction: read last, none is behind its rows.
    const { rows: sequences } = await client.query<DumpContents['sequences'][number]>(SEQUENCES)
    return { takenAtMs, migrations: migrations.map(({ name }) => name), tables, sequences }
  } finally {
    await client.end()
  }
}

/** Fills a database that has the tables of these migrations, and nothing else. The kill switch is on afterwards. */
export async function loadDump(
  pools: Pick<Pools, 'connection'>,
  folder: string,
  { tables, sequences }: DumpContents,
): Promise<void> {
  const client = await opened(pools)
  try {
    await client.query('begin')
    // What triggers make at an insert is in the dump as well.
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`)
    await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
    for (const { name, columns } of tables) {
      const target = client.query(copyFrom(`copy ${tableWith(name, columns)} from stdin`))
      await pipeline(createReadStream(join(folder, name)), target)
    }
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`)
    for (const { name, last } of sequences.filter(({ last }) => last !== null)) {
      await client.query('select setval($1::regclass, $2)', [quoted(name), last])
    }
    // Whatever ends the restore from here on, nobody is dialed from an old state. Columns of every version.
    await client.query("update dial_state set kill_switch = true, kill_switch_by = 'switchboard restore'")
    await client.query('commit')
  } finally {
    await client.end()
  }
}

async function opened(pools: Pick<Pools, 'connection'>): Promise<Client> {
  const client = pools.connection('backup')
  // The statement in progress rejects; without a listener the process would end.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Names come from the catalogue of the database, or from a dump of it. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function tableWith(name: string, columns: readonly string[]): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`
}

/** Referred ones first; a table may refer to itself. */
async function tablesOf(client: Client): Promise<readonly { name: string; columns: readonly string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers: string[] }>(TABLES)
  const ordered: typeof rows = []
  const isIn = (name: string) => ordered.some((table) => table.name === name)
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ name, refers }) => !isIn(name) && refers.every((other) => other === name || isIn(other)),
    )
    if (next.length === 0) throw new Error('the tables refer to each other in a circle')
    ordered.push(...next)
  }
  return ordered
}

const TABLES = `
select c.relname as name,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select coalesce(array_agg(distinct r.confrelid::regclass::text), '{}') from pg_constraint r
         where r.conrelid = c.oid and r.contype = 'f') as refers
  from pg_class c
 where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> '${MIGRATIONS_TABLE}'
 order by c.relname`

const SEQUENCES = `
select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'
 order by sequencename`
