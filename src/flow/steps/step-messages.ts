import type { AnyStateMachine } from 'xstate'
import type { AtMs } from '../../kernel/clock.ts'
import type { TeamName } from '../../kernel/ids.ts'
import type { RecordingMode } from '../../ports/call-recordings.ts'
import type { EventName } from '../../ports/flows/flow-events.ts'
import type { MessageRules } from '../../ports/pbx.ts'
import type { Utterance } from '../../ports/speech.ts'
import type { WebRequest } from '../../ports/web.ts'
import type { CallBegins, TransferOrder } from '../model/call-messages.ts'
import type { Flow, Prompt } from '../model/flow.ts'
import type { Said } from '../model/say.ts'
import type { Scope } from '../model/variable-path.ts'
import type { StepEnd } from './step-talk.ts'

export interface Scene {
  readonly flow: Flow
  readonly scope: Scope
  readonly language: string
  readonly caller: string | undefined
  readonly lookups: CallBegins['lookups']
  readonly nowMs: AtMs
  /** Keys typed before the step began; only steps that ask for keys take them. */
  readonly typeAhead: string
  /** The original end of the wait that an earlier engine began at this visit. */
  readonly waitsUntilMs: AtMs | undefined
  /** A prompt in words, or what is missing in it. */
  speak(prompt: Prompt): Said
}

/** The external action of a step with all values filled in; its machine decides when. */
export interface StepEffects {
  readonly ask?: WebRequest
  readonly text?: { readonly to: string; readonly text: string; readonly wantsReport?: true }
  readonly stop?: { readonly by: string; readonly reason: string }
  readonly wait?: EventName & { readonly untilMs: AtMs }
  readonly join?: {
    readonly team: TeamName
    readonly priority: number
    readonly skills?: readonly string[]
    readonly whisper: readonly Utterance[]
    readonly popup: string | undefined
    readonly recordingConsent?: true
    readonly recording?: RecordingMode
  }
  readonly message?: MessageRules & { readonly team: TeamName | undefined }
  readonly transfer?: TransferOrder
  readonly music?: string
}

export type Begun =
  | { readonly ended: StepEnd }
  | { readonly machine: AnyStateMachine; readonly input: unknown; readonly errand: StepEffects }
