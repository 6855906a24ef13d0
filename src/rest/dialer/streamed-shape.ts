/** As `../http/shape.ts`, for objects that the database writes as JSON: a field's schema and its column. */
import { type TSchema, Type } from 'typebox'
import type { StreamedField, StreamedObject } from '../../ports/call-task.ts'

/** A field that is one column: its schema, the column, and how the value is written. */
type Line<Of extends string> = readonly [TSchema, Of, StreamedField<Of>['as']?]
/** A field that is an object or a list. */
interface Part<Column> {
  readonly schema: TSchema
  readonly column: Column
}

/** The fields as the document describes them, and as the repository reads them. */
export interface Streamed<Column> {
  readonly fields: Readonly<Record<string, TSchema>>
  readonly columns: Readonly<Record<string, Column>>
}

/** Builds both from one table; `Inner` are the columns of objects and lists. */
export function streamed<Of extends string, Inner = never>(
  table: Readonly<Record<string, Line<Of> | Part<Inner>>>,
): Streamed<StreamedField<Of> | Inner> {
  const lines = Object.entries(table).map(([name, line]) => [name, 'column' in line ? line : partOf(line)] as const)
  return {
    fields: Object.fromEntries(lines.map(([name, { schema }]) => [name, schema])),
    columns: Object.fromEntries(lines.map(([name, { column }]) => [name, column])),
  }
}

function partOf<Of extends string>([schema, of, as]: Line<Of>): Part<StreamedField<Of>> {
  return { schema, column: { of, ...(as !== undefined && { as }) } }
}

/** An object of columns; with `unless`, null while that column is. */
export function streamedObject<Of extends string>(
  { fields, columns }: Streamed<StreamedField<Of>>,
  unless?: Of,
): Part<StreamedObject<Of>> {
  const schema = Type.Object(fields)
  if (unless === undefined) return { schema, column: { object: columns } }
  return { schema: Type.Union([schema, Type.Null()]), column: { object: columns, unless } }
}
