import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { PhoneNumber } from '../kernel/ids.ts'

/** D-30. */
const TEXT_MAX = 32

/** Separators, and invisible characters of spreadsheets: soft hyphens, direction marks, zero-width joiners. */
const BETWEEN = /[\s().\-/\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g

/** Hyphens and dashes that NFKC leaves as they are. */
const DASHES = /[\u2010-\u2015\u2212]/g

/** Whether this is E.164 as stored: a plus sign and digits. */
export function isPhoneNumber(text: string): text is PhoneNumber {
  return /^\+[1-9][0-9]{6,14}$/.test(text)
}

/**
 * Converts a written number to E.164. `country` (ISO 3166-1) applies to a number without `+`; without a country such a
 * number is undefined. Also undefined: letters, extensions, addresses, digits of other scripts. `examineNumber` decides
 * whether the number may be dialed.
 */
export function normalizeNumber(given: string, country: string | undefined): PhoneNumber | undefined {
  if (given.length > TEXT_MAX) return undefined
  const plain = given.normalize('NFKC').replaceAll(DASHES, '-').replaceAll(BETWEEN, '')
  if (!/^\+?[0-9]{2,20}$/.test(plain)) return undefined
  const isNational = country !== undefined && !plain.startsWith('+')
  const number = isNational
    ? parsePhoneNumberFromString(plain, country as CountryCode)?.number
    : parseInternational(plain)?.number
  return number !== undefined && isPhoneNumber(number) ? number : undefined
}

let lastParsed: { readonly text: string; readonly parsed: ReturnType<typeof parsePhoneNumberFromString> } | undefined

/** The parts of an international number. The last one is kept: an import examines what it has just normalized. */
export function parseInternational(text: string): ReturnType<typeof parsePhoneNumberFromString> {
  if (lastParsed?.text !== text) lastParsed = { text, parsed: parsePhoneNumberFromString(text) }
  return lastParsed.parsed
}

/** The country of a number by its code; undefined if several countries share the code. */
export function countryOf(number: string): string | undefined {
  return parsePhoneNumberFromString(number)?.country
}
