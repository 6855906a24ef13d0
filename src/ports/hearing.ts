/** What was said, in words or digits, and how sure the engine is: 0 to 1. An empty text: nothing was understood. */
export type HeardWords = {
  readonly text: string
  readonly confidence: number
}

/** The words, or why there are none. */
export type HearingResult = ({ readonly ok: true } & HeardWords) | { readonly ok: false; readonly why: string }

/** Turns the sound of one utterance into words. Keeps no sound. */
export interface Hearing {
  /** `samples`: 16 bit at 8 kHz; `language` such as `en`. Never rejects. */
  understand(samples: Int16Array, language: string): Promise<HearingResult>
}
