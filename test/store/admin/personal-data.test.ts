/** Every column with personal text is erased with its person, or listed as free of personal data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOLDS_NOTHING, MARKED, PERSONAL_TABLES } from '../../../src/store/admin/personal-data.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  /** It follows its source. */
  readonly isGenerated: boolean
}

let database: TestDatabase
let columns: readonly Column[] = []
beforeAll(async () => {
  database = await makeDatabase(servers[0]!)
  const { rows } = await database.pools.jobs.query<Column>(
    `select table_name as table, column_name as column, data_type as type,
        is_generated = 'ALWAYS' as "isGenerated" from information_schema.columns
      where table_schema = 'public' and table_name not like 'kysely%' order by 1, 2`,
  )
  columns = rows
})
afterAll(() => database.drop())

const isText = ({ type }: Column) => /text|char|json|ARRAY|bytea/.test(type)

function isErased({ table, column }: Column): boolean {
  return PERSONAL_TABLES.some((each) => each.table === table && (!each.becomes || column in each.becomes))
}

function holdsNothing({ table, column }: Column): boolean {
  return HOLDS_NOTHING.some(([of, names]) => of === table && (names === '*' || names.split(' ').includes(column)))
}

test('a text column is erased with its person, or listed as free of personal data (F-K4)', () => {
  const forgotten = columns
    .filter((column) => isText(column) && !column.isGenerated && !isErased(column) && !holdsNothing(column))
    // Bytes: hashes of files and keys are listed with their tables.
    .map(({ table, column }) => `${table}.${column}: name it in src/store/admin/personal-data.ts`)
  expect(forgotten).toEqual([])
})

test('every listed column exists, and none is in both lists', () => {
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const tables = new Set(columns.map(({ table }) => table))
  const named = [
    ...PERSONAL_TABLES.flatMap(({ table, becomes = {} }) => Object.keys(becomes).map((column) => `${table}.${column}`)),
    ...HOLDS_NOTHING.flatMap(([table, names]) =>
      names === '*' ? [] : names.split(' ').map((column) => `${table}.${column}`),
    ),
  ]
  expect(named.filter((name) => !known.has(name))).toEqual([])
  expect(
    [...PERSONAL_TABLES.map(({ table }) => table), ...HOLDS_NOTHING.map(([table]) => table)].filter(
      (table) => !tables.has(table),
    ),
  ).toEqual([])
  expect(columns.filter((column) => isErased(column) && holdsNothing(column))).toEqual([])
  for (const table of Object.values(MARKED)) expect(known).toContain(`${table}.erased_at_ms`)
})
