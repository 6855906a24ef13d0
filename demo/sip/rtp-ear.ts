import { shareOfTone } from '../../src/listening/tone.ts'
import { energyOf, FRAME_MS, FRAME_SAMPLES, fromUlaw } from './audio.ts'
import { readKey } from './rtp-packet.ts'

/** What one telephone heard, in milliseconds of sound, and the keys that came with it. */
export interface HeardSound {
  readonly packets: number
  /** Louder than the noise of an empty line. */
  readonly soundMs: number
  /** Tone in Hz → how long it was heard. */
  readonly tonesMs: Readonly<Record<number, number>>
  /** In order; the first 100. */
  readonly keys: string
}

/** Root mean square of 300 (of 32,768) is -41 dB: below any prompt, above comfort noise. */
const AUDIBLE_ENERGY = 300 ** 2
/** A tone has most of the energy of its frame; speech never has. */
const TONE_SHARE = 0.6
/** A tone that is one of several in a frame; a frame of other tones has less of it. */
const TRACE_SHARE = 0.05
const KEYS_MAX = 100

interface Expectation {
  readonly isTrue: () => boolean
  readonly tell: () => void
}

/** Measures what comes in, frame by frame, and keeps sums only. */
export class RtpEar {
  readonly #tones: Map<number, number>
  readonly #traces: Map<number, number>
  #packets = 0
  #keys = ''
  #lastKeyAt = -1
  #soundMs = 0
  #rest: number[] = []
  #expectations: Expectation[] = []

  constructor(tonesHz: readonly number[]) {
    this.#tones = new Map(tonesHz.map((hz) => [hz, 0]))
    this.#traces = new Map(this.#tones)
  }

  get heard(): HeardSound {
    return {
      packets: this.#packets,
      soundMs: this.#soundMs,
      tonesMs: Object.fromEntries(this.#tones),
      keys: this.#keys,
    }
  }

  /** How long the tone was heard; only tones given at the start are listened for. */
  heardTone(hz: number): number {
    return this.#tones.get(hz) ?? 0
  }

  /** How long the tone was in what was heard, also below other tones. */
  heardTrace(hz: number): number {
    return this.#traces.get(hz) ?? 0
  }

  /** Resolves once the tone was in what was heard for `ms` in all. */
  whenTraced(hz: number, ms: number): Promise<void> {
    return this.#when(() => this.heardTrace(hz) >= ms)
  }

  /** Resolves once the tone (or any sound) was heard for `ms` in all. */
  whenHeard(what: number | 'sound', ms: number): Promise<void> {
    return this.#when(() => (what === 'sound' ? this.#soundMs : this.heardTone(what)) >= ms)
  }

  /** Resolves once these keys were heard, one behind the other. */
  whenPressed(keys: string): Promise<void> {
    return this.#when(() => this.#keys.includes(keys))
  }

  /** One packet of µ-law, whatever its length. */
  takes(payload: Buffer): void {
    this.#packets++
    for (const byte of payload) this.#rest.push(fromUlaw(byte))
    while (this.#rest.length >= FRAME_SAMPLES) this.#listen(this.#rest.splice(0, FRAME_SAMPLES))
    this.#tellWhatCame()
  }

  /** One telephone-event packet. The end of a key is sent three times; its timestamp tells that it is the same key. */
  takesKey(payload: Buffer, timestamp: number): void {
    const event = readKey(payload)
    if (!event?.isEnd || timestamp === this.#lastKeyAt) return
    this.#lastKeyAt = timestamp
    if (this.#keys.length < KEYS_MAX) this.#keys += event.key
    this.#tellWhatCame()
  }

  #when(isTrue: () => boolean): Promise<void> {
    if (isTrue()) return Promise.resolve()
    return new Promise((tell) => this.#expectations.push({ isTrue, tell }))
  }

  #tellWhatCame(): void {
    const come = this.#expectations.filter((one) => one.isTrue())
    this.#expectations = this.#expectations.filter((one) => !come.includes(one))
    for (const one of come) one.tell()
  }

  #listen(samples: readonly number[]): void {
    if (energyOf(samples) < AUDIBLE_ENERGY) return
    this.#soundMs += FRAME_MS
    for (const [hz, ms] of this.#tones) {
      const share = shareOfTone(samples, hz)
      if (share > TONE_SHARE) this.#tones.set(hz, ms + FRAME_MS)
      if (share > TRACE_SHARE) this.#traces.set(hz, this.heardTrace(hz) + FRAME_MS)
    }
  }
}
