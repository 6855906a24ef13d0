import { RealClock } from '../../kernel/clock.ts'
import { type Resampler, resamplerFrom } from './resample.ts'
import { TELEPHONE_HZ } from './wav.ts'

/** Peak level of prompts: -3 dB of full scale, to keep codecs from clipping. */
const PEAK = 32_767 * 10 ** (-3 / 20)
/** Quiet audio is raised by up to 12 dB; more would raise noise. */
const GAIN_MAX = 4
/** Audio processed in one turn of the event loop: 2 s, under 2 ms of work. */
const SLICE_SAMPLES = 2 * TELEPHONE_HZ
/** Frames mixed in one turn of the event loop, about 2 ms of work. */
const MIX_SLICE_SAMPLES = 500_000
/** Sounds last whole milliseconds. */
const SAMPLES_PER_MS = TELEPHONE_HZ / 1_000

/** Only yields to other work, hence the wall clock: a virtual clock that stands still would never finish a prompt. */
const turns = new RealClock()
const nextTurn = () => new Promise<void>((go) => turns.schedule(0, go))

const resamplers = new Map<number, Resampler>()

/** Converts audio for the telephone: 8 kHz, even loudness, whole milliseconds. */
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

/** Our choice: a fifth, -14 dB. It is understood, and nobody has to raise their voice over it. */
const QUIET_GAIN = 0.2

/** The same sound, as it is heard while the caller begins to speak. */
export function quieter(samples: Int16Array): Int16Array {
  return samples.map((sample) => Math.round(sample * QUIET_GAIN))
}

/** The mean of all channels, whose samples take turns in `samples`. */
export async function mixDown(samples: Int16Array, channels: number): Promise<Int16Array> {
  if (channels === 1) return samples
  const mixed = new Int16Array(Math.floor(samples.length / channels))
  for (let at = 0; at < mixed.length; at++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++) sum += samples[at * channels + channel]!
    mixed[at] = Math.round(sum / channels)
    if (at % MIX_SLICE_SAMPLES === 0) await nextTurn()
  }
  return mixed
}

/** Silence of `durationMs` whole milliseconds. */
export function silence(durationMs: number): Int16Array {
  return new Int16Array(durationMs * SAMPLES_PER_MS)
}
