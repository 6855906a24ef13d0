import type { JournalLine } from '../ports/journal.ts'
import type { LegPackets } from '../ports/pbx.ts'

/**
 * What a fact about a leg says of its sound: the codec behind an answer, the packets behind an end. Empty for journals
 * of before, and for switches that do not tell.
 */
export function soundOf(what: Readonly<Partial<Record<'codec' | 'packets', unknown>>> & JournalLine['what']): string {
  const { codec, packets } = what
  if (typeof codec === 'string') return ` (${codec})`
  return packets ? `; ${inWords(packets as LegPackets)}` : ''
}

/** From the switch: what came in from the phone, and what went out to it. */
function inWords({ received, receivedLost, receivedJitterMs, sent, sentLost }: LegPackets): string {
  const jitter = received > 0 ? `, jitter ${receivedJitterMs} ms` : ''
  return `packets in ${received}, lost ${receivedLost}${jitter}; out ${sent}, lost ${sentLost}`
}
