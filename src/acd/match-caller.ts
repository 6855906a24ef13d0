import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { PhoneNumber } from '../kernel/ids.ts'

/** Signs that people and networks put between digits, and that mean nothing (RFC 3966 5.1.1). */
const VISUAL_SEPARATORS = /[\s().-]/g
/** An international number with its prefix, or as many networks send it, without any. ASCII digits only (F-J15). */
const INTERNATIONAL = /^(?:\+|00)?([1-9][0-9]{6,14})$/

/**
 * The number by which a caller may be found among the call tasks, as those are kept (E.164). Undefined for whatever is
 * no number in use anywhere: withheld, a word, too short, made up (F-F14). It says which task a call may be about, and
 * is never proof of who calls. Our choice: national numbers are not matched, because what their country is, a trunk
 * does not say; a wrong match would show one debtor's case for another.
 */
export function matchable(caller: string | undefined): PhoneNumber | undefined {
  const digits = INTERNATIONAL.exec((caller ?? '').replace(VISUAL_SEPARATORS, ''))?.[1]
  if (digits === undefined) return undefined
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  // Whatever the library makes of it, only what we were given is looked up.
  return parsed?.isValid() && parsed.number === `+${digits}` ? (parsed.number as string as PhoneNumber) : undefined
}
