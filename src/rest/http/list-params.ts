/** Fields and headers that all lists share (D-05). */

import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import { instantOf } from '../../kernel/instant.ts'

/** The contract has two names for the total of a list; every array answer carries both. */
export function totals(found: number): Record<string, string> {
  return { 'svc-total-found': String(found), totalfound: String(found) }
}

/** What a search by name compares. */
export const NAME_PART = 'A part of the name; case and accents do not count'

/** ISO 8601 in UTC with milliseconds; null if unset. */
export function instantText(atMs: AtMs | undefined | null): string | null {
  return atMs === undefined || atMs === null ? null : new Date(atMs).toISOString()
}

/** RFC 3339 with an offset; without one the time is ambiguous. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i

/** Answers write years with four digits. */
const YEAR_10000_MS = Date.UTC(10_000, 0)

/** Parses a timestamp: ISO 8601 with an offset, or milliseconds since the epoch. Undefined if invalid. */
export function readInstant(value: string | number): AtMs | undefined {
  if (typeof value === 'number') return value >= 0 && value < YEAR_10000_MS ? value : undefined
  if (/^\d{1,16}$/.test(value)) return readInstant(Number(value))
  return INSTANT.test(value) ? instantOf(value) : undefined
}

/** An id of the contract: an integer from 1 to 2^53-1, also as a string (D-05). */
export const Id = (description: string) => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description })

export const InstantIn = (description: string) =>
  Type.Union([Type.Integer(), Type.String({ maxLength: 40 })], { description })

export const InstantOut = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

export const Page = { offsetMax: 1_000_000, sizeMax: 1_000, size: 100 } as const
