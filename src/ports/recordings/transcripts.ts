import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId } from '../../kernel/ids.ts'
import type { RecordingNumber } from '../call-activity.ts'
import type { Seen } from '../dialer-admin-repository.ts'

export type Speaker = 'agent' | 'customer' | 'system'

/** Being made; there, to be read; could not be made. */
type TranscriptState = 'pending' | 'ready' | 'failed'

/** Most letters of all parts of a transcript together: four hours of fast speech. */
export const TRANSCRIPT_LETTERS_MAX = 400_000

/** A few words that one side said without a pause. */
export interface TranscriptPart {
  /** Of the recording, from 0. */
  readonly channel: number
  /** Null where both sides are on one channel: who spoke is then not known (our choice: better than a guess). */
  readonly speaker: Speaker | null
  /** From the beginning of the recording. */
  readonly startMs: number
  readonly endMs: number
  /** Untrusted: the words of people on the telephone (F-E14). */
  readonly text: string
  /** 0 to 1; null where the provider does not say. */
  readonly confidence: number | null
}

export interface Transcription {
  /** BCP 47; null where it was not recognised. */
  readonly language: string | null
  readonly durationMs: number
  /** By their beginning. */
  readonly parts: readonly TranscriptPart[]
}

/** The transcript of one recording (D-16). */
export interface Transcript {
  readonly id: number
  readonly recording: RecordingNumber
  readonly activity: ActivityId
  readonly state: TranscriptState
  readonly language: string | null
  /** Null until it is ready, like `text`. */
  readonly durationMs: number | null
  readonly text: string | null
  /** Null where they were not requested, or do not exist yet. */
  readonly parts: readonly TranscriptPart[] | null
  readonly createdAtMs: AtMs
}

/** So many letters of transcripts are read at once, or few more. */
export const TRANSCRIPTS_LETTERS_MAX = 8 * 1024 * 1024

/** Transcripts that were looked for, by the ids of their recordings. */
interface TranscriptsFound {
  /** As many as there are; those that are too much at once are not among the others. */
  readonly found: number
  /** The first of them: there is one at least where any was found. */
  readonly transcripts: readonly Transcript[]
}

/** Transcripts, as they are read. Rejects with `DatabaseUnavailable`. */
export interface Transcripts {
  /** By the ids of their recordings; recordings without one, and of others, are left out. */
  search(recordings: readonly RecordingNumber[], seen: Seen, withParts: boolean): Promise<TranscriptsFound>
}

/** The whole of it as one text, a line for each part; the speaker stands before a line where he is known. */
export function textOfParts(parts: readonly TranscriptPart[]): string {
  return parts.map(({ speaker, text }) => (speaker === null ? text : `${speaker}: ${text}`)).join('\n')
}
