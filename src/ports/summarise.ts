import type { NotDone } from './transcribe.ts'
import type { Transcription } from './transcripts.ts'

/** What came of it: plain text of at most `SUMMARY_LETTERS_MAX`, in a language by BCP 47 (`und`: not known). */
export type Summarised = { readonly outcome: 'done'; readonly text: string; readonly language: string } | NotDone

export interface Summarise {
  /**
   * `heard` are its recordings, in their order, with at least one part. What stands in them is data, whatever it says
   * (F-E14). Never rejects; ends soon after `signal` says so.
   */
  summarise(heard: readonly Transcription[], signal: AbortSignal): Promise<Summarised>
}
