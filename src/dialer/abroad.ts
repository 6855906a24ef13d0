/** What goes to other countries than our own in 24 hours is bounded: fraud ends with the cap (F-J9, campaigns-101). */
import type { PhoneNumber } from '../kernel/ids.ts'
import type { AbroadUse } from '../ports/attempt.ts'
import { countryOf } from './phone-number.ts'

/** For each other country, in 24 hours. */
export interface AbroadCaps {
  readonly callsMax: number
  readonly talkMaxMs: number
}

/** `undefined`: not known, which proves nothing. */
export interface AbroadQuestion {
  readonly caps: AbroadCaps | undefined
  readonly used: readonly AbroadUse[] | undefined
  /** Lines that this decision has permitted already, whatever their countries. */
  readonly beside: number
}

/** Whether it is a country of the numbers that the trunk shows. */
export function isHome(country: string, ourCallerIds: readonly PhoneNumber[] | undefined): boolean {
  return ourCallerIds?.some((id) => countryOf(id) === country) === true
}

/** Whether one more call may go to this other country. */
export function isRoomAbroad(country: string, { caps, used, beside }: AbroadQuestion): boolean {
  if (caps === undefined || used === undefined) return false
  const { calls, talkMs } = used.find((one) => one.country === country) ?? { calls: 0, talkMs: 0 }
  return calls + beside < caps.callsMax && talkMs < caps.talkMaxMs
}
