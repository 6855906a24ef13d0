/** What lists of the contract have in common (D-05). */
import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'

/** Both names that the contract has for the total of a list: every array answer carries both. */
export function totals(found: number): Record<string, string> {
  return { 'svc-total-found': String(found), totalfound: String(found) }
}

/** ISO 8601 in UTC with milliseconds; null when unset. */
export function instantText(atMs: AtMs | undefined | null): string | null {
  return atMs === undefined || atMs === null ? null : new Date(atMs).toISOString()
}

/** RFC 3339, with an offset: an instant without one could be anywhere. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i

/** An instant of a request: ISO 8601 with an offset, or milliseconds since the epoch. Undefined: it is none. */
export function readInstant(value: string | number): AtMs | undefined {
  if (typeof value === 'number') return Math.abs(value) <= 8.64e15 ? value : undefined
  if (/^\d{1,16}$/.test(value)) return readInstant(Number(value))
  const atMs = INSTANT.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(atMs) ? undefined : atMs
}

/** An id of the contract: a whole number from 1 to 2^53-1, also as a text (D-05). */
export const Id = (description: string) => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description })

/** An instant as requests may write it. */
export const InstantIn = (description: string) =>
  Type.Union([Type.Integer(), Type.String({ maxLength: 40 })], { description })

/** An instant as answers write it. */
export const InstantOut = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

/** The page of a list by offset. */
export const Page = { offsetMax: 1_000_000, sizeMax: 1_000, size: 100 } as const
