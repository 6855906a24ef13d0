import { describe, expect, test } from 'vitest'
import { resamplerFrom } from '../../../src/adapters/speech/resample.ts'
import { silence, telephoneSound } from '../../../src/adapters/speech/telephone-audio.ts'

const RATE_HZ = 22_050

function tone(hz: number, rateHz = RATE_HZ, amplitude = 10_000): Int16Array {
  return Int16Array.from({ length: rateHz }, (_, i) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hz * i) / rateHz)),
  )
}

function resampled(samples: Int16Array, rateHz = RATE_HZ): Float32Array {
  const resampler = resamplerFrom(rateHz)
  const output = new Float32Array(resampler.outputLength(samples.length))
  resampler.fill(samples, output, 0, output.length)
  return output
}

/** Loudness of the middle, in dB below a full-amplitude tone of 10,000. */
function levelDb(output: Float32Array): number {
  const middle = output.subarray(500, -500)
  const power = middle.reduce((sum, value) => sum + value * value, 0) / middle.length
  return 10 * Math.log10(power / (10_000 ** 2 / 2))
}

describe('from 22,050 Hz', () => {
  test.each([100, 300, 1_000, 2_000, 3_000, 3_400])('a tone of %i Hz passes', (hz) => {
    expect(Math.abs(levelDb(resampled(tone(hz))))).toBeLessThan(0.5)
  })

  test.each([4_600, 5_000, 6_000, 8_000, 9_000, 11_000])('a tone of %i Hz does not fold into speech', (hz) => {
    expect(levelDb(resampled(tone(hz)))).toBeLessThan(-55)
  })

  test('each sample is the tone at its own instant', () => {
    const output = resampled(tone(440))
    const wanted = (i: number) => 10_000 * Math.sin((2 * Math.PI * 440 * i) / 8_000)
    const errors = Array.from(output.subarray(500, -500), (value, i) => Math.abs(value - wanted(i + 500)))
    expect(Math.max(...errors)).toBeLessThan(30)
  })

  test('one second becomes 8,000 samples', () => {
    expect(resampled(tone(440))).toHaveLength(8_000)
  })

  test('chunks give the same result as the whole', () => {
    const input = tone(700)
    const resampler = resamplerFrom(RATE_HZ)
    const pieces = new Float32Array(8_000)
    for (let from = 0; from < 8_000; from += 1_234) resampler.fill(input, pieces, from, Math.min(8_000, from + 1_234))
    expect(pieces).toEqual(resampled(input))
  })

  test('silence, a click and an empty input are unchanged', () => {
    expect(resampled(new Int16Array(100)).every((value) => value === 0)).toBe(true)
    expect(resampled(Int16Array.from([32_767]))).toHaveLength(0)
    expect(resampled(new Int16Array(0))).toHaveLength(0)
  })
})

test.each([8_000, 16_000, 44_100, 48_000])('from %i Hz a tone passes too', (rateHz) => {
  expect(Math.abs(levelDb(resampled(tone(1_000, rateHz), rateHz)))).toBeLessThan(0.5)
})

describe('given sound for the telephone', () => {
  const peakDb = (samples: Int16Array) =>
    20 * Math.log10(samples.reduce((peak, s) => Math.max(peak, Math.abs(s)), 1) / 32_767)

  test('its peak is at -3 dB of full scale, at any input level', async () => {
    for (const amplitude of [32_767, 20_000, 7_000]) {
      expect(peakDb(await telephoneSound(tone(440, RATE_HZ, amplitude), RATE_HZ))).toBeCloseTo(-3, 1)
    }
  })

  test('near silence is raised by 12 dB at most', async () => {
    const sound = await telephoneSound(tone(440, RATE_HZ, 100), RATE_HZ)
    expect(sound.reduce((peak, sample) => Math.max(peak, sample), 0)).toBeLessThanOrEqual(401)
    expect(await telephoneSound(new Int16Array(2_205), RATE_HZ)).toEqual(silence(100))
  })

  test('it lasts whole milliseconds', async () => {
    expect((await telephoneSound(tone(440).subarray(0, 12_345), RATE_HZ)).length % 8).toBe(0)
  })
})
