/** The debtors of the demo's campaign and the expected result of each call. */

import type { PhoneNumber } from '../src/kernel/ids.ts'
import type { Contact } from '../src/sim/person.ts'

interface Kind {
  readonly count: number
  readonly contact: Contact
  /** Expected result of the attempt (D-11). */
  readonly result: string
}

const KINDS: readonly Kind[] = [
  {
    count: 40,
    contact: { does: 'answer', ringsAfterMs: 100, afterMs: 900, hangsUpAfterMs: 5_500 },
    result: 'ANSWERED',
  },
  { count: 7, contact: { does: 'busy', afterMs: 300 }, result: 'BUSY' },
  { count: 2, contact: { does: 'ignore', ringsAfterMs: 200, afterMs: 0 }, result: 'NO_ANSWER' },
  {
    count: 4,
    contact: { does: 'answer', ringsAfterMs: 100, afterMs: 800, voice: 'machine', hangsUpAfterMs: 15_000 },
    result: 'VOICEMAIL',
  },
  { count: 3, contact: { does: 'reject', ringsAfterMs: 100, afterMs: 700 }, result: 'REJECTED' },
  { count: 2, contact: { does: 'fail', code: 404, afterMs: 100 }, result: 'INVALID_NUMBER' },
  { count: 2, contact: { does: 'fail', code: 503, afterMs: 100 }, result: 'FAILED' },
]

/** One debtor of the campaign. */
export interface Debtor {
  readonly number: PhoneNumber
  readonly caseNumber: string
  readonly contact: Contact
  readonly result: string
}

/** The sixty debtors, the kinds mixed evenly. */
export const DEBTORS: readonly Debtor[] = KINDS.flatMap(({ count, contact, result }) =>
  Array.from({ length: count }, (_, place) => ({ contact, result, at: (place + 0.5) / count })),
)
  .sort((one, other) => one.at - other.at)
  .map(({ contact, result }, index) => ({
    number: `+45${22_100_000 + index * 7}` as PhoneNumber,
    caseNumber: `C-${1001 + index}`,
    contact,
    result,
  }))

/** The contact of a number. */
export function debtorAt(number: PhoneNumber): Contact {
  return DEBTORS.find((debtor) => debtor.number === number)?.contact ?? { does: 'fail', code: 404, afterMs: 0 }
}

/** The campaign's agents; their phones stay connected. */
export const CALLING_AGENTS = [
  { name: 'dora', title: 'Dora (campaign)', host: '127.0.0.41' },
  { name: 'emil', title: 'Emil (campaign)', host: '127.0.0.42' },
  { name: 'frida', title: 'Frida (campaign)', host: '127.0.0.43' },
  { name: 'gorm', title: 'Gorm (campaign)', host: '127.0.0.44' },
] as const

/** Their team. */
export const CALLING_TEAM = 'campaign'
/** The number that callees see. */
export const CALLER_ID = '+4570000000'
