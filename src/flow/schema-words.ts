/** The bricks of the flow schema: TypeBox with our own words about what a value must be. */
import Type, { type TSchema } from 'typebox'

/** What our schema says beyond JSON Schema; read by `check-shape.ts`, left out of the editors' file. */
export interface ShapeWords {
  /** What the value must be, as the end of the sentence "timeout must be …". */
  readonly hint?: string
  /** What the keys must be, where authors choose them. */
  readonly keys?: string
  /** Keys of flows.md that this version does not know yet. */
  readonly later?: readonly string[]
  /** Editors' file: write this schema once, under this name. */
  readonly definition?: string
}

/** Names of flows, steps, prompts, hours, marks. */
export const NAME = '^[a-zA-Z][A-Za-z0-9-]{0,59}$'
/** Names of variables. */
export const VARIABLE = '^[\\p{L}_][\\p{L}\\p{N}_]{0,59}$'
const DURATION = '^[0-9]{1,9}(ms|s|m|h)$'

type Options = Record<string, unknown> & ShapeWords

/** A key that may be absent. */
export const optional = Type.Optional
/** A text that is not empty. */
export const text = (description: string, options: Options = {}) =>
  Type.String({ minLength: 1, maxLength: 10_000, description, hint: 'text', ...options })
/** The name of a step. */
export const stepName = (description: string) =>
  Type.String({ pattern: NAME, description, hint: 'the name of a step', definition: 'stepName' })
/** A duration as text. */
export const duration = (description: string, options: Options = {}) =>
  Type.String({
    pattern: DURATION,
    description,
    hint: 'a duration such as 5s, 500ms or 2m',
    examples: ['5s', '500ms', '2m'],
    ...options,
  })
/** A whole number between two bounds. */
export const count = (minimum: number, maximum: number, description: string, options: Options = {}) =>
  Type.Integer({ minimum, maximum, description, hint: `a whole number from ${minimum} to ${maximum}`, ...options })
/** true or false. */
export const yesOrNo = (description: string, options: Options = {}) =>
  Type.Boolean({ description, hint: 'true or false', ...options })
/** A map whose keys we name; nothing else is allowed in it. */
export const map = <P extends Record<string, TSchema>>(properties: P, description: string, words: ShapeWords = {}) =>
  Type.Object(properties, { additionalProperties: false, description, ...words })
/** A map whose keys the author chooses. */
export const named = <S extends TSchema>(pattern: string, keys: string, entry: S, description: string) =>
  Type.Record(Type.String({ pattern }), entry, { additionalProperties: false, keys, description })
/** Any JSON. */
export const anything = (description: string) => Type.Unknown({ description })
