/** What a caller has heard, word by word: a prompt that a key cuts off is heard as far as it came. */
import type { AtMs } from '../kernel/clock.ts'
import type { Utterance } from '../ports/speech.ts'

interface Word {
  readonly word: string
  readonly spokenAtMs: AtMs
}

/** One prompt. `endsAtMs` moves when it is cut off; the words after it are not heard. */
export interface Sentence {
  readonly text: string
  readonly words: readonly Word[]
  readonly fromMs: AtMs
  endsAtMs: AtMs
}

/** A place between two words: those before it do not count any more. */
export interface Place {
  readonly sentence: number
  readonly word: number
}

/** The speed of a person reading aloud, as in the simulated switch. */
const MS_PER_CHARACTER = 60
const SHORTEST_MS = 300
/** A recording has no words that we know: it is heard as the name of its file. Our choice of a length. */
const RECORDING_MS = 3_000

/** The sentence that a prompt becomes when it begins at `fromMs`. `lengthMs`: of an utterance, where it is known. */
export function sentenceOf(
  say: readonly Utterance[],
  fromMs: AtMs,
  lengthMs: (utterance: Utterance) => number | undefined = () => undefined,
): Sentence {
  const words: Word[] = []
  let atMs = fromMs
  for (const utterance of say) {
    const text = textOf(utterance)
    const length = lengthMs(utterance) ?? lengthOf(utterance)
    for (const { word, end } of wordsIn(text)) {
      words.push({ word, spokenAtMs: atMs + Math.round((length * end) / text.length) })
    }
    atMs += length
  }
  return { text: spokenText(say), words, fromMs, endsAtMs: atMs }
}

/** The words of a prompt in one line. */
export function spokenText(say: readonly Utterance[]): string {
  return say.map(textOf).filter(Boolean).join(' ')
}

/** The words of a text, for comparison: no punctuation, no capitals. `4, 7` and `4 7` are the same. */
export function wordsOf(text: string): readonly string[] {
  return wordsIn(text).map(({ word }) => word)
}

/** Whether the words stand in the sentence, whoever heard it. */
export function isSaidIn(text: string, phrase: string): boolean {
  return placeIn(wordsOf(text), wordsOf(phrase), 0) >= 0
}

/** The heard part of a sentence, as its author wrote it. */
export function heardText({ text, words, endsAtMs }: Sentence): string {
  const count = words.filter(({ spokenAtMs }) => spokenAtMs <= endsAtMs).length
  if (count === words.length) return text
  const last = wordsIn(text)[count - 1]
  return last ? `${text.slice(0, last.end)} …` : '…'
}

/** The last words of a sentence: whoever waits for them has heard all of it. Empty where it has no words. */
export function tailOf({ text }: Sentence): string {
  if (wordsIn(text).length === 0) return ''
  if (text.length <= TAIL_MAX) return text
  const tail = text.slice(-TAIL_MAX)
  return tail.slice((tail.search(/[.?!:] /) + 1 || tail.indexOf(' ')) + 1)
}

/** Where the phrases are spoken, all in one sentence after `from`, and when the last of their words is. */
export function findPhrases(
  sentences: readonly Sentence[],
  phrases: readonly string[],
  from: Place,
): { readonly after: Place; readonly atMs: AtMs } | undefined {
  for (let index = from.sentence; index < sentences.length; index++) {
    const { words, endsAtMs } = sentences[index]!
    const heard = words.filter(({ spokenAtMs }) => spokenAtMs <= endsAtMs)
    const said = heard.map(({ word }) => word)
    const start = index === from.sentence ? from.word : 0
    const ends = phrases.map((phrase) => {
      const wanted = wordsOf(phrase)
      const at = placeIn(said, wanted, start)
      return at < 0 ? -1 : at + wanted.length
    })
    if (ends.some((end) => end < 0)) continue
    const word = Math.max(...ends)
    return { after: { sentence: index, word }, atMs: heard[word - 1]!.spokenAtMs }
  }
  return undefined
}

/** The place after everything that was spoken by `nowMs`. */
export function placeNow(sentences: readonly Sentence[], nowMs: AtMs): Place {
  const last = sentences.at(-1)
  if (!last) return { sentence: 0, word: 0 }
  return { sentence: sentences.length - 1, word: last.words.filter(({ spokenAtMs }) => spokenAtMs <= nowMs).length }
}

/** A line of a test. */
const TAIL_MAX = 70

const WORD = /[\p{L}\p{N}]+/gu

/** The sentences of a flow and its tests are few, and are heard in thousands of calls. */
const TEXTS_MAX = 5_000
const known = new Map<string, readonly { readonly word: string; readonly end: number }[]>()

function wordsIn(text: string) {
  let words = known.get(text)
  if (!words) {
    words = [...text.matchAll(WORD)].map((match) => {
      return { word: match[0].toLowerCase(), end: match.index + match[0].length }
    })
    if (known.size >= TEXTS_MAX) known.clear()
    known.set(text, words)
  }
  return words
}

function placeIn(words: readonly string[], wanted: readonly string[], from: number): number {
  for (let at = from; at + wanted.length <= words.length; at++) {
    if (wanted.every((word, offset) => words[at + offset] === word)) return at
  }
  return -1
}

function textOf(utterance: Utterance): string {
  if ('pauseMs' in utterance) return ''
  return 'file' in utterance ? utterance.file : utterance.text
}

function lengthOf(utterance: Utterance): number {
  if ('pauseMs' in utterance) return utterance.pauseMs
  if ('file' in utterance) return RECORDING_MS
  return Math.max(SHORTEST_MS, utterance.text.length * MS_PER_CHARACTER)
}
