/** What the desk shows of the phone, read from the machine. */

import type { PhoneFailure } from './phone-failures.ts'
import type { PhoneContext } from './phone-messages.ts'
import type { PoorSound } from './sound-quality.ts'

export type PhoneState =
  | 'off'
  | 'locking'
  | 'locked'
  | 'checking'
  | 'blocked'
  | 'registering'
  | 'legless'
  | 'answering'
  | 'live'
  | 'lost'
  | 'closing'

export interface PhoneView {
  readonly state: PhoneState
  readonly leg: string | undefined
  readonly isMuted: boolean
  readonly isInCall: boolean
  readonly isFlat: boolean
  /** Also beside a worse failure. */
  readonly poor: PoorSound | undefined
  /** A row of `PHONE_FAILURES`. */
  readonly failure: PhoneFailure | undefined
}

interface LiveValue {
  readonly signal: 'there' | 'renegotiating' | { readonly deaf: string }
  readonly sound: 'good' | 'moved' | 'unasked' | { readonly silent: string }
  readonly microphone: 'open' | 'replacing' | 'missing'
}

/** `run`: of `phoneMachine`. */
export function phoneView({ value, context }: { readonly value: unknown; readonly context: unknown }): PhoneView {
  const { leg, isMuted, isInCall, isFlat, poor, microphone, isShiftOver } = context as PhoneContext
  const state = (typeof value === 'string' ? value : Object.keys(value as object)[0]) as PhoneState
  const failure = ((): PhoneFailure | undefined => {
    if (state === 'blocked') return `microphone.${microphone ?? 'failed'}`
    if (state === 'locked') return 'elsewhere'
    if (state === 'lost') return 'signal'
    if (state === 'closing') return isShiftOver ? 'shiftOver' : undefined
    return state === 'live' ? failureOf((value as { live: LiveValue }).live, context as PhoneContext) : undefined
  })()
  return { state, leg, isMuted, isInCall, isFlat, poor, failure }
}

const SILENT = { in: 'silentIn', out: 'silentOut' } as const

/** The worst first. */
function failureOf({ signal, sound, microphone }: LiveValue, context: PhoneContext): PhoneFailure | undefined {
  const { silentWay, isSpeaking, isFlat, poor } = context
  if (typeof sound === 'object') return silentWay === undefined ? 'silent' : SILENT[silentWay]
  if (microphone !== 'open') return 'microphone.missing'
  if (signal !== 'there') return 'deaf'
  if (isSpeaking) return 'muted'
  return isFlat ? 'flat' : poor
}
