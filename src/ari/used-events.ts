import { ARI_EVENT_TYPES, type AriEvent } from './ari-types.ts'

/**
 * The events that the engine uses. The event filter switches all others off in Asterisk: a call makes about 50
 * events, the engine needs thirteen, and each costs Asterisk CPU time (asterisk.md 7 and 9).
 *
 * `ChannelHangupRequest` tells a prompt that fails from one whose caller hung up: both end as "failed", the latter a
 * moment before the leg ends (measured), and only this event carries a cause. `Dial` is the only event of a phone
 * that rings with a sound of the network (SIP 183): its channel state does not change.
 */
export const USED_EVENTS = [
  'ApplicationReplaced',
  'ChannelDestroyed',
  'ChannelDtmfReceived',
  'ChannelEnteredBridge',
  'ChannelHangupRequest',
  'ChannelLeftBridge',
  'ChannelStateChange',
  'ChannelTalkingFinished',
  'ChannelTalkingStarted',
  'Dial',
  'PlaybackFinished',
  'PlaybackStarted',
  'RESTResponse',
  'RecordingFailed',
  'RecordingFinished',
  'StasisEnd',
  'StasisStart',
] as const satisfies readonly AriEvent['type'][]

const used: ReadonlySet<string> = new Set(USED_EVENTS)
const known: ReadonlySet<string> = new Set(ARI_EVENT_TYPES)

/** Whether the engine uses events of this type. */
export function isUsed(event: { readonly type: string }): event is AriEvent {
  return used.has(event.type)
}

/** Whether the generated types know this event. A newer Asterisk may have more. */
export function isKnown(event: { readonly type: string }): boolean {
  return known.has(event.type)
}

/** For `PUT …/eventFilter`, by unwanted events: a list of wanted ones would also suppress answers (asterisk.md 7). */
export const EVENT_FILTER = {
  disallowed: ARI_EVENT_TYPES.filter((type) => !used.has(type)).map((type) => ({ type })),
}
