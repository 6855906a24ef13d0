import type { DialOptions, Party } from '../../ports/pbx.ts'
import { SIP_USER } from '../../ports/transfer.ts'

/** The header that names the attempt to the carrier, for comparing its log with ours (INV-D8). */
export const REFERENCE_HEADER = 'X-Switchboard-Attempt'

/** Arguments of ARI's `POST /channels/create`. */
interface TrunkCall {
  readonly endpoint: string
  readonly variables: Readonly<Record<string, string>>
}

/**
 * Builds the call from checked parts, or returns why it cannot. No text from outside gets into the endpoint or a header
 * unchecked: `500&PJSIP/…` is the textbook case of toll fraud (F-J15, F-J16). Functions can be set like variables:
 * `PJSIP_HEADER` adds the header, and Asterisk builds `From` from `CONNECTEDLINE` (measured on the wire, 22.10.1).
 */
export function trunkCall(options: DialOptions, firstTrunk: string | undefined): TrunkCall | string {
  const { trunk = firstTrunk, number, callerId, reference } = options
  if (trunk === undefined) return 'the configuration has no trunk; add one under trunks:'
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(trunk)) return 'the trunk has a name that no trunk can have'
  const party = partyText(number)
  if (party === undefined) return 'the number is not E.164, or the user holds more than letters, digits and . _ -'
  if (!/^\+?[0-9]{2,15}$/.test(callerId)) return 'the caller id is no number'
  if (!/^[A-Za-z0-9._:-]{1,100}$/.test(reference)) return 'the reference holds more than letters, digits and . _ : -'
  return {
    endpoint: `PJSIP/${party}@trunk-${trunk}`,
    variables: { 'CONNECTEDLINE(num,i)': callerId, [`PJSIP_HEADER(add,${REFERENCE_HEADER})`]: reference },
  }
}

/** What stands before the `@`; undefined where it is neither a number nor a user. */
export function partyText(party: Party): string | undefined {
  if (typeof party === 'string') return /^\+[0-9]{2,15}$/.test(party) ? party : undefined
  return SIP_USER.test(party.user) ? party.user : undefined
}
