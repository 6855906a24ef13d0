import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { PhoneNumber } from '../kernel/ids.ts'

/** Separators between digits that mean nothing (RFC 3966 5.1.1). */
const VISUAL_SEPARATORS = /[\s().-]/g
/** An international number with its prefix, or without any, as many networks send it. ASCII digits only (F-J15). */
const INTERNATIONAL = /^(?:\+|00)?([1-9][0-9]{6,14})$/
const WITHOUT_PLUS = /^[0-9]{3,17}$/

/**
 * The caller's number in the form in which call tasks store numbers (E.164). Undefined without a valid number:
 * withheld, a word, too short, made up (F-F14). The number suggests the task of the call; it never proves who calls.
 * `country` (ISO 3166-1) is that of the trunk, whose national numbers are read first. Our choice: without it national
 * numbers are not matched; a wrong match would show one debtor's case for another.
 */
export function matchable(caller: string | undefined, country?: string): PhoneNumber | undefined {
  const plain = (caller ?? '').replace(VISUAL_SEPARATORS, '')
  return (country === undefined ? undefined : readNational(plain, country)) ?? readInternational(plain)
}

/**
 * The spellings of a called number that the configuration may hold, the one that was sent first: with `+`, with `00`,
 * without either, and, on a trunk with a country, as a national number. The configuration decides which of them is
 * ours; therefore the number need not be valid.
 */
export function spellingsOf(called: string, country: string | undefined): readonly string[] {
  const plain = called.replace(VISUAL_SEPARATORS, '')
  const home = country === undefined ? undefined : parsePhoneNumberFromString(plain, country as CountryCode)
  const readings = [INTERNATIONAL.exec(plain)?.[1], home?.number.slice(1)].filter((digits) => digits !== undefined)
  const homeCode = country === undefined ? undefined : getCountryCallingCode(country as CountryCode)
  return [
    called,
    ...readings.flatMap((digits) => [`+${digits}`, digits, `00${digits}`]),
    ...readings
      .filter((digits) => homeCode !== undefined && digits.startsWith(homeCode))
      .map((digits) => digits.slice(homeCode!.length))
      .flatMap((national) => [national, `0${national}`]),
  ]
}

function readNational(plain: string, country: string): PhoneNumber | undefined {
  if (!WITHOUT_PLUS.test(plain)) return undefined
  const parsed = parsePhoneNumberFromString(plain, country as CountryCode)
  // Only the given digits are looked up, whatever the library makes of them.
  return parsed?.isValid() && plain.endsWith(parsed.nationalNumber)
    ? (parsed.number as string as PhoneNumber)
    : undefined
}

function readInternational(plain: string): PhoneNumber | undefined {
  const digits = INTERNATIONAL.exec(plain)?.[1]
  if (digits === undefined) return undefined
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  return parsed?.isValid() && parsed.number === `+${digits}` ? (parsed.number as string as PhoneNumber) : undefined
}
