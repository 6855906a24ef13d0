/** Characters said in one go: over a minute. Longer texts are refused: half a sentence may say the opposite. */
export const SPOKEN_LENGTH_MAX = 1_000

/** One thing to be said in one go. `voice` is a language or voice name (`en`, `en-gb`, `et`). */
export type Utterance =
  | { readonly text: string; readonly voice: string }
  /** A recording of the operator, by its path relative to the folder of the flows. */
  | { readonly file: string }
  | { readonly pauseMs: number }

/** A sound the switch can play: 8 kHz mono, `file` is an absolute path without its ending. */
export interface Sound {
  readonly file: string
  /** What is heard, in words: for traces, and for simulated people who listen. */
  readonly text: string
  readonly durationMs: number
  /** The same sound, quieter; absent unless it was asked for. */
  readonly quietFile?: string
}

/** The sound, or why it failed, with a remedy if the operator has one. */
export type SpeechResult = { readonly ok: true; readonly sound: Sound } | { readonly ok: false; readonly why: string }

/** Turns words into sound. Answers through `done`, exactly once, possibly before `render` returns. */
export interface Speech {
  render(utterance: Utterance, done: (result: SpeechResult) => void): void
  /** The sound with its `quietFile`; as it is where none can be made. */
  quieten(sound: Sound, done: (sound: Sound) => void): void
}
