/** Events, commands, memory and limits of `phone.machine.ts`, the agent's phone in the browser. */

import type { SilentWay } from './sound-counters.ts'
import type { PoorSound } from './sound-quality.ts'

/** Why there is no microphone: `getUserMedia` failed with these names (W3C Media Capture 10.3). */
export type MicrophoneFailure = 'notFound' | 'refused' | 'inUse' | 'failed'

/** Facts, from the page, the browser, the SIP line, and the engine. */
export type PhoneEvent =
  // The agent.
  | { readonly type: 'start' | 'takeOver' | 'logOut' }
  /** Here, or elsewhere, as the node says. */
  | { readonly type: 'mute'; readonly isMuted: boolean }
  /** The node knows of no mute: it ends the one that a page begins with, and never one of a person. */
  | { readonly type: 'mute.unsaid' }
  /** Whether a muted agent speaks in a call. */
  | { readonly type: 'voice'; readonly isHeard: boolean }
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
  /** By the figures of ten seconds; `poor` undefined: good again. */
  | { readonly type: 'sound.quality'; readonly leg: string; readonly poor: PoorSound | undefined }
  /** Whether the microphone gives nothing while the other side talks. */
  | { readonly type: 'flat'; readonly isFlat: boolean }
  | { readonly type: 'sound.back' | 'sound.failed'; readonly leg: string }
  /** The browser has chosen another way to the switch. */
  | { readonly type: 'sound.moved'; readonly leg: string }
  /** The engine has not heard of it. */
  | { readonly type: 'doubt.failed' }
  | { readonly type: 'network.changed' }
  // The engine. `leg.ended`: it has ended the leg, whatever SIP says.
  | { readonly type: 'leg.expected' | 'leg.ended'; readonly leg: string }
  | { readonly type: 'call'; readonly isUp: boolean }
  /** The beep of a call was heard. */
  | { readonly type: 'beeped' }

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
  /** Tells the agent that a call has come. */
  | { readonly type: 'beep' }
  /** `doubtPhone` of the engine: it listens whether we are heard, and the other side gets music if not. */
  | { readonly type: 'doubt' }
  /** Whether the microphone is heard. */
  | { readonly type: 'openSound'; readonly isOpen: boolean }
  | { readonly type: 'report'; readonly what: 'strangeInvite' | 'noSound' }

/** What a page begins with. */
export interface PhoneInput {
  readonly isMuted: boolean
  /** Uniform in [0, 1). */
  readonly chance?: number
}

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
  /** For a leg, in vain and in a row. */
  readonly asks: number
  readonly isMuted: boolean
  /** Nobody has said so: the page was loaded again. */
  readonly isMutedAtFirst: boolean
  /** They are muted, and speak. */
  readonly isSpeaking: boolean
  readonly isFlat: boolean
  readonly poor: PoorSound | undefined
  readonly isInCall: boolean
  /** The call is up, and the agent hears its beep: they are not heard yet. */
  readonly isBeeping: boolean
  readonly isShiftOver: boolean
  /** Of this phone, in [0, 1): all phones of a centre lose a node in one moment, and must not come back in one. */
  readonly chance: number
  /** Undefined: neither way. */
  readonly silentWay: SilentWay | undefined
  /** Whether it is open, and its track alive. */
  readonly hasMicrophone: boolean
  /** Why there is none. */
  readonly microphone: MicrophoneFailure | undefined
  /** A device came or went while the microphone was being opened: a failure may be that of the one before. */
  readonly isPlugged: boolean
}

/** `isMuted`: the page was loaded again in a call. */
export function initialPhone({ isMuted, chance = 0.5 }: PhoneInput): PhoneContext {
  return {
    leg: undefined,
    oldLeg: undefined,
    expected: undefined,
    stranger: undefined,
    takesOver: false,
    asks: 0,
    isMuted,
    isMutedAtFirst: isMuted,
    isSpeaking: false,
    isFlat: false,
    poor: undefined,
    isInCall: false,
    isBeeping: false,
    isShiftOver: false,
    chance,
    silentWay: undefined,
    hasMicrophone: false,
    microphone: undefined,
    isPlugged: false,
  }
}

/** How long each step may last. Our choices. */
export const PHONE_LIMITS = {
  registerMs: 8_000,
  answerMs: 5_000,
  renegotiateMs: 2_000,
  /** The announcement and the INVITE come by two connections. */
  announceMs: 1_000,
  /** A phone that reaches nothing waits half of it to one and a half. */
  retryMs: 2_000,
  /** Without a leg; the engine waits longer with each call that was in vain, and then gives up. */
  leglessMs: 2_000,
  /** In a row, for a leg that does not come; then the phone registers anew. */
  asks: 3,
  /** What was sent by the way before has come by then, and is not taken for what comes by the new one. */
  movedMs: 500,
  /** A switch that is starting takes a connection, and drops what is said on it (Asterisk 22.10.1, measured). */
  unansweredMs: 4_000,
} as const
