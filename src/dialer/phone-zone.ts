/** Derives from a number whether it may be dialed, its country, and the possible time zones of its owner. */
import type { NumberType } from 'libphonenumber-js/max'
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

/** Cache: the gate examines a task many times before its turn. */
const EXAMINED_MAX = 20_000
const examined = new Map<string, NumberFacts>()

/** Examines an E.164 number. Never throws; an unknown number is not dialed. */
export function examineNumber(text: string): NumberFacts {
  const known = examined.get(text)
  if (known) return known
  const facts = examine(text)
  if (examined.size >= EXAMINED_MAX) examined.clear()
  examined.set(text, facts)
  return facts
}

function examine(text: string): NumberFacts {
  if (!/^\+[0-9]{1,15}$/.test(text)) return { ok: false, why: 'notInternational' }
  if (text.length <= DIGITS_MIN) return { ok: false, why: 'tooShort' }
  const parsed = parseInternational(text)
  // Only the number as given is dialed, never the library's rewriting of it.
  if (!parsed?.isValid() || parsed.number !== text) return { ok: false, why: 'notInUse' }
  const kind = parsed.getType()
  const fault = kind === undefined ? 'noPerson' : FAULT_OF[kind]
  if (fault !== undefined) return { ok: false, why: fault }
  if (parsed.country === undefined) return { ok: false, why: 'noCountry' }
  return { ok: true, number: text as PhoneNumber, country: parsed.country, zones: zonesOfCountry(parsed.country) }
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
