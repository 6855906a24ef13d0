/** What Asterisk tells of the sound of a leg in events that come anyway (`channelvars`, asterisk/general.ts). */
import type { LegPackets } from '../ports/pbx.ts'

interface Described {
  readonly channelvars?: Readonly<Record<string, unknown>>
}

/**
 * The codecs of a channel: `(alaw)` once they are negotiated, before that all that are offered, `(ulaw|alaw)`. They
 * remain several where nothing is in common (measured, 22.10.1). Empty if Asterisk is not configured to tell.
 */
export function codecsOf({ channelvars }: Described): readonly string[] {
  const text = channelvars?.['CHANNEL(audionativeformat)']
  return typeof text === 'string' ? (text.match(/[a-z0-9]+/g) ?? []) : []
}

/**
 * The packets of a channel that ends: Asterisk counts them before it tells the end, whoever hangs up (measured,
 * 22.10.1). `ssrc=1;themssrc=2;lp=0;rxjitter=0.000125;rxcount=50;txjitter=0.000000;txcount=50;rlp=0;…`, times in s.
 */
export function packetsOf({ channelvars }: Described): LegPackets | undefined {
  const text = channelvars?.['RTPAUDIOQOS']
  if (typeof text !== 'string' || text === '') return undefined
  const number = (name: string) => Number(new RegExp(`(?:^|;)${name}=([0-9.]+)`).exec(text)?.[1])
  const packets = {
    received: number('rxcount'),
    receivedLost: number('lp'),
    receivedJitterMs: Math.round(number('rxjitter') * 1_000),
    sent: number('txcount'),
    sentLost: number('rlp'),
  }
  return Object.values(packets).every(Number.isFinite) ? packets : undefined
}
