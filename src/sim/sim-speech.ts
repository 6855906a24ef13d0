import type { Sound, Speech, SpeechResult, Utterance } from '../ports/speech.ts'

/** About the speed of a person reading aloud: 1,000 characters a minute. Our choice: it suits espeak-ng, too. */
const MS_PER_CHARACTER = 60
const SHORTEST_MS = 300

interface SimSpeech extends Speech {
  /** The last 1,000 utterances, in order. */
  readonly said: readonly Utterance[]
}

/** Simulated people hear the words in `Sound.text`. `fails`: which texts cannot be spoken (a missing voice). */
export function simSpeech(fails: (utterance: Utterance) => string | undefined = () => undefined): SimSpeech {
  const said: Utterance[] = []
  return {
    said,
    render(utterance: Utterance, done: (result: SpeechResult) => void): void {
      said.push(utterance)
      if (said.length > 1_000) said.shift()
      const why = fails(utterance)
      done(why === undefined ? { ok: true, sound: soundOf(utterance) } : { ok: false, why })
    },
    quieten: (sound, done) => done({ ...sound, quietFile: `${sound.file}-quiet` }),
  }
}

function soundOf(utterance: Utterance): Sound {
  if ('pauseMs' in utterance) return { file: '/sim/silence', text: '', durationMs: utterance.pauseMs }
  if ('file' in utterance) return { file: utterance.file, text: utterance.file, durationMs: spokenMs(utterance.file) }
  return { file: `/sim/${utterance.voice}`, text: utterance.text, durationMs: spokenMs(utterance.text) }
}

function spokenMs(text: string): number {
  return Math.max(SHORTEST_MS, text.length * MS_PER_CHARACTER)
}
