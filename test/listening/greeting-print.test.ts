import { describe, expect, test } from 'vitest'
import { fromUlaw, toUlaw } from '../../demo/sip/audio.ts'
import { randomInt, seededRandom } from '../../src/kernel/random.ts'
import { FRAME_MS, FRAME_SAMPLES } from '../../src/listening/greeting-listener.ts'
import { GreetingPrinter, isSamePrint, printDistance } from '../../src/listening/greeting-print.ts'
import { SAMPLE_RATE_HZ } from '../../src/listening/tone.ts'

const SYLLABLE_MS = 160

/** Speech of somebody: every syllable has a pitch, two formants and a loudness of its own, by the seed. */
function speech(seed: number, ms: number): number[] {
  const random = seededRandom(seed)
  return Array.from({ length: Math.ceil(ms / SYLLABLE_MS) }, () => {
    const [loud, pitch] = [randomInt(random, 3_000, 6_000), randomInt(random, 90, 220)]
    const formants = [randomInt(random, 300, 900), randomInt(random, 900, 2_600)]
    return Array.from({ length: (SYLLABLE_MS * SAMPLE_RATE_HZ) / 1_000 }, (_, at) => {
      const angle = (2 * Math.PI * at) / SAMPLE_RATE_HZ
      const rise = Math.sin((Math.PI * at) / ((SYLLABLE_MS * SAMPLE_RATE_HZ) / 1_000))
      const voice = formants.reduce((sum, hz) => sum + Math.sin(hz * angle) * (1 + Math.cos(pitch * angle)), 0)
      return (loud * rise * voice) / 2
    })
  }).flat()
}

const silence = (ms: number) => Array.from({ length: (ms * SAMPLE_RATE_HZ) / 1_000 }, () => 0)

/** What a line makes of it: its noise, its level, and G.711. */
function overTheLine(samples: readonly number[], { noise = 20, level = 1, seed = 1 } = {}): Int16Array {
  const random = seededRandom(seed)
  return Int16Array.from(samples, (sample) =>
    fromUlaw(toUlaw(Math.round(sample * level + noise * (random.next() - 0.5)))),
  )
}

/** The print, and after how many ms it was there. */
function printOf(samples: Int16Array): { readonly print: string | undefined; readonly atMs: number } {
  const printer = new GreetingPrinter()
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
    const print = printer.takes(samples.subarray(at, at + FRAME_SAMPLES))
    if (printer.isDone) return { print, atMs: (at / FRAME_SAMPLES + 1) * FRAME_MS }
  }
  return { print: undefined, atMs: Number.POSITIVE_INFINITY }
}

const greeting = (seed: number) => [...silence(400), ...speech(seed, 2_900)]
const ANNOUNCEMENT = printOf(overTheLine(greeting(1))).print!

describe('an announcement is the same', () => {
  test.each([
    ['with the noise of a bad line', overTheLine(greeting(1), { noise: 300, seed: 2 })],
    ['at half its level', overTheLine(greeting(1), { level: 0.5 })],
    ['at twice its level', overTheLine(greeting(1), { level: 2 })],
    ['that begins half a frame later', overTheLine([...silence(10), ...greeting(1)])],
    ['that begins long after the answer', overTheLine([...silence(1_700), ...greeting(1)])],
    ['whose first word is cut by the connection', overTheLine(greeting(1).slice((600 * SAMPLE_RATE_HZ) / 1_000))],
  ])('%s', (_, samples) => {
    expect(isSamePrint(ANNOUNCEMENT, printOf(samples).print!)).toBe(true)
  })

  test('about 2 s after its first word', () => {
    const { atMs } = printOf(overTheLine(greeting(1)))
    expect(atMs).toBeGreaterThan(2_400)
    expect(atMs).toBeLessThan(2_700)
  })
})

describe('nobody else is', () => {
  test('no other greeting of forty comes near', () => {
    const others = Array.from({ length: 40 }, (_, at) => printOf(overTheLine(greeting(at + 2))).print!)
    expect(others.some((other) => isSamePrint(ANNOUNCEMENT, other))).toBe(false)
    const distances = others.map((other) => printDistance(ANNOUNCEMENT, other))
    expect(Math.min(...distances)).toBeGreaterThan(0.25)
    expect(distances.every((distance) => distance < 1)).toBe(true)
  })

  test.each([
    ['says a word and waits', [...silence(400), ...speech(1, 640), ...silence(4_000)]],
    ['says nothing', silence(12_000)],
  ])('a person who %s has no print', (_, samples) => {
    expect(printOf(overTheLine(samples))).toMatchObject({ print: undefined, atMs: expect.any(Number) })
    expect(printOf(overTheLine(samples)).atMs).toBeLessThan(12_000)
  })

  test('what is no print is the same as nothing', () => {
    expect(isSamePrint('', '')).toBe(false)
    expect(isSamePrint(ANNOUNCEMENT, 'the greeting of every machine')).toBe(false)
  })
})
