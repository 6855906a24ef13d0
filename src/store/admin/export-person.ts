import type { ExportedPerson, ExportPlaces, PersonDocument, PersonTraces, Privacy } from '../../ports/privacy.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { findPerson, type KnownPerson, type PersonThings, thingsOf } from './data-subject.ts'
import { PERSONAL_TABLES } from './personal-data.ts'

/** Rows of a table in one part of an export. */
const ROWS_MAX = 5_000
/**
 * All rows of a part together: it is built in memory. A stranger's emails have up to 256 Ki letters each, and 5,000 of
 * them ended the process (files-and-activities-16).
 */
const LETTERS_MAX = 32 * 1024 * 1024

export const personExport = {
  exportPerson({ jobs }, subject, from) {
    const begin = 'begin isolation level repeatable read read only'
    const work = async (transaction: Transaction) => {
      const person = await findPerson(transaction, subject)
      if (person.outcome !== 'found') return person
      const things = await thingsOf(transaction, person)
      const sources = sourcesOf(person, things)
      const keys = await keysOf(transaction, sources)
      if (!sources.every((source) => isPlace(from?.[nameOf(source)] ?? null, keys.get(source.table)!))) {
        return { outcome: 'no such part' } as const
      }
      const asked = sources.filter((source) => from === undefined || nameOf(source) in from)
      const { document, rest, count } = await partOf(transaction, asked, keys, from ?? {})
      if (from === undefined && isNothing(things) && count === 0) return { outcome: 'nobody' } as const
      const traces = await tracesOf(transaction, person, things)
      return { outcome: 'exported', rest, document, traces } as const
    }
    return inTransaction(jobs, work, begin)
  },
} satisfies Partial<In<Privacy>>

async function partOf(
  transaction: Transaction,
  sources: readonly Source[],
  keys: ReadonlyMap<string, readonly Key[]>,
  from: ExportPlaces,
): Promise<Pick<ExportedPerson, 'document' | 'rest'> & { readonly count: number }> {
  const document: Record<string, PersonDocument[string]> = {}
  const rest: Record<string, ExportPlaces[string]> = {}
  let lettersLeft = LETTERS_MAX
  let count = 0
  for (const source of sources) {
    const key = keys.get(source.table)!
    const place = from[nameOf(source)] ?? null
    const found = await ask<ExportedRow>(transaction, textOf(source, key, place, count === 0, lettersLeft), [
      ...source.values,
      ...(place ?? []),
    ])
    const rows = found.flatMap(({ row }) => (row === null ? [] : [row])).slice(0, ROWS_MAX)
    lettersLeft -= found.reduce((sum, { row, letters }) => sum + (row === null ? 0 : letters), 0)
    const last = rows.at(-1)
    if (rows.length < found.length) rest[nameOf(source)] = last ? key.map(({ name }) => last[name]!) : place
    document[source.section] = { ...document[source.section], [source.table]: rows }
    count += rows.length
  }
  return { document, rest, count }
}

/** Rows that a person has in a table. */
interface Source {
  readonly section: string
  readonly table: string
  readonly where: string
  readonly values: readonly unknown[]
}

function sourcesOf(person: KnownPerson, things: PersonThings): Source[] {
  return [
    ...PERSONAL_TABLES.map(({ kind, table, where }) => ({ section: kind, table, where, values: [things[kind]] })),
    ...BESIDE.map(({ wordsOf, ...beside }) => ({ ...beside, values: [person.corporation, wordsOf(person)] })),
  ]
}

const nameOf = ({ section, table }: Source) => `${section}.${table}`

interface ExportedRow {
  /** Null: it was too much with those before it. */
  readonly row: Readonly<Record<string, string | number>> | null
  readonly letters: number
}

/** The rows of a table as JSON, after a place and in the order of its key, without those that exceed the letters. */
function textOf(
  { table, where, values }: Source,
  key: readonly Key[],
  place: ExportPlaces[string],
  /** A row that alone exceeds a part is a part of its own. */
  isFirst: boolean,
  lettersMax: number,
): string {
  const columns = key.map(({ name }) => name).join(', ')
  const given = key.map(({ isNumber }, at) => `$${values.length + 1 + at}::${isNumber ? 'bigint' : 'text'}`).join(', ')
  const beyond = place === null ? '' : `and (${columns}) > (${given})`
  const fits = `sum(length(t.row)) over w <= ${lettersMax} ${isFirst ? 'or row_number() over w = 1' : ''}`
  return `
    select case when ${fits} then t.row::json end as row, length(t.row) as letters
      from (select to_json(r)::text as row from (
        select * from ${table} where (${where}) ${beyond} order by ${columns} limit ${ROWS_MAX + 1}) r) t
    window w as (rows unbounded preceding)`
}

/** A column of a primary key. */
interface Key {
  readonly table: string
  readonly name: string
  readonly isNumber: boolean
}

async function keysOf(transaction: Transaction, sources: readonly Source[]): Promise<Map<string, Key[]>> {
  const keys = await ask<Key>(transaction, KEYS, [sources.map(({ table }) => table)])
  return Map.groupBy(keys, ({ table }) => table)
}

const KEYS = `
select c.relname as "table", a.attname as name, t.typcategory = 'N' as "isNumber"
  from pg_index i join pg_class c on c.oid = i.indrelid
 cross join lateral unnest(i.indkey) with ordinality as k(number, place)
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
  join pg_type t on t.oid = a.atttypid
 where i.indisprimary and pg_table_is_visible(c.oid) and c.relname = any($1)
 order by c.relname, k.place`

/** Clients may have changed it. */
function isPlace(place: ExportPlaces[string], key: readonly Key[]): boolean {
  if (place === null) return true
  const fits = ({ isNumber }: Key, at: number) =>
    isNumber ? Number.isSafeInteger(place[at]) : typeof place[at] === 'string'
  return place.length === key.length && key.every(fits)
}

interface Beside {
  readonly section: 'stopLists' | 'imports'
  readonly table: string
  /** `$1` is the corporation. */
  readonly where: string
  readonly wordsOf: (person: KnownPerson) => readonly string[]
}

/** What is kept of a person without being theirs. */
const BESIDE: readonly Beside[] = [
  {
    section: 'stopLists',
    table: 'stopped_numbers',
    where: 'corporation_id = $1 and number = any($2)',
    wordsOf: ({ numbers }) => numbers,
  },
  {
    section: 'stopLists',
    table: 'stopped_persons',
    where: 'corporation_id = $1 and person_key = any($2)',
    wordsOf: ({ keys }) => keys,
  },
  {
    section: 'imports',
    table: 'import_pieces',
    where: `call_tasks is not null and import_id in (select id from import_jobs where corporation_id = $1)
      and exists (select from unnest($2::text[]) word where position(word in call_tasks) > 0)`,
    // Without the plus: numbers may be written with a zero instead. Of a key the customer.
    wordsOf: ({ numbers, keys }) => [
      ...numbers.map((number) => number.slice(1)),
      ...keys.map((key) => JSON.stringify(key.replace(/^\d+:/, ''))),
    ],
  },
]

/** What files beside the database know them by. */
export async function tracesOf(
  transaction: Transaction,
  person: KnownPerson,
  { calls }: Pick<PersonThings, 'calls'>,
): Promise<PersonTraces> {
  const text = 'select call from call_activities where id = any($1)'
  const found = await ask<{ call: string }>(transaction, text, [calls])
  return { calls: found.map(({ call }) => call), words: person.numbers }
}

/** Whether there is no record of theirs. */
export function isNothing(things: PersonThings): boolean {
  return Object.values(things).every(({ length }) => length === 0)
}
