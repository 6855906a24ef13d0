/** Bodies whose fields the rules check, because these give better errors than a schema (rest-14). */
import { type TObject, type TSchema, Type } from 'typebox'

/** What an operation reads where `shown` is what a client should send: the same fields, each of any type or absent. */
export function laxFields(shown: TObject): Record<string, TSchema> {
  return Object.fromEntries(Object.keys(shown.properties).map((name) => [name, Type.Optional(Type.Unknown())]))
}
