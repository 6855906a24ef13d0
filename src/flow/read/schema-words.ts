/** Building blocks of the flow schema: TypeBox with our own descriptions of valid values. */
import Type, { type TSchema } from 'typebox'
import type { ShapeText } from '../../kernel/check-shape.ts'

/** Not in the editors' file, like all keywords that JSON Schema does not have. */
interface FlowText extends ShapeText {
  /** Editors' file: write this schema once, under this name. */
  readonly definition?: string
}

/** Names of flows, steps, prompts, hours, marks. */
export const NAME = '^[a-zA-Z][A-Za-z0-9-]{0,59}$'
/** Languages with or without a country, as numbers of the configuration have them. */
export const LANGUAGE = '^[a-z]{2}(-[A-Z]{2})?$'
/** Names of variables. */
export const VARIABLE = '^[\\p{L}_][\\p{L}\\p{N}_]{0,59}$'
const DURATION = '^[0-9]{1,9}(ms|s|m|h)$'

type Options = Record<string, unknown> & FlowText

export const optional = Type.Optional
export const text = (description: string, options: Options = {}) =>
  Type.String({ minLength: 1, maxLength: 10_000, description, hint: 'text', ...options })
export const stepName = (description: string) =>
  Type.String({ pattern: NAME, description, hint: 'the name of a step', definition: 'stepName' })
export const duration = (description: string, options: Options = {}) =>
  Type.String({
    pattern: DURATION,
    description,
    hint: 'a duration such as 5s, 500ms or 2m',
    examples: ['5s', '500ms', '2m'],
    ...options,
  })
export const count = (minimum: number, maximum: number, description: string, options: Options = {}) =>
  Type.Integer({ minimum, maximum, description, hint: `a whole number from ${minimum} to ${maximum}`, ...options })
export const yesOrNo = (description: string, options: Options = {}) =>
  Type.Boolean({ description, hint: 'true or false', ...options })
/** A map of named keys only. */
export const map = <P extends Record<string, TSchema>>(properties: P, description: string, words: FlowText = {}) =>
  Type.Object(properties, { additionalProperties: false, description, ...words })
/** A map whose keys the author chooses. */
export const named = <S extends TSchema>(pattern: string, keys: string, entry: S, description: string) =>
  Type.Record(Type.String({ pattern }), entry, { additionalProperties: false, keys, description })
export const anything = (description: string) => Type.Unknown({ description })
export const variables = (description: string) =>
  named(VARIABLE, 'the name of a variable: letters, digits and _', anything('Any value.'), description)
