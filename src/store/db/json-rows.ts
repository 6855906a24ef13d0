/** Rows with the client's field names as JSON text (D-09). What is within a row is built by the database. */
import type { StreamedField, StreamedObject } from '../../ports/call-task.ts'
import { joined, quotedName, type Sql, sql } from './sql.ts'

/** Field → its SQL. */
export type Columns<Of extends string> = Readonly<Record<Of, Sql>>

export interface NamedColumn {
  readonly name: string
  readonly value: Sql
  readonly as?: Shown
}

/** How the value appears; undefined: as it is. */
export type Shown = StreamedField<string>['as']

/** The columns of one flat part of a shape. Names are always quoted. */
export function namedColumns<Of extends string>(
  shape: Readonly<Record<string, StreamedField<Of> | StreamedObject<Of>>>,
  columns: Columns<Of>,
): NamedColumn[] {
  return Object.entries(shape).map(([name, field]) =>
    'object' in field ? { name, value: objectOf(field, columns) } : { name, value: columns[field.of], as: field.as },
  )
}

/** `a as "x", b as "y"`, the values as they are stored: `streamRows` writes them as they appear. */
export function storedList(columns: readonly NamedColumn[]): Sql {
  return joined(
    columns.map(({ name, value }) => sql`${value} as ${quotedName(name)}`),
    ', ',
  )
}

/** The same, the values as they appear. */
function shownList(columns: readonly NamedColumn[]): Sql {
  return storedList(columns.map(({ name, value, as }) => ({ name, value: shown(value, as) })))
}

/** A list within a row, `[]` if empty. `from` is everything after the columns, including the order. */
export function listOf(columns: readonly NamedColumn[], from: Sql): Sql {
  const entries = sql`select ${shownList(columns)} ${from}`
  return sql`(select coalesce(json_agg(row_to_json(entry)), '[]'::json) from (${entries}) entry)`
}

function objectOf<Of extends string>({ object, unless }: StreamedObject<Of>, columns: Columns<Of>) {
  const made = sql`(select row_to_json(inner_row) from (select ${shownList(namedColumns(object, columns))}) inner_row)`
  return unless === undefined ? made : sql`case when (${columns[unless]}) is null then null else ${made} end`
}

function shown(column: Sql, as: Shown): Sql {
  if (as === undefined) return column
  if (as === 'seconds') return sql`round(${column} / 1000.0)::bigint`
  if (as === 'instant') {
    return sql`to_char(to_timestamp(${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  }
  return sql`(${JSON.stringify(as)}::jsonb -> (${column}))`
}
