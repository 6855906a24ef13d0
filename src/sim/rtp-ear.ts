import { energyOf, FRAME_MS, FRAME_SAMPLES, fromUlaw, shareOfTone } from './audio.ts'

/** What one telephone heard, in milliseconds of sound. */
export interface HeardSound {
  readonly packets: number
  /** Louder than the noise of an empty line. */
  readonly soundMs: number
  /** Tone in Hz → how long it was heard. */
  readonly tonesMs: Readonly<Record<number, number>>
}

/** Root mean square of 300 (of 32,768) is -41 dB: below any prompt, above comfort noise. */
const AUDIBLE_ENERGY = 300 ** 2
/** A tone has most of the energy of its frame; speech never has. */
const TONE_SHARE = 0.6

interface Wish {
  readonly isTrue: () => boolean
  readonly tell: () => void
}

/** Measures what comes in, frame by frame, and keeps sums only. */
export class RtpEar {
  readonly #tones: Map<number, number>
  #packets = 0
  #soundMs = 0
  #rest: number[] = []
  #wishes: Wish[] = []

  constructor(tonesHz: readonly number[]) {
    this.#tones = new Map(tonesHz.map((hz) => [hz, 0]))
  }

  get heard(): HeardSound {
    return { packets: this.#packets, soundMs: this.#soundMs, tonesMs: Object.fromEntries(this.#tones) }
  }

  /** How long the tone was heard; only tones given at the start are listened for. */
  heardTone(hz: number): number {
    return this.#tones.get(hz) ?? 0
  }

  /** Resolves once the tone (or any sound) was heard for `ms` in all. */
  whenHeard(what: number | 'sound', ms: number): Promise<void> {
    const isTrue = () => (what === 'sound' ? this.#soundMs : this.heardTone(what)) >= ms
    if (isTrue()) return Promise.resolve()
    return new Promise((tell) => this.#wishes.push({ isTrue, tell }))
  }

  /** One packet of µ-law, whatever its length. */
  takes(payload: Buffer): void {
    this.#packets++
    for (const byte of payload) this.#rest.push(fromUlaw(byte))
    while (this.#rest.length >= FRAME_SAMPLES) this.#listen(this.#rest.splice(0, FRAME_SAMPLES))
    const come = this.#wishes.filter((wish) => wish.isTrue())
    this.#wishes = this.#wishes.filter((wish) => !come.includes(wish))
    for (const wish of come) wish.tell()
  }

  #listen(samples: readonly number[]): void {
    if (energyOf(samples) < AUDIBLE_ENERGY) return
    this.#soundMs += FRAME_MS
    for (const [hz, ms] of this.#tones) {
      if (shareOfTone(samples, hz) > TONE_SHARE) this.#tones.set(hz, ms + FRAME_MS)
    }
  }
}
