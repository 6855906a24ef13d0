/**
 * How a greeting begins, in 200 bytes: the same recording gives nearly the same print on every line, no two others do.
 *
 * After Haitsma and Kalker, "A Highly Robust Audio Fingerprinting System" (ISMIR 2002), for the telephone band: for
 * each frame a bit for each two neighbouring bands, whether their difference grows. A level, a codec or a filter
 * changes few of them. Nothing can be heard of a print. Pure: frames in, a print out.
 */
import { FRAME_MS, FRAME_SAMPLES } from './greeting-listener.ts'
import { LineNoise } from './line-noise.ts'
import { SAMPLE_RATE_HZ } from './tone.ts'

/** Frames of a print, from the first sound on: 2 s. */
const FRAMES = 100
/** Our choice: whoever speaks for less than 0.9 s of them waits for an answer, and has no print. */
const SPOKEN_FRAMES_MIN = 45
/** So many frames of sound are the first sound, and no click. */
const ONSET_FRAMES = 5
/** Nobody has spoken by then. */
const ONSET_MAX_MS = 8_000
/** One more than the bits of a frame. */
const BANDS = 17
const BITS = BANDS - 1
/** Inside the 300 to 3,400 Hz of every codec. */
const BAND_HZ = { from: 300, to: 3_000 }
/** Bands overlap by half. */
const BAND_Q = 5
/** Each frame is judged with those before it, so a print that begins half a frame later is nearly the same. */
const WINDOW = Array.from({ length: 12 }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / 12))
/** A noise, or a first word that came before the line, moves the first sound by so many frames at the most. */
const SHIFT_MAX_FRAMES = 30
/** A frame that is silent in one print only: a quarter of its bits. */
const SILENT_ERRORS = BITS / 4
/**
 * The greatest share of differing bits within one recording. `npm run bench -- detection` prints both sides: of one
 * recording on two lines, of different ones.
 */
const SAME_MAX = 0.125

/** Makes the print of one answered leg, from the answer on. */
export class GreetingPrinter {
  readonly #noise = new LineNoise()
  readonly #bands = Array.from({ length: BANDS }, (_, band) => bandFilter(band))
  /** Energies of the latest frames by band, the latest first. */
  readonly #energies: (readonly number[])[] = []
  #before: readonly number[] | undefined
  readonly #words: number[] = []
  #soundFrames = 0
  #atMs = 0
  #isDone = false

  /** Whether the print was given, or none will be. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** The next 20 ms. Once the print, if the leg has one. */
  takes(frame: Int16Array): string | undefined {
    if (this.#isDone) return undefined
    this.#atMs += FRAME_MS
    const { isAboveNoise } = this.#noise.hears(frame)
    const word = this.#wordOf(frame)
    this.#soundFrames = isAboveNoise ? this.#soundFrames + 1 : 0
    if (this.#words.length === 0 && this.#soundFrames < ONSET_FRAMES) {
      this.#isDone = this.#atMs >= ONSET_MAX_MS
      return undefined
    }
    this.#words.push(isAboveNoise ? word : 0)
    if (this.#words.length < FRAMES) return undefined
    this.#isDone = true
    const spoken = this.#words.filter((one) => one !== 0).length
    return spoken < SPOKEN_FRAMES_MIN ? undefined : textOf(this.#words)
  }

  /** The bits of this frame. 0 is kept for silence; it is no loss. */
  #wordOf(frame: Int16Array): number {
    this.#energies.unshift(this.#bands.map((energyOf) => energyOf(frame)))
    if (this.#energies.length > WINDOW.length) this.#energies.pop()
    const now = this.#bands.map((_, band) =>
      this.#energies.reduce((sum, energies, at) => sum + WINDOW[at]! * energies[band]!, 0),
    )
    const before = this.#before ?? now
    this.#before = now
    let word = 0
    for (let bit = 0; bit < BITS; bit++) {
      const difference = now[bit]! - now[bit + 1]! - (before[bit]! - before[bit + 1]!)
      if (difference > 0) word |= 1 << bit
    }
    return word
  }
}

/** Whether both are prints of one recording. */
export function isSamePrint(one: string, other: string): boolean {
  return printDistance(one, other, SAME_MAX) <= SAME_MAX
}

/**
 * The share of differing bits, 0 to 1, at the best of all shifts: about 0.05 for one recording, about 0.33 for two. 1
 * beyond `limit`, and for texts that are no prints.
 */
export function printDistance(one: string, other: string, limit = 1): number {
  const [first, second] = [wordsOf(one), wordsOf(other)]
  let least = 1
  for (let shift = -SHIFT_MAX_FRAMES; shift <= SHIFT_MAX_FRAMES; shift++) {
    least = Math.min(least, distanceAt(first, second, shift, limit))
  }
  return least
}

function distanceAt(first: Uint16Array, second: Uint16Array, shift: number, limit: number): number {
  const errorsMax = limit * FRAMES * BITS
  let [errors, frames, spoken] = [0, 0, 0]
  const end = Math.min(first.length, second.length - shift)
  for (let at = Math.max(0, -shift); at < end && errors <= errorsMax; at++) {
    const [one, other] = [first[at]!, second[at + shift]!]
    if (one === 0 && other === 0) continue
    frames++
    if (one === 0 || other === 0) errors += SILENT_ERRORS
    else {
      spoken++
      errors += BITS_OF[one ^ other]!
    }
  }
  return spoken < SPOKEN_FRAMES_MIN || errors > errorsMax ? 1 : errors / (frames * BITS)
}

/** How many bits are set. */
const BITS_OF = new Uint8Array(2 ** BITS)
for (let word = 1; word < BITS_OF.length; word++) BITS_OF[word] = BITS_OF[word >> 1]! + (word & 1)

function textOf(words: readonly number[]): string {
  return Buffer.from(Uint16Array.from(words).buffer).toString('base64')
}

function wordsOf(text: string): Uint16Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return bytes.length === FRAMES * 2 ? new Uint16Array(bytes.buffer) : new Uint16Array(0)
}

/** The energy of a frame in one band: a resonator of second order (Robert Bristow-Johnson's band-pass). */
function bandFilter(band: number): (frame: Int16Array) => number {
  const hz = BAND_HZ.from * (BAND_HZ.to / BAND_HZ.from) ** (band / (BANDS - 1))
  const angle = (2 * Math.PI * hz) / SAMPLE_RATE_HZ
  const alpha = Math.sin(angle) / (2 * BAND_Q)
  const [gain, back, backTwo] = [alpha, -2 * Math.cos(angle), 1 - alpha].map((part) => part / (1 + alpha)) as [
    number,
    number,
    number,
  ]
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  return (frame) => {
    let energy = 0
    for (let at = 0; at < FRAME_SAMPLES; at++) {
      const x = frame[at]!
      const y = gain * (x - x2) - back * y1 - backTwo * y2
      x2 = x1
      x1 = x
      y2 = y1
      y1 = y
      energy += y * y
    }
    return energy
  }
}
