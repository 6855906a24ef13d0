/** People behind the carrier of a room, each under a number of their own. */
import type { SipCarrier, SipCarrierOptions } from '../../../demo/sip/sip-carrier.ts'

/** What somebody does when the phone rings. */
export type Callee = ReturnType<NonNullable<SipCarrierOptions['contactOf']>>
/** A number that the carrier knows. */
export type CalleeNumber = Parameters<SipCarrier['contact']>[0]

/** Stays until somebody hangs up. */
export const STAYS: Callee = { does: 'answer', ringsAfterMs: 0, afterMs: 200 }
export const HANGS_UP_AT_ONCE: Callee = { ...STAYS, afterMs: 0, hangsUpAfterMs: 0 }
export const RINGS: Callee = { does: 'ignore', ringsAfterMs: 0, afterMs: 0 }
export const BUSY: Callee = { does: 'busy', afterMs: 100 }

/** Gives out Danish numbers from `first` on; `contactOf` is for the carrier. */
export function makeCallees(first: number) {
  const people = new Map<string, Callee>()
  return {
    contactOf: (number: CalleeNumber) => people.get(number)!,
    numberOf(person: Callee): CalleeNumber {
      const number = `+45${first + people.size}` as CalleeNumber
      people.set(number, person)
      return number
    },
  }
}
