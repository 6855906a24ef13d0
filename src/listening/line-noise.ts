/** Mean absolute sample of a frame that is sound: Asterisk's `silence_threshold`. */
const SOUND_LEVEL = 256
/** Sound is so many times louder than the noise of the line: a street must not count as speech. */
const ABOVE_NOISE = 2.5
/** The noise is the level that a tenth of the last 2 s stays below. */
const NOISE_FRAMES = 100
const NOISE_PART = 0.1
/** Before that many frames nothing is known of the noise, and nothing counts as sound. */
const NOISE_KNOWN_FRAMES = 10

/** The level of one frame, and whether it is above silence, and above the noise of the line so far. */
export interface FrameLevel {
  readonly isAudible: boolean
  readonly isAboveNoise: boolean
}

/** Tells sound from the noise of one line. */
export class LineNoise {
  readonly #levels: number[] = []

  /** The next frame. */
  hears(frame: Int16Array): FrameLevel {
    const level = levelOf(frame)
    this.#levels.push(level)
    if (this.#levels.length > NOISE_FRAMES) this.#levels.shift()
    const isAudible = level >= SOUND_LEVEL
    if (!isAudible || this.#levels.length < NOISE_KNOWN_FRAMES) return { isAudible, isAboveNoise: false }
    const sorted = this.#levels.toSorted((one, other) => one - other)
    return { isAudible, isAboveNoise: level >= ABOVE_NOISE * sorted[Math.floor(sorted.length * NOISE_PART)]! }
  }
}

function levelOf(frame: Int16Array): number {
  let sum = 0
  for (const sample of frame) sum += Math.abs(sample)
  return sum / Math.max(1, frame.length)
}
