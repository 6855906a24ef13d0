/** What the desk shows of the phone, read from the machine. */

import type { PhoneFailure } from './phone-failures.ts'
import type { PhoneContext } from './phone-messages.ts'
import type { SilentWay } from './sound-counters.ts'

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
  /** A row of `PHONE_FAILURES`. */
  readonly failure: PhoneFailure | undefined
}

interface LiveValue {
  readonly signal: 'there' | 'renegotiating' | { readonly deaf: string }
  readonly sound: 'good' | 'silent'
  readonly microphone: 'open' | 'replacing' | 'missing'
}

/** `run`: of `phoneMachine`. */
export function phoneView({ value, context }: { readonly value: unknown; readonly context: unknown }): PhoneView {
  const { leg, isMuted, microphone, isShiftOver, silentWay } = context as PhoneContext
  const state = (typeof value === 'string' ? value : Object.keys(value as object)[0]) as PhoneState
  const failure = ((): PhoneFailure | undefined => {
    if (state === 'blocked') return `microphone.${microphone ?? 'failed'}`
    if (state === 'locked') return 'elsewhere'
    if (state === 'lost') return 'signal'
    if (state === 'closing') return isShiftOver ? 'shiftOver' : undefined
    return state === 'live' ? failureOf((value as { live: LiveValue }).live, silentWay) : undefined
  })()
  return { state, leg, isMuted, failure }
}

const SILENT = { in: 'silentIn', out: 'silentOut' } as const

/** The worst first. */
function failureOf({ signal, sound, microphone }: LiveValue, way: SilentWay | undefined): PhoneFailure | undefined {
  if (sound === 'silent') return way === undefined ? 'silent' : SILENT[way]
  if (microphone !== 'open') return 'microphone.missing'
  return signal === 'there' ? undefined : 'deaf'
}
