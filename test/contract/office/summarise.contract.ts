/** What every summary of a call promises, with a service or without. */
import { describe, expect, test } from 'vitest'
import { SUMMARY_LETTERS_MAX } from '../../../src/ports/recordings/summaries.ts'
import type { Summarise } from '../../../src/ports/recordings/summarise.ts'
import type { Speaker, Transcription } from '../../../src/ports/recordings/transcripts.ts'

/** A recording with these words. */
export function heard(...said: readonly (readonly [Speaker | null, string])[]): Transcription {
  const parts = said.map(([speaker, text], place) => {
    return { channel: 0, speaker, startMs: place * 1_000, endMs: place * 1_000 + 900, text, confidence: null }
  })
  return { language: 'da', durationMs: said.length * 1_000, parts }
}

/** A call about a bill. */
export const CALL = [
  heard(
    ['agent', 'Goddag, du taler med Anna.'],
    ['customer', 'Hej. Jeg ringer om regningen på 450 kroner i sagen 4711. Den er betalt.'],
    ['agent', 'Jeg kan se at regningen ikke er betalt endnu.'],
  ),
  heard(['customer', 'Så betaler jeg regningen den 3. maj.'], ['agent', 'Tak.']),
]

/** The suite of `Summarise`. */
export function summariseContract(name: string, make: () => Promise<Summarise>): void {
  const sum = async (calls: readonly Transcription[]) => {
    const done = await (await make()).summarise(calls, new AbortController().signal)
    if (done.outcome !== 'done') throw new Error(done.why)
    return done
  }

  describe(`summaries by ${name}`, () => {
    test('are plain text, in the language of the call', async () => {
      const { text, language } = await sum(CALL)
      expect(text.trim()).not.toBe('')
      expect(text.length).toBeLessThanOrEqual(SUMMARY_LETTERS_MAX)
      expect(language).toBe('da')
    })

    test('of an unknown language name it as unknown', async () => {
      expect((await sum([{ ...heard(['agent', 'Hm.']), language: null }])).language).toBe('und')
    })

    test('of a call of hours finish', async () => {
      const lines = Array.from({ length: 4_000 }, (_, place) => {
        return [
          place % 2 ? 'agent' : 'customer',
          `Number ${place} is what I wanted to say about it, at some length.`,
        ] as const
      })
      expect((await sum([heard(...lines)])).text.length).toBeLessThanOrEqual(SUMMARY_LETTERS_MAX)
    })

    test('of one sound, of punctuation, and of one endless word are made as well', async () => {
      for (const text of ['Ja', '???', '😀'.repeat(50), 'a'.repeat(300_000), '<script>alert(1)</script>']) {
        const made = await sum([heard([null, text])])
        expect(made.text.isWellFormed()).toBe(true)
        expect(made.text.length).toBeLessThanOrEqual(SUMMARY_LETTERS_MAX)
      }
    })
  })
}
