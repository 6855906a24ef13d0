/** The objects that answers consist of: one table holds a field's schema and where its value comes from. */
import { type Static, type TObject, type TObjectOptions, type TSchema, Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import { InstantOut, instantText } from './list-params.ts'

/** One field of an answer. A value of `undefined` leaves the field out. */
interface Field<From> {
  readonly schema: TSchema
  readonly of: (from: From) => unknown
}

/** `schema` goes into the declaration of the operation, `show` makes the answer of a record. */
export interface Shape<From> {
  readonly schema: TObject
  show(from: From): Readonly<Record<string, unknown>>
}

/** Builds both from one table. The document lists the fields in the order of the table. */
export function shape<From>(fields: Readonly<Record<string, Field<From>>>): Shape<From> {
  const lines = Object.entries(fields)
  return {
    schema: Type.Object(Object.fromEntries(lines.map(([name, { schema }]) => [name, schema]))),
    show: (from) => {
      const values = lines.map(([name, { of }]) => [name, of(from)] as const)
      return Object.fromEntries(values.filter(([, value]) => value !== undefined))
    },
  }
}

type Value<S extends TSchema> = Static<S> extends readonly (infer Item)[] ? readonly Item[] : Static<S>
type Of<From, T> = (from: From) => T

/** A field of any schema; the functions below are for the usual ones. */
export function field<From, S extends TSchema>(schema: S, of: Of<From, Value<S>>): Field<From> {
  return { schema, of }
}

const described = (description?: string) => (description === undefined ? {} : { description })
const orNull = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], described(description))

export const int = <From>(of: Of<From, number>, description?: string): Field<From> =>
  field(Type.Integer(described(description)), of)
export const intOrNull = <From>(of: Of<From, number | null>, description?: string): Field<From> =>
  field(orNull(Type.Integer(), description), of)
export const text = <From>(of: Of<From, string>, description?: string): Field<From> =>
  field(Type.String(described(description)), of)
export const textOrNull = <From>(of: Of<From, string | null>, description?: string): Field<From> =>
  field(orNull(Type.String(), description), of)
export const flag = <From>(of: Of<From, boolean>, description?: string): Field<From> =>
  field(Type.Boolean(described(description)), of)
/** An instant: ISO 8601 in UTC, or null. */
export const instant = <From>(of: Of<From, AtMs | null | undefined>, description: string): Field<From> => ({
  schema: InstantOut(description),
  of: (from) => instantText(of(from)),
})

/** A reference to another record: an object with its id alone. */
export const ref = <From>(
  key: string,
  of: Of<From, number>,
  description?: string,
  options: TObjectOptions = {},
): Field<From> => ({
  schema: refSchema(key, { ...described(description), ...options }),
  of: (from) => ({ [key]: of(from) }),
})
export const refOrNull = <From>(
  key: string,
  of: Of<From, number | null>,
  description?: string,
  options: TObjectOptions = {},
): Field<From> => ({
  schema: orNull(refSchema(key, options), description),
  of: (from) => {
    const id = of(from)
    return id === null ? null : { [key]: id }
  },
})
const refSchema = (key: string, options: TObjectOptions) => Type.Object({ [key]: Type.Integer() }, options)

export const nested = <From, T>(inner: Shape<T>, of: Of<From, T>, description?: string): Field<From> => ({
  schema: Type.Object(inner.schema.properties, described(description)),
  of: (from) => inner.show(of(from)),
})
export const nestedOrNull = <From, T>(inner: Shape<T>, of: Of<From, T | null>, description?: string): Field<From> => ({
  schema: orNull(inner.schema, description),
  of: (from) => {
    const part = of(from)
    return part === null ? null : inner.show(part)
  },
})
export const list = <From, T>(inner: Shape<T>, of: Of<From, readonly T[]>, description?: string): Field<From> => ({
  schema: Type.Array(inner.schema, described(description)),
  of: (from) => of(from).map((one) => inner.show(one)),
})

/** An object that is left out while there is none. */
export const optionalNested = <From, T>(
  inner: Shape<T>,
  of: Of<From, T | null>,
  description?: string,
): Field<From> => ({
  schema: Type.Optional(Type.Object(inner.schema.properties, described(description))),
  of: (from) => {
    const part = of(from)
    return part === null ? undefined : inner.show(part)
  },
})
/** A list that is left out while it was not asked for. */
export const optionalList = <From, T>(
  inner: Shape<T>,
  of: Of<From, readonly T[] | null | undefined>,
  description?: string,
): Field<From> => ({
  schema: Type.Optional(Type.Array(inner.schema, described(description))),
  of: (from) => of(from)?.map((one) => inner.show(one)),
})
