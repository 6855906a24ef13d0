import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { PhoneNumber } from '../kernel/ids.ts'

/** Separators between digits that mean nothing (RFC 3966 5.1.1). */
const VISUAL_SEPARATORS = /[\s().-]/g
/** An international number with its prefix, or without any, as many networks send it. ASCII digits only (F-J15). */
const INTERNATIONAL = /^(?:\+|00)?([1-9][0-9]{6,14})$/

/**
 * The caller's number in the form in which call tasks store numbers (E.164). Undefined without a valid number:
 * withheld, a word, too short, made up (F-F14). The number suggests the task of the call; it never proves who calls.
 * Our choice: national numbers are not matched, because a trunk does not tell their country; a wrong match would show
 * one debtor's case for another.
 */
export function matchable(caller: string | undefined): PhoneNumber | undefined {
  const digits = INTERNATIONAL.exec((caller ?? '').replace(VISUAL_SEPARATORS, ''))?.[1]
  if (digits === undefined) return undefined
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  // Only the given digits are looked up, whatever the library makes of them.
  return parsed?.isValid() && parsed.number === `+${digits}` ? (parsed.number as string as PhoneNumber) : undefined
}
