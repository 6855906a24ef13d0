/**
 * Cuts the sound of a line into utterances, by energy and silence. It knows no words: the same for every language.
 * Pure: frames in, facts out.
 */
import { FRAME_MS, FRAME_SAMPLES } from './greeting-listener.ts'
import { LineNoise } from './line-noise.ts'

/** `began`: somebody speaks. `ended` follows each of them, with the sound of the whole utterance at 8 kHz. */
export type Uttered = { readonly type: 'began' } | { readonly type: 'ended'; readonly samples: Int16Array }

const framesOf = (ms: number) => ms / FRAME_MS
/** Shorter sounds are clicks; the shortest spoken digit takes longer. */
const BEGIN_FRAMES = framesOf(100)
/** Sound within so many frames makes a beginning: consonants are hardly louder than the line. */
const BEGIN_WITHIN_FRAMES = framesOf(200)
/** Our choice: between two digits of one number people pause for less. */
const PAUSE_FRAMES = framesOf(800)
/** What is kept from before the beginning: a soft first consonant, and silence that recognisers need. */
const BEFORE_FRAMES = framesOf(400)
/** What is kept of the pause at the end. */
const AFTER_FRAMES = framesOf(300)
/** Longer ones are cut there: no number takes so long. */
const UTTERANCE_MAX_FRAMES = framesOf(15_000)

/** One listening of one leg. */
export class UtteranceListener {
  readonly #noise = new LineNoise()
  /** The latest frames: what may come before an utterance, or the utterance. */
  #frames: Int16Array[] = []
  /** Whether each of the latest frames was sound. */
  #sounds: boolean[] = []
  #isSpeaking = false
  #silentFrames = 0

  /** The next 20 ms. */
  takes(frame: Int16Array): readonly Uttered[] {
    const { isAboveNoise } = this.#noise.hears(frame)
    this.#frames.push(Int16Array.from(frame))
    return this.#isSpeaking ? this.#goesOn(isAboveNoise) : this.#begins(isAboveNoise)
  }

  #begins(isSound: boolean): readonly Uttered[] {
    this.#sounds = [...this.#sounds.slice(1 - BEGIN_WITHIN_FRAMES), isSound]
    if (this.#sounds.filter((one) => one).length < BEGIN_FRAMES) {
      this.#frames = this.#frames.slice(-BEFORE_FRAMES)
      return []
    }
    this.#isSpeaking = true
    this.#silentFrames = 0
    return [{ type: 'began' }]
  }

  #goesOn(isSound: boolean): readonly Uttered[] {
    this.#silentFrames = isSound ? 0 : this.#silentFrames + 1
    if (this.#silentFrames < PAUSE_FRAMES && this.#frames.length < UTTERANCE_MAX_FRAMES) return []
    const samples = joined(this.#frames.slice(0, AFTER_FRAMES - PAUSE_FRAMES))
    this.#frames = []
    this.#sounds = []
    this.#isSpeaking = false
    return [{ type: 'ended', samples }]
  }
}

function joined(frames: readonly Int16Array[]): Int16Array {
  const samples = new Int16Array(frames.length * FRAME_SAMPLES)
  for (const [at, frame] of frames.entries()) samples.set(frame, at * FRAME_SAMPLES)
  return samples
}
