/**
 * What a browser may say to the switch. It registers its own user, and speaks within calls that the switch has begun:
 * a page with an agent's credential cannot call, nor register somebody else.
 */

/** Within a dialog, which the switch began (RFC 3261 12). */
const WITHIN_CALLS = ['ACK', 'BYE', 'INVITE', 'UPDATE', 'INFO']

/** `message`: one SIP message, as RFC 7118 sends it. */
export function mayPass(message: string, sipUser: string): boolean {
  // Responses, and the empty lines that keep a connection alive (RFC 5626 3.5.1).
  if (message.startsWith('SIP/2.0 ') || /^[\r\n]{0,4}$/.test(message)) return true
  const [method] = message.split(' ', 1)
  const [from, to] = [headerOf(message, 'From'), headerOf(message, 'To')]
  if (method === 'REGISTER') return isOf(from, sipUser) && isOf(to, sipUser)
  return WITHIN_CALLS.includes(method!) && to !== undefined && /;\s*tag=[^;\s]/i.test(to)
}

/** The only header of this name; undefined if there is none, or more than one. Short and folded forms are not read. */
function headerOf(message: string, name: string): string | undefined {
  const head = message.split('\r\n\r\n', 1)[0]!
  const values = head.split('\r\n').filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return values.length === 1 ? values[0] : undefined
}

function isOf(header: string | undefined, sipUser: string): boolean {
  return header !== undefined && /<sips?:([^@>]+)@/.exec(header)?.[1] === sipUser
}
