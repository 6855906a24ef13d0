/** What telephone networks and phones send for a withheld number (RFC 3261 8.1.1.3, RFC 3323 4.1.1.3). */
const WITHHELD: ReadonlySet<string> = new Set(['', 'anonymous', 'unknown', 'unavailable', 'restricted', 'private'])

/** The caller's number, unless it is withheld. It is a claim, never proof of identity. */
export function callerOf(channel: { readonly caller?: { readonly number?: string } }): { readonly caller?: string } {
  const number = channel.caller?.number?.trim() ?? ''
  return WITHHELD.has(number.toLowerCase()) ? {} : { caller: number }
}
