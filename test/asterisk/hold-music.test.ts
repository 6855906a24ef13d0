import { expect, test } from 'vitest'
import { holdMusic } from '../../asterisk/hold-music.ts'
import { SAMPLE_RATE_HZ, shareOfTone } from '../../src/listening/tone.ts'

const bytes = holdMusic()
const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
const FRAME = 160
const LOUDEST = 32_767
/** 26 dB below the loudest: whoever was hearing somebody speak hears it. */
const HEARD = LOUDEST / 20

const frames = Array.from({ length: samples.length / FRAME }, (_, at) => samples.subarray(at * FRAME, (at + 1) * FRAME))
const loudnessOf = (sound: Int16Array) => Math.sqrt(sound.reduce((sum, one) => sum + one * one, 0) / sound.length)

test('it is heard in the first 20 ms, and in every 20 ms after that', () => {
  expect(frames.length).toBe((32 * SAMPLE_RATE_HZ) / FRAME)
  expect(Math.min(...frames.map(loudnessOf))).toBeGreaterThan(HEARD)
  expect(samples.every((one) => Math.abs(one) < LOUDEST / 2)).toBe(true)
})

test('its end goes over into its beginning: no step between two samples is larger there than elsewhere', () => {
  const step = (at: number) => Math.abs(samples[(at + 1) % samples.length]! - samples[at]!)
  const largest = samples.subarray(0, -1).reduce((most, _, at) => Math.max(most, step(at)), 0)
  expect(step(samples.length - 1)).toBeLessThanOrEqual(largest)
})

test('no frame of it is a key or a beep: nothing that listens for one hears it', () => {
  // Keys: ITU-T Q.23; tones of the network: E.180.
  for (const hz of [425, 697, 770, 852, 941, 1_209, 1_336, 1_477, 1_633, 1_400]) {
    expect(Math.max(...frames.map((frame) => shareOfTone(frame, hz)))).toBeLessThan(0.5)
  }
})
