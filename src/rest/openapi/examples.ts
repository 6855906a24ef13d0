import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, SAMPLE_INSTANT } from './field-descriptions.ts'

/** The subset of JSON Schema that the declarations use. */
interface Shape {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

/** A valid, realistic value. `whole` includes optional fields. Undefined if the schema does not define a type. */
export function exampleOf(schema: TSchema, whole: boolean): unknown {
  return sample(schema as Shape, '', whole)
}

function sample(shape: Shape, name: string, whole: boolean): unknown {
  const known = [...(shape.examples ?? []), describe(name)?.sample, shape.default]
  const fitting = known.find((value) => value !== undefined && Value.Check(shape as TSchema, value))
  if (fitting !== undefined) return fitting
  if ('const' in shape) return shape.const
  if (shape.enum) return shape.enum[0]
  if (shape.anyOf) return sample(shape.anyOf.find(({ type }) => type !== 'null') ?? {}, name, whole)
  if (shape.allOf) return Object.assign({}, ...shape.allOf.map((part) => sample(part, name, whole)))
  switch (shape.type) {
    case 'object':
      return fields(shape, whole)
    case 'array':
      return list(shape, name, whole)
    case 'integer':
    case 'number':
      return Math.min(Math.max(shape.minimum ?? 1, 1), shape.maximum ?? 1_000)
    case 'boolean':
      return true
    case 'string':
      return shape.format === 'date-time' ? SAMPLE_INSTANT : 'text'.padEnd(shape.minLength ?? 0, '.')
    case 'null':
      return null
    default:
      return undefined
  }
}

/** A list with one item, or empty if no valid item can be derived. */
function list({ items = {} }: Shape, name: string, whole: boolean): unknown[] {
  const item = sample(items, name.replace(/s$/, ''), whole)
  return item !== undefined && Value.Check(items as TSchema, item) ? [item] : []
}

function fields({ properties = {}, required = [] }: Shape, whole: boolean): Record<string, unknown> {
  const shown = Object.entries(properties).filter(([name]) => whole || required.includes(name))
  const values = shown.map(([name, field]) => [name, sample(field, name, whole)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
