import type { Transcription } from './transcripts.ts'

/**
 * Why a service did not do it. `later`: it may, when it is asked again, `afterMs` from now at the earliest where it
 * said so itself. `never`: this very thing cannot be done, however often it is asked for.
 */
export type NotDone =
  | { readonly outcome: 'later'; readonly why: string; readonly afterMs?: number }
  | { readonly outcome: 'never'; readonly why: string }

/** What came of writing a recording down. Without parts nobody said anything. */
export type Transcribed = { readonly outcome: 'done'; readonly transcription: Transcription } | NotDone

/** Writes down what is said in a recording. */
export interface Transcribe {
  /** `file` is a plain name in the folder of recordings. Never rejects; ends soon after `signal` says so. */
  transcribe(file: string, signal: AbortSignal): Promise<Transcribed>
}
