import type { TSchema } from 'typebox'

/** The same schema without room for fields that it does not name: an example must not show them. */
export function closed(schema: TSchema): TSchema {
  const of = (inner: unknown) => closed(inner as TSchema)
  const { properties, items, anyOf, additionalProperties } = schema as Readonly<Record<string, object | undefined>>
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, of(field)])),
      additionalProperties: additionalProperties ?? false,
    }),
    ...(items && { items: of(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(of) }),
  }
}
