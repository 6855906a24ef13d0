/** Looks for words in every text of the database, to prove an erasure (audit-and-privacy-20). */
import type { Pools } from '../db/pools.ts'
import { query } from '../db/transaction.ts'

/** Rows with a word in this column; `keys` are some of their primary keys. */
export interface FoundRows {
  readonly table: string
  readonly column: string
  readonly rows: number
  readonly keys: readonly string[]
}

interface TextTable {
  readonly table: string
  readonly columns: readonly string[]
  /** Empty without a primary key. */
  readonly key: readonly string[]
}

/** A generated column follows its source. */
const TABLES = `
select c.table_name as table, array_agg(c.column_name::text order by c.ordinal_position) as columns,
  array(select a.attname::text
          from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
         where i.indrelid = c.table_name::regclass and i.indisprimary) as key
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
 where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
   and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')
 group by c.table_name order by c.table_name`
const KEYS_MAX = 10

/**
 * `parts` are found whatever their case and accents, `pattern` is a regular expression. Reads every row: an
 * installation with millions takes minutes.
 */
export async function findWords(
  { jobs }: Pick<Pools, 'jobs'>,
  { parts, pattern }: { readonly parts: readonly string[]; readonly pattern: string },
  onTable: (table: string) => void,
): Promise<FoundRows[]> {
  const found: FoundRows[] = []
  const connection = await jobs.connect()
  try {
    await connection.query('begin read only; set local statement_timeout = 0')
    for (const { table, columns, key } of await query<TextTable>(jobs, TABLES, [])) {
      onTable(table)
      const { rows } = await connection.query(statementOf(table, columns, key), [parts, pattern])
      const counts = rows[0] as Readonly<Record<string, number | readonly string[] | null>>
      for (const [place, column] of columns.entries()) {
        const count = counts[`n${place}`] as number
        if (count > 0) found.push({ table, column, rows: count, keys: (counts[`k${place}`] ?? []) as string[] })
      }
    }
  } finally {
    connection.release(true)
  }
  return found
}

/** The names come from the catalogue. Rows are compared whole first: few have a word. */
function statementOf(table: string, columns: readonly string[], key: readonly string[]): string {
  const textOf = (column: string) => `t."${column}"::text`
  const keys = key.length === 0 ? `''` : `concat_ws(' ', ${key.map((column) => `t."${column}"`).join(', ')})`
  const has = (text: string) => `(folded(${text}) like any(p.parts) or ${text} ~ $2)`
  const counted = columns.map((column, place) => {
    const where = `filter (where ${has(textOf(column))})`
    return `count(*) ${where} as n${place}, (array_agg(${keys}) ${where})[1:${KEYS_MAX}] as k${place}`
  })
  return `
    select ${counted.join(', ')} from "${table}" t,
      (select array(select folded_part(w) from unnest($1::text[]) w) as parts offset 0) p,
      lateral (select concat_ws(' ', ${columns.map(textOf).join(', ')}) as text offset 0) whole
     where ${has('whole.text')}`
}
