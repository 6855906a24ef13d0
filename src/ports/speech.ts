/** Characters said in one go: over a minute. Longer texts are refused: half a sentence may say the opposite. */
export const SPOKEN_LENGTH_MAX = 1_000

/** One thing to be said in one go. `voice` is a language or voice name (`en`, `en-gb`, `et`). */
export type Utterance =
  | {
      readonly text: string
      readonly voice: string
      /** Holds what a caller typed at a `secret: true` gather: the words leave this machine for no speech service. */
      readonly isPrivate?: true
    }
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

/** Who speaks a language (calls-and-flows-65). */
export interface VoiceSlot {
  /** `http` is the server of `SPEECH_URL`. */
  readonly engine: 'espeak' | 'flite' | 'http'
  /** The engine's name of the voice; undefined: its own choice for the language. */
  readonly voice: string | undefined
}

/** Turns words into sound. Answers through `done`, exactly once, possibly before `render` returns. */
export interface Speech {
  /** `isAhead`: nobody waits on the line, so a speech server gets more time before another engine speaks. */
  render(utterance: Utterance, done: (result: SpeechResult) => void, isAhead?: boolean): void
  /** The sound with its `quietFile`; as it is where none can be made. */
  quieten(sound: Sound, done: (sound: Sound) => void): void
}

/** Whose entries hold for a language, the nearest first: `en-gb` → `en-gb`, `en`. */
export function languagesFor(language: string): string[] {
  const parts = language.toLowerCase().split(/[-_]/)
  return parts.map((_, shorter) => parts.slice(0, parts.length - shorter).join('-'))
}

/** Who speaks a language; undefined if no entry holds for it. */
export function slotFor(voices: ReadonlyMap<string, VoiceSlot>, language: string): VoiceSlot | undefined {
  const found = languagesFor(language).find((name) => voices.has(name))
  return found === undefined ? undefined : voices.get(found)
}
