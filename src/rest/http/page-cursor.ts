/** Where a page of a list ended, opaque to clients: pages that rows come to and leave have no gap (rest-48). */
import { Type } from 'typebox'
import { readJson } from './parse-json.ts'
import type { FieldError } from './problem-kinds.ts'

/** A long name, in base64. */
const LETTERS_MAX = 8_000

/** `after` of a request. */
export const afterField = (description: string) =>
  Type.Optional(Type.String({ maxLength: LETTERS_MAX, description: `\`next\` of ${description}` }))
export const AFTER = afterField('the page before, with the same filters: rows that come or go since cause no gap')

/** `next` of an answer. */
export const NEXT = Type.Union([Type.String(), Type.Null()], { description: 'To be sent as `after`; null: the end' })

/** The text for a place; `readCursor` gives the parts again. */
export function cursorOf(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Clients may have changed the text: nothing is known of the parts but that they are JSON without NUL. */
export function readCursor(text: string): readonly unknown[] {
  const reading = readJson(Buffer.from(text, 'base64url'))
  return reading.ok && Array.isArray(reading.value) ? reading.value : []
}

/** What is wrong with an `after` that names no place of this list. */
export const NO_CURSOR: FieldError = {
  path: 'after',
  code: 'cursor',
  message: 'is not the `next` of a page of this list; omit it to begin anew',
}
