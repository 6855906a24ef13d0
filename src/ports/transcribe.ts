import type { Transcription } from './transcripts.ts'

/**
 * Why a service did not do it. `later`: it may, when it is asked again, `afterMs` from now at the earliest where it
 * said so itself. `never`: this very thing cannot be done, however often it is asked for.
 */
export type NotDone =
  | { readonly outcome: 'later'; readonly why: string; readonly afterMs?: number }
  | { readonly outcome: 'never'; readonly why: string }

/** The result of a transcription. No parts: nothing was said. */
export type Transcribed = { readonly outcome: 'done'; readonly transcription: Transcription } | NotDone

export interface Transcribe {
  /** `file` is a plain name in the folder of recordings. Never rejects; ends soon after `signal` says so. */
  transcribe(file: string, signal: AbortSignal): Promise<Transcribed>
}
