/** What can fail with the phone, as data: what the agent reads, and who mends it. Texts are in the catalogues. */
import type { MicrophoneFailure } from './phone-messages.ts'
import type { PoorSound } from './sound-quality.ts'

export type PhoneFailure =
  | `microphone.${MicrophoneFailure}`
  | 'microphone.missing'
  | 'elsewhere'
  | 'signal'
  | 'deaf'
  | 'silent'
  | 'silentIn'
  | 'silentOut'
  | 'muted'
  | 'flat'
  | PoorSound
  | 'shiftOver'

interface FailureRow {
  /** Key of the sentence in the catalogue. */
  readonly text: string
  /** What the agent can do; `none`: it heals by itself. */
  readonly step: 'none' | 'plugIn' | 'permit' | 'closeOther' | 'useHere' | 'newLine' | 'unmute' | 'start'
  /** What the other side hears meanwhile; `nothing`: they notice nothing. */
  readonly other: 'nothing' | 'silence' | 'noCall'
}

/** One row per failure. Texts are keys of the catalogue. */
export const PHONE_FAILURES: Readonly<Record<PhoneFailure, FailureRow>> = {
  'microphone.notFound': { text: 'phone.microphone.notFound', step: 'plugIn', other: 'noCall' },
  'microphone.refused': { text: 'phone.microphone.refused', step: 'permit', other: 'noCall' },
  'microphone.inUse': { text: 'phone.microphone.inUse', step: 'closeOther', other: 'noCall' },
  'microphone.failed': { text: 'phone.microphone.failed', step: 'plugIn', other: 'noCall' },
  // In a call: the headset was pulled.
  'microphone.missing': { text: 'phone.microphone.missing', step: 'plugIn', other: 'silence' },
  elsewhere: { text: 'phone.elsewhere', step: 'useHere', other: 'noCall' },
  signal: { text: 'phone.signal', step: 'none', other: 'noCall' },
  deaf: { text: 'phone.deaf', step: 'none', other: 'nothing' },
  silent: { text: 'phone.silent', step: 'none', other: 'silence' },
  // By the counters of packets: which way.
  silentIn: { text: 'phone.silentIn', step: 'newLine', other: 'nothing' },
  silentOut: { text: 'phone.silentOut', step: 'newLine', other: 'silence' },
  // The microphone gives nothing, while the other side talks.
  flat: { text: 'phone.flat', step: 'newLine', other: 'silence' },
  // By the figures of ten seconds.
  loss: { text: 'phone.loss', step: 'newLine', other: 'nothing' },
  delay: { text: 'phone.delay', step: 'newLine', other: 'nothing' },
  // By the level of the microphone.
  muted: { text: 'phone.muted', step: 'unmute', other: 'silence' },
  shiftOver: { text: 'phone.shiftOver', step: 'start', other: 'noCall' },
}
