import type { Transcription } from './transcripts.ts'

/** `later`: may succeed, `afterMs` from now at the earliest, if the service said so. `never`: cannot be done. */
export type NotDone =
  | { readonly outcome: 'later'; readonly why: string; readonly afterMs?: number }
  | { readonly outcome: 'never'; readonly why: string }

/** The result of a transcription. No parts: nothing was said. */
export type Transcribed = { readonly outcome: 'done'; readonly transcription: Transcription } | NotDone

export interface Transcribe {
  /** `file` is a plain name in the folder of recordings. Never rejects; ends soon after `signal` says so. */
  transcribe(file: string, signal: AbortSignal): Promise<Transcribed>
}
