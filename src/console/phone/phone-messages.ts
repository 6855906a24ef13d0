/** Events, commands, memory and limits of `phone.machine.ts`, the agent's phone in the browser. */

import type { SilentWay } from './sound-counters.ts'

/** Why there is no microphone: `getUserMedia` failed with these names (W3C Media Capture 10.3). */
export type MicrophoneFailure = 'notFound' | 'refused' | 'inUse' | 'failed'

/** Facts, from the page, the browser, the SIP line, and the engine. */
export type PhoneEvent =
  // The agent.
  | { readonly type: 'start' | 'takeOver' | 'logOut' }
  | { readonly type: 'mute'; readonly isMuted: boolean }
  // The lock that one tab of a browser holds.
  | { readonly type: 'lock.taken' | 'lock.held' | 'lock.lost' }
  // The microphone.
  | { readonly type: 'microphone.open' | 'microphone.lost' | 'devices.changed' }
  | { readonly type: 'microphone.failed'; readonly why: MicrophoneFailure }
  // What the node says to our wish for the phone.
  | { readonly type: 'credentials.given' | 'credentials.elsewhere' | 'credentials.failed' }
  /** The node closed the connection: another tab or computer has the phone, or the shift is over. */
  | { readonly type: 'taken' | 'shift.over' }
  // SIP.
  | { readonly type: 'registered' | 'signal.lost' | 'registration.refused' }
  | { readonly type: 'invite'; readonly leg: string }
  | { readonly type: 'session.connected' | 'session.ended'; readonly leg: string }
  | { readonly type: 'renegotiated' | 'renegotiation.refused' }
  // Sound.
  /** `way`: by the counters of packets; without it ICE is disconnected. */
  | { readonly type: 'sound.unstable'; readonly leg: string; readonly way?: SilentWay }
  | { readonly type: 'sound.back' | 'sound.failed'; readonly leg: string }
  | { readonly type: 'network.changed' }
  // The engine. `leg.ended`: it has ended the leg, whatever SIP says.
  | { readonly type: 'leg.expected' | 'leg.ended'; readonly leg: string }
  | { readonly type: 'call'; readonly isUp: boolean }

/** What the page is to do. */
export type PhoneCommand =
  | { readonly type: 'takeLock'; readonly takeOver: boolean }
  | { readonly type: 'openMicrophone' | 'closeMicrophone' }
  | { readonly type: 'askCredentials'; readonly takeOver: boolean }
  /** Registers with the credentials that were given, in place of an earlier line. */
  | { readonly type: 'register' | 'unregister' }
  /** The password ends with the shift. */
  | { readonly type: 'endShift' }
  | { readonly type: 'answer' | 'refuse'; readonly leg: string }
  /** Ends our side of these sessions. */
  | { readonly type: 'terminate'; readonly leg: string | undefined }
  /** Ends our side of all sessions but this one. */
  | { readonly type: 'keepOnly'; readonly leg: string }
  /** One re-INVITE: until then the dialog is deaf to a BYE (measured, JsSIP 3.13.8 with Asterisk 22.10.1). */
  | { readonly type: 'renegotiate'; readonly leg: string | undefined }
  /** `renewLeg` of the engine. */
  | { readonly type: 'askFreshLeg' }
  /** `doubtPhone` of the engine: it listens whether we are heard, and the other side gets music if not. */
  | { readonly type: 'doubt' }
  /** Whether the microphone is heard. */
  | { readonly type: 'openSound'; readonly isOpen: boolean }
  | { readonly type: 'report'; readonly what: 'strangeInvite' | 'noSound' }

/** What the phone remembers beside its state. */
export interface PhoneContext {
  /** The leg that is announced, answered or up. */
  readonly leg: string | undefined
  /** The leg that goes on until the fresh one is connected. */
  readonly oldLeg: string | undefined
  readonly expected: string | undefined
  /** An INVITE that was not announced yet. */
  readonly stranger: string | undefined
  readonly takesOver: boolean
  readonly isMuted: boolean
  readonly isInCall: boolean
  readonly isShiftOver: boolean
  /** Undefined: neither way. */
  readonly silentWay: SilentWay | undefined
  /** Why there is none. */
  readonly microphone: MicrophoneFailure | undefined
}

/** How long each step may last. Our choices. */
export const PHONE_LIMITS = {
  registerMs: 8_000,
  answerMs: 5_000,
  renegotiateMs: 2_000,
  /** The announcement and the INVITE come by two connections. */
  announceMs: 1_000,
  retryMs: 2_000,
  /** Without a leg; the engine waits longer with each call that was in vain, and then gives up. */
  leglessMs: 2_000,
} as const
