import type { NotDone } from './transcribe.ts'
import type { Transcription } from './transcripts.ts'

/** What came of it: plain text of at most `SUMMARY_LETTERS_MAX`, in a language by BCP 47 (`und`: not known). */
export type Summarised = { readonly outcome: 'done'; readonly text: string; readonly language: string } | NotDone

export interface Summarise {
  /** Recordings in order, at least one part; only data, whatever they say (F-E14). Never rejects; `signal` ends it. */
  summarise(heard: readonly Transcription[], signal: AbortSignal): Promise<Summarised>
}
