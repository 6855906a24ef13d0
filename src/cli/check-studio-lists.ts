import { speakable } from '../adapters/speech/speakable.ts'
import { readStudioLists } from '../adapters/speech/studio-recordings.ts'
import { fixedUtterances } from '../engine/flow-registry.ts'
import type { Flow } from '../flow/model/flow.ts'
import { nearest, type Problem } from '../kernel/file-problem.ts'
import { languagesFor } from '../ports/speech.ts'

/** Sentences that are compared with all others: it takes time, and whoever has more mistakes corrects these first. */
const COMPARED_MAX = 50

/**
 * The mistakes in the lists of studio recordings beside flows: files that cannot be played, and sentences that are
 * nearly those of a flow. Others may be sentences of the service itself, such as the apology.
 */
export function checkStudioLists(folder: string, flows: readonly Flow[]): readonly Problem[] {
  const { sentences, problems } = readStudioLists(folder)
  const said = flows.flatMap(fixedUtterances).flatMap((one) => ('text' in one ? [one] : []))
  const wordsIn = (language: string) => {
    const spoken = said.filter(({ voice }) => languagesFor(voice).includes(language))
    return new Set(spoken.map(({ text }) => speakable(text)))
  }
  const words = new Map(sentences.map(({ language }) => [language, wordsIn(language)]))
  const idle = sentences.filter((sentence) => !words.get(sentence.language)?.has(sentence.words))
  const misspelt = idle.slice(0, COMPARED_MAX).flatMap((sentence) => {
    const meant = nearest(sentence.words, words.get(sentence.language) ?? [])
    if (meant === undefined) return []
    return [sentence.problem(`no flow says this word for word; did you mean "${meant}"?`, 'warn')]
  })
  return [...problems, ...misspelt]
}
