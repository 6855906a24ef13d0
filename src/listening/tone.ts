/** Pure tones in telephone sound: 16-bit samples at 8 kHz. */

/** Samples a second (ITU-T G.711). */
export const SAMPLE_RATE_HZ = 8_000

/** The share of the frame's energy that lies at `hz`, 0 to about 1 (Goertzel's algorithm; 50 Hz wide at 20 ms). */
export function shareOfTone(samples: ArrayLike<number>, hz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE_HZ)
  let energy = 0
  let last = 0
  let beforeLast = 0
  for (let at = 0; at < samples.length; at++) {
    const sample = samples[at]!
    const now = sample + coefficient * last - beforeLast
    energy += sample * sample
    beforeLast = last
    last = now
  }
  if (energy === 0) return 0
  const power = last * last + beforeLast * beforeLast - coefficient * last * beforeLast
  return power / (energy * samples.length * 0.5)
}

/** Our choice: the beeps of machines and networks that we know lie between 400 and 2,100 Hz. */
const BEEP_HZ = { min: 350, max: 2_300 }
/** Our choice: beeps of the corpus are above 0.95, vowels below 0.8. */
const PURE_SHARE = 0.9
/** Noise 20 dB below a tone of 400 Hz moves its estimate by 40 Hz. */
const NEARBY_HZ = [0, -15, 15, -30, 30, -45, 45]

/**
 * The frequency of a frame that is one pure tone, in Hz; undefined for everything else. In a tone the two neighbours of
 * a sample add up to the sample times 2 cos ω, which tells about its frequency; Goertzel's algorithm around there tells
 * whether the frame is one.
 */
export function pureToneOf(samples: Int16Array): number | undefined {
  let energy = 0
  let neighbours = 0
  for (let at = 1; at < samples.length - 1; at++) {
    energy += samples[at]! * samples[at]!
    neighbours += samples[at]! * (samples[at - 1]! + samples[at + 1]!)
  }
  if (energy === 0) return undefined
  const cosine = Math.max(-1, Math.min(1, neighbours / (2 * energy)))
  const aboutHz = (Math.acos(cosine) * SAMPLE_RATE_HZ) / (2 * Math.PI)
  if (aboutHz < BEEP_HZ.min || aboutHz > BEEP_HZ.max) return undefined
  return NEARBY_HZ.map((offset) => aboutHz + offset).find((hz) => shareOfTone(samples, hz) >= PURE_SHARE)
}
