import { SPOKEN_LENGTH_MAX } from '../../ports/speech.ts'
import { error, type Rule } from './lint-subject.ts'
import type { TextPlace } from './reading.ts'

const SPOKEN: ReadonlySet<TextPlace> = new Set(['speech', 'confirm', 'whisper'])

/** Refuses texts that are too long for one prompt, without their values. */
export const lintSpeech: Rule = (subject) => {
  return subject.reading.templates.flatMap(({ template, path, place }) => {
    const fixed = template.parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0)
    if (!SPOKEN.has(place) || fixed <= SPOKEN_LENGTH_MAX) return []
    const limit = `at most ${SPOKEN_LENGTH_MAX} can be spoken in one go`
    return [error(subject, path, `this text has ${fixed} characters, ${limit}; split it into a list of shorter texts`)]
  })
}
