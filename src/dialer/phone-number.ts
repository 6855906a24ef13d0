/** Numbers as customers write them, and as they are dialed (F-I5). */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { PhoneNumber } from '../kernel/ids.ts'

/** Longer texts are no numbers; D-30. */
const TEXT_MAX = 32

/**
 * What people put between digits, and what spreadsheets and address books put around them unseen: soft hyphens,
 * marks of direction, joiners of no width. Nothing of it is dialed.
 */
const BETWEEN = /[\s().\-/\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g

/** Hyphens and dashes that NFKC leaves as they are. */
const DASHES = /[\u2010-\u2015\u2212]/g

/** Whether this is E.164 as we keep it: a plus sign and digits. */
export function isPhoneNumber(text: string): text is PhoneNumber {
  return /^\+[1-9][0-9]{6,14}$/.test(text)
}

/**
 * A number as it was written, in E.164. `country` (ISO 3166-1) is where a number without `+` is at home; without one
 * such a number is not understood. Undefined for everything that is not plainly a number: letters, extensions,
 * addresses, digits of other scripts. Whether it may be dialed is asked of `examineNumber`.
 */
export function normalizeNumber(given: string, country: string | undefined): PhoneNumber | undefined {
  if (given.length > TEXT_MAX) return undefined
  const plain = given.normalize('NFKC').replaceAll(DASHES, '-').replaceAll(BETWEEN, '')
  if (!/^\+?[0-9]{2,20}$/.test(plain)) return undefined
  const parsed = country === undefined ? parsePhoneNumberFromString(plain) : parseAtHome(plain, country)
  const number = parsed?.number
  return number !== undefined && isPhoneNumber(number) ? number : undefined
}

/** The country that a number belongs to by its code; undefined where several share the code and none is certain. */
export function countryOf(number: string): string | undefined {
  return parsePhoneNumberFromString(number)?.country
}

function parseAtHome(plain: string, country: string) {
  return parsePhoneNumberFromString(plain, country as CountryCode)
}
