/** Derives from a number whether it may be dialed, its country, and the possible time zones of its owner. */
import { type NumberType, type PhoneNumber as ParsedNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { PhoneNumber } from '../kernel/ids.ts'
import { parseInternational } from './phone-number.ts'

export type NumberFault =
  | 'notInternational' // not a plus sign and digits
  | 'tooShort' // emergency and other short numbers
  | 'notInUse' // no such number in its country's plan
  | 'noCountry' // satellites, networks without a place
  | 'costly' // premium rate and its relatives
  | 'noPerson' // pagers, mailboxes, company-wide and unknown kinds

export type NumberFacts =
  | {
      readonly ok: true
      readonly number: PhoneNumber
      /** ISO 3166-1, two letters. */
      readonly country: string
      /** Every zone of the country, because area codes do not locate a mobile. Empty if none is known. */
      readonly zones: readonly string[]
    }
  | { readonly ok: false; readonly why: NumberFault }

/** Digits of country code and number; shorter ones are emergency and service numbers. Our choice. */
const DIGITS_MIN = 7

/** The same for a number that the plan does not know: the shortest numbers of persons, those of the Faroes. */
const UNKNOWN_DIGITS_MIN = 9

/** Kind of number (libphonenumber) → why it is not dialed; `undefined` for people and offices. */
const FAULT_OF: Readonly<Record<Exclude<NumberType, undefined>, NumberFault | undefined>> = {
  FIXED_LINE: undefined,
  MOBILE: undefined,
  FIXED_LINE_OR_MOBILE: undefined,
  VOIP: undefined,
  TOLL_FREE: undefined,
  PREMIUM_RATE: 'costly',
  SHARED_COST: 'costly',
  // Follow-me numbers, such as the British 070: as dear as premium rate, and made for fraud.
  PERSONAL_NUMBER: 'costly',
  PAGER: 'noPerson',
  UAN: 'noPerson',
  VOICEMAIL: 'noPerson',
}

/** Countries that are missing in the runtime's list. Kosovo keeps the time of Belgrade (IANA, `europe` file). */
const FURTHER_ZONES: Readonly<Record<string, readonly string[]>> = { XK: ['Europe/Belgrade'] }

/**
 * `valid`: in use by the bundled number plan. `possible`: also a number of a new range, which the plan does not know
 * yet (campaigns-98).
 */
export type NumberCheck = 'valid' | 'possible'

/** The check that a campaign wants. */
export function numberCheckOf({
  acceptsPossibleNumbers,
}: {
  readonly acceptsPossibleNumbers?: boolean | undefined
}): NumberCheck {
  return acceptsPossibleNumbers ? 'possible' : 'valid'
}

function faultOfKind(kind: NumberType): NumberFault | undefined {
  return kind === undefined ? 'noPerson' : FAULT_OF[kind]
}

/** Cache: the gate examines a task many times before its turn. */
const EXAMINED_MAX = 20_000
const examined = { valid: new Map<string, NumberFacts>(), possible: new Map<string, NumberFacts>() }

/** Examines an E.164 number. Never throws; an unknown number is not dialed. */
export function examineNumber(text: string, check: NumberCheck = 'valid'): NumberFacts {
  const before = examined[check]
  const known = before.get(text)
  if (known) return known
  const facts = examine(text, check)
  if (before.size >= EXAMINED_MAX) before.clear()
  before.set(text, facts)
  return facts
}

function examine(text: string, check: NumberCheck): NumberFacts {
  if (!/^\+[0-9]{1,15}$/.test(text)) return { ok: false, why: 'notInternational' }
  if (text.length <= DIGITS_MIN) return { ok: false, why: 'tooShort' }
  const parsed = parseInternational(text)
  // Only the number as given is dialed, never the library's rewriting of it.
  if (!parsed || parsed.number !== text) return { ok: false, why: 'notInUse' }
  const isKnown = parsed.isValid()
  if (!isKnown && check === 'valid') return { ok: false, why: 'notInUse' }
  const fault = isKnown ? faultOfKind(parsed.getType()) : faultOfUnknown(parsed)
  if (fault !== undefined) return { ok: false, why: fault }
  if (parsed.country === undefined) return { ok: false, why: 'noCountry' }
  return { ok: true, number: text as PhoneNumber, country: parsed.country, zones: zonesOfCountry(parsed.country) }
}

/**
 * Why a number that the plan does not know is not dialed even so; undefined: it may be of a new range. Its length is
 * one of its country, and it is not a number in use with digits behind it: networks ignore those, and would call that
 * number past its stops. No number that begins alike is costly or of no person.
 */
function faultOfUnknown(parsed: ParsedNumber): NumberFault | undefined {
  const { number, nationalNumber, countryCallingCode } = parsed
  // 0 and 1: emergency and special services of most countries; 90: premium rate of many.
  const isOfRange = number.length > UNKNOWN_DIGITS_MIN && !/^(?:[01]|90)/.test(nationalNumber)
  if (!isOfRange || !parsed.isPossible()) return 'notInUse'
  for (let length = DIGITS_MIN + 1; length < number.length; length++) {
    if (parsePhoneNumberFromString(number.slice(0, length))?.isValid()) return 'notInUse'
  }
  return faultOfRange(`+${countryCallingCode}${nationalNumber.slice(0, 2)}`)
}

/** Four to eleven digits after the country code. */
const SAMPLED_LENGTHS = 8
/** A few hundred at most: two digits of each country. */
const ranges = new Map<string, NumberFault | undefined>()

/** The fault of any number in use that begins so, by samples of every length and of the next two digits. */
function faultOfRange(beginning: string): NumberFault | undefined {
  if (ranges.has(beginning)) return ranges.get(beginning)
  const faults = Array.from({ length: 100 * SAMPLED_LENGTHS }, (_, sample) => {
    const next = String(sample % 100).padStart(2, '0')
    const parsed = parsePhoneNumberFromString(`${beginning}${next}${'1'.repeat(Math.floor(sample / 100))}`)
    return parsed?.isValid() ? faultOfKind(parsed.getType()) : undefined
  })
  const fault = faults.find((why) => why !== undefined)
  ranges.set(beginning, fault)
  return fault
}

/** Part of the runtime (ECMA-402, Intl Locale Info), but missing in the type checker. */
interface LocaleWithZones {
  getTimeZones?(): readonly string[] | undefined
}

/** Few countries exist, and their zones do not change while the process runs. */
const known = new Map<string, readonly string[]>()

/** The country's zones in the runtime's data (CLDR, IANA `zone.tab`); a table of our own would age separately. */
export function zonesOfCountry(country: string): readonly string[] {
  let zones = known.get(country)
  if (!zones) {
    const found = (new Intl.Locale(`und-${country}`) as LocaleWithZones).getTimeZones?.() ?? []
    zones = found.length > 0 ? found : (FURTHER_ZONES[country] ?? [])
    known.set(country, zones)
  }
  return zones
}
