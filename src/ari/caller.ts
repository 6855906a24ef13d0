/** What telephone networks and phones send for a withheld number (RFC 3261 8.1.1.3, RFC 3323 4.1.1.3). */
const WITHHELD: ReadonlySet<string> = new Set(['', 'anonymous', 'unknown', 'unavailable', 'restricted', 'private'])

/** PJSIP names a channel by its endpoint and a number of its own: `PJSIP/trunk-main-00000012`. */
const FROM_TRUNK = /^PJSIP\/trunk-([a-z][a-z0-9-]{0,39})-[0-9a-f]{8}$/

interface ArrivedChannel {
  readonly name: string
  readonly caller?: { readonly number?: string }
}

/** The caller's number, unless it is withheld, and the trunk. The number is a claim, never proof of identity. */
export function callerOf(channel: ArrivedChannel): { readonly caller?: string; readonly trunk?: string } {
  const number = channel.caller?.number?.trim() ?? ''
  const trunk = FROM_TRUNK.exec(channel.name)?.[1]
  return { ...(!WITHHELD.has(number.toLowerCase()) && { caller: number }), ...(trunk !== undefined && { trunk }) }
}
