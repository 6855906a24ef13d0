import { ARI_EVENT_TYPES, type AriEvent } from './ari-types.ts'

/**
 * The events we live on. Everything else that this Asterisk could tell is switched off at its source: a call
 * makes about 50 events, of which we need ten, and each costs Asterisk CPU time (asterisk.md 7 and 9).
 *
 * `ChannelHangupRequest` earns its place: it alone tells a prompt that fails from one whose caller hung up, since
 * both end as "failed", the latter a moment before the leg does (measured), and only it carries a cause. `Dial` alone
 * tells of a phone that rings with a sound of its own (SIP 183): no change of state comes then.
 */
const USED = [
  'ApplicationReplaced',
  'ChannelDestroyed',
  'ChannelDtmfReceived',
  'ChannelEnteredBridge',
  'ChannelHangupRequest',
  'ChannelStateChange',
  'Dial',
  'PlaybackFinished',
  'PlaybackStarted',
  'RESTResponse',
  'RecordingFailed',
  'RecordingFinished',
  'StasisEnd',
  'StasisStart',
] as const satisfies readonly AriEvent['type'][]

/** An event that may reach the ledger: one of `USED`, typed by its `type`. */
export type UsedEvent = Extract<AriEvent, { type: (typeof USED)[number] }>

const used: ReadonlySet<string> = new Set(USED)
const known: ReadonlySet<string> = new Set(ARI_EVENT_TYPES)

/** Whether an event is one that we asked for. */
export function isUsed(event: { readonly type: string }): event is UsedEvent {
  return used.has(event.type)
}

/** Whether our types know of such events at all. A newer Asterisk may have more of them. */
export function isKnown(event: { readonly type: string }): boolean {
  return known.has(event.type)
}

/**
 * The filter for `PUT /applications/{app}/eventFilter`. Always the list of what we do *not* want: a list of what
 * we do want would also silence the answers to our requests (asterisk.md 7, "event filter trap").
 */
export const EVENT_FILTER = {
  disallowed: ARI_EVENT_TYPES.filter((type) => !used.has(type)).map((type) => ({ type })),
}
