import { signsApart } from '../flow/model/spoken.ts'
import { isSaidIn } from '../flow-test/heard.ts'
import type { Speech, Utterance } from '../ports/speech.ts'

/** How long every utterance of a call takes, and which ones cannot be spoken. */
interface SaidLengths {
  /** In milliseconds; undefined: not spoken yet. */
  of(utterance: Utterance): number | undefined
  /** The same speech, listened to. */
  tap(speech: Speech): Speech
}

/** `unplayable`: words whose utterances fail. */
export function saidLengths(unplayable: readonly string[]): SaidLengths {
  const known = new Map<string, number>()
  return {
    of(utterance) {
      const pieces =
        'text' in utterance ? signsApart(utterance.text).map((text) => ({ ...utterance, text })) : [utterance]
      const lengths = pieces.map((piece) => known.get(JSON.stringify(piece)))
      return lengths.includes(undefined) ? undefined : lengths.reduce<number>((sum, ms) => sum + ms!, 0)
    },
    tap: (speech) => ({
      quieten: (sound, done) => speech.quieten(sound, done),
      render(utterance, done, isAhead) {
        const text = 'text' in utterance ? utterance.text : 'file' in utterance ? utterance.file : ''
        if (unplayable.some((phrase) => isSaidIn(text, phrase))) {
          return done({ ok: false, why: 'the test says that it cannot be played' })
        }
        speech.render(
          utterance,
          (result) => {
            if (result.ok) known.set(JSON.stringify(utterance), result.sound.durationMs)
            done(result)
          },
          isAhead,
        )
      },
    }),
  }
}
