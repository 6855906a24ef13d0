import type { Undelivered } from '../ports/mail.ts'
import { plainAddress } from './mail-address.ts'

const GROUPS_MAX = 500
const WHY_LETTERS_MAX = 300

/**
 * The recipients with `Action: failed` in a `message/delivery-status`. A `delayed` recipient may still get the email;
 * one that is `delivered`, `relayed` or `expanded` has it. Text that is not a report has no recipients.
 */
export function undeliveredIn(text: string): Undelivered[] {
  const groups = text.replaceAll('\r\n', '\n').split(/\n[ \t]*\n/, GROUPS_MAX)
  return groups.flatMap((group) => {
    const fields = fieldsOf(group)
    if (fields.get('action')?.toLowerCase() !== 'failed') return []
    const named = [fields.get('original-recipient'), fields.get('final-recipient')].map(addressIn)
    const addresses = [...new Set(named.filter((address) => address !== undefined))]
    if (addresses.length === 0) return []
    const why = [fields.get('status'), afterType(fields.get('diagnostic-code'))].filter(Boolean).join(' ')
    return [{ addresses, why: why.slice(0, WHY_LETTERS_MAX) || 'no reason was given' }]
  })
}

/** Fields by lower-case name, unfolded; the first of each. */
function fieldsOf(group: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of group.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value] = /^([A-Za-z-]{1,60}):(.*)$/.exec(line) ?? []
    const key = name?.toLowerCase()
    if (key !== undefined && !fields.has(key)) fields.set(key, (value ?? '').trim())
  }
  return fields
}

/** `rfc822; petra@debtor.example`; the type may be missing. */
function addressIn(field: string | undefined): string | undefined {
  return field === undefined ? undefined : plainAddress(afterType(field).replaceAll(/^<|>$/g, ''))
}

function afterType(field = ''): string {
  return field.replace(/^[^;@]*;/, '').trim()
}
