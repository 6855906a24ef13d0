import type { AtMs } from '../../kernel/clock.ts'

/** A text that is about to leave. */
export interface TextToNote {
  /** That of the message: `call/step/visit`. */
  readonly key: string
  readonly number: string
  /** ISO 3166-1, where it is none of our own countries. */
  readonly abroad?: string
  /** The case that the flow names for its call. */
  readonly caseNumber?: string
  readonly atMs: AtMs
}

/** Of the last 24 hours; of a case those of other calls within the last hour. */
export interface TextLimits {
  readonly ofNumber: number
  readonly ofCase: number
  readonly ofCountry: number
  readonly ofAll: number
}

/** The texts of the last 24 hours, of all nodes. A method is one transaction. May reject with `DatabaseUnavailable`. */
export interface SentTexts {
  /** Notes the text if every limit has room; else says which has none. */
  note(text: TextToNote, limits: TextLimits): Promise<'noted' | keyof TextLimits>
  /** It did not leave after all. */
  forget(key: string): Promise<void>
}
