import type { PhoneNumber, SipUser } from '../../kernel/ids.ts'
import { SIP_USER, type TransferTarget } from '../../ports/transfer.ts'

/** E.164: a plus sign and digits. */
export const INTERNATIONAL = /^\+[1-9][0-9]{6,14}$/
const ADDRESS = /^sip:([^@]*)@([A-Za-z0-9.-]{1,253})$/

/** `+4533123456` or `sip:reception@office`; else why it is none of both. */
export function readTarget(text: string): TransferTarget | string {
  if (INTERNATIONAL.test(text)) return { number: text as PhoneNumber }
  const [, user, host] = ADDRESS.exec(text) ?? []
  if (user === undefined || host === undefined) return 'the target is no international number and no sip: address'
  if (!SIP_USER.test(user)) return 'the user of the sip: address has signs other than letters, digits, ".", "_" and "-"'
  return { user: user as SipUser, host: host.toLowerCase() }
}
