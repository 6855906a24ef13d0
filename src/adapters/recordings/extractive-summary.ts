/** A summary without a service: the most informative sentences of the call, in their order and unchanged. */
import type { Summarise } from '../../ports/recordings/summarise.ts'
import type { Transcription } from '../../ports/recordings/transcripts.ts'
import { plainText } from './plain-text.ts'
import { type SpokenLine, spokenLanguage, spokenLines } from './transcript-lines.ts'

/** Our choice: what an agent can read while the telephone rings. */
const SENTENCES_MAX = 5
const LETTERS_MAX = 800
/** Shorter sentences are greetings and assent. */
const WORDS_MIN = 4
/** In most languages, shorter words are function words. */
const TELLING_LETTERS_MIN = 4
/** Later readers look for amounts, dates and case numbers. */
const NUMBER_BONUS = 1.5
/** A sentence that repeats more than this is left out. */
const REPEATED_SHARE = 0.6

/** Deterministic: the same transcript gives the same summary. */
export const extractiveSummary: Summarise = {
  async summarise(heard) {
    return { outcome: 'done', text: summaryOf(heard), language: spokenLanguage(heard) }
  },
}

interface Sentence {
  readonly speaker: SpokenLine['speaker']
  readonly text: string
  readonly place: number
  readonly words: ReadonlySet<string>
  readonly wordCount: number
}

function summaryOf(heard: readonly Transcription[]): string {
  const all = spokenLines(heard)
    .flatMap(sentencesOf)
    .map((sentence, place) => ({ ...sentence, place }))
  const telling = all.filter(({ wordCount }) => wordCount >= WORDS_MIN)
  const chosen = choose(telling.length > 0 ? telling : all)
  return plainText(chosen.map(lineOf).join('\n'), LETTERS_MAX)
}

function sentencesOf({ speaker, text }: SpokenLine): Omit<Sentence, 'place'>[] {
  return text.split(/(?<=[.!?…。！？])\s+(?=[\p{Lu}\p{Lo}"„«¿¡])/u).flatMap((sentence) => {
    const words = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const telling = words.filter((word) => word.length >= TELLING_LETTERS_MIN || /\p{N}/u.test(word))
    return words.length === 0
      ? []
      : [{ speaker, text: sentence.trim(), words: new Set(telling), wordCount: words.length }]
  })
}

/** Picks the best sentences without repetition, then restores the order of the call. */
function choose(sentences: readonly Sentence[]): readonly Sentence[] {
  const counts = new Map<string, number>()
  for (const { words } of sentences) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scored = sentences.map((sentence) => ({ sentence, score: scoreOf(sentence, counts) }))
  scored.sort((a, b) => b.score - a.score || a.sentence.place - b.sentence.place)
  const chosen: Sentence[] = []
  const said = new Set<string>()
  let lettersLeft = LETTERS_MAX
  for (const { sentence } of scored) {
    const repeated = [...sentence.words].filter((word) => said.has(word)).length
    const isNew = repeated <= sentence.words.size * REPEATED_SHARE
    if (chosen.length > 0 && (!isNew || sentence.text.length > lettersLeft)) continue
    chosen.push(sentence)
    for (const word of sentence.words) said.add(word)
    lettersLeft -= lineOf(sentence).length + 1
    if (chosen.length === SENTENCES_MAX) break
  }
  return chosen.sort((a, b) => a.place - b.place)
}

/** How much a sentence shares with the rest of the call, independent of its length. */
function scoreOf({ words, wordCount }: Sentence, counts: ReadonlyMap<string, number>): number {
  const shared = [...words].reduce((sum, word) => sum + Math.log(1 + (counts.get(word) ?? 0)), 0)
  const bonus = [...words].some((word) => /\p{N}/u.test(word)) ? NUMBER_BONUS : 1
  return (shared * bonus) / Math.sqrt(wordCount + WORDS_MIN)
}

function lineOf({ speaker, text }: Sentence): string {
  return speaker === null
    ? text
    : `${speaker === 'agent' ? 'Agent' : speaker === 'customer' ? 'Customer' : 'System'}: ${text}`
}
