import { RealClock } from '../../kernel/clock.ts'
import { type Resampler, resamplerFrom } from './resample.ts'
import { TELEPHONE_HZ } from './wav.ts'

/** Loudness of our prompts: the peak at -3 dB of full scale, so that no codec clips them. */
const PEAK = 32_767 * 10 ** (-3 / 20)
/** Quiet renderings are raised up to 12 dB; beyond that it is noise that would be raised. */
const GAIN_MAX = 4
/** Sound made in one turn of the event loop: 2 s, under 2 ms of work. Other calls do not wait for a long prompt. */
const SLICE_SAMPLES = 2 * TELEPHONE_HZ
/** Samples of one millisecond: our sounds last whole milliseconds. */
const SAMPLES_PER_MS = TELEPHONE_HZ / 1_000

/**
 * Only gives the others their turn; no result depends on it. Hence the wall clock and not the injected one: on a
 * virtual clock, which stands still while nobody runs it, a prompt would never be finished.
 */
const turns = new RealClock()
const nextTurn = () => new Promise<void>((go) => turns.schedule(0, go))

const resamplers = new Map<number, Resampler>()

/** Makes sound fit for the telephone: 8 kHz, an even loudness, whole milliseconds. */
export async function telephoneSound(samples: Int16Array, rateHz: number): Promise<Int16Array> {
  const resampler = resamplers.get(rateHz) ?? resamplerFrom(rateHz)
  resamplers.set(rateHz, resampler)
  const resampled = new Float32Array(resampler.outputLength(samples.length))
  let peak = 0
  for (let from = 0; from < resampled.length; from += SLICE_SAMPLES) {
    const to = Math.min(from + SLICE_SAMPLES, resampled.length)
    resampler.fill(samples, resampled, from, to)
    for (let at = from; at < to; at++) peak = Math.max(peak, Math.abs(resampled[at]!))
    await nextTurn()
  }
  const gain = Math.min(GAIN_MAX, PEAK / Math.max(peak, 1))
  const sound = silence(Math.ceil(resampled.length / SAMPLES_PER_MS))
  for (let at = 0; at < resampled.length; at++) sound[at] = Math.round(resampled[at]! * gain)
  return sound
}

/** Nothing, for `durationMs` whole milliseconds. */
export function silence(durationMs: number): Int16Array {
  return new Int16Array(durationMs * SAMPLES_PER_MS)
}
