/** Rows with the client's field names, built by the database as JSON text (D-09): values never pass through objects. */
import type { StreamedField, StreamedObject } from '../../ports/call-task.ts'
import { joined, quotedName, type Sql, sql } from './sql.ts'

/** Field → its SQL. */
export type Columns<Of extends string> = Readonly<Record<Of, Sql>>

export interface NamedColumn {
  readonly name: string
  readonly value: Sql
}

/** The columns of one flat part of a shape. Names are always quoted. */
export function namedColumns<Of extends string>(
  shape: Readonly<Record<string, StreamedField<Of> | StreamedObject<Of>>>,
  columns: Columns<Of>,
): NamedColumn[] {
  return Object.entries(shape).map(([name, field]) => ({
    name,
    value: 'object' in field ? objectOf(field, columns) : shaped(columns[field.of], field.as),
  }))
}

/** `a as "x", b as "y"`. */
export function selectList(columns: readonly NamedColumn[]): Sql {
  return joined(
    columns.map(({ name, value }) => sql`${value} as ${quotedName(name)}`),
    ', ',
  )
}

/** A list within a row, `[]` if empty. `from` is everything after the columns, including the order. */
export function listOf(columns: readonly NamedColumn[], from: Sql): Sql {
  const entries = sql`select ${selectList(columns)} ${from}`
  return sql`(select coalesce(json_agg(row_to_json(entry)), '[]'::json) from (${entries}) entry)`
}

function objectOf<Of extends string>({ object, unless }: StreamedObject<Of>, columns: Columns<Of>) {
  const made = sql`(select row_to_json(inner_row) from (select ${selectList(namedColumns(object, columns))}) inner_row)`
  return unless === undefined ? made : sql`case when (${columns[unless]}) is null then null else ${made} end`
}

function shaped(column: Sql, as: StreamedField<string>['as']): Sql {
  if (as === undefined) return column
  if (as === 'seconds') return sql`round(${column} / 1000.0)::bigint`
  if (as === 'instant') {
    return sql`to_char(to_timestamp(${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  }
  return sql`(${JSON.stringify(as)}::jsonb -> (${column}))`
}
