import { expect, test } from 'vitest'
import { SteadyTime } from '../../src/kernel/steady-time.ts'

const NOON = Date.UTC(2026, 10, 27, 12)
const DAY_MS = 24 * 3_600_000

/** What is read, a second apart, while the wall clock is off by these. */
function readings(...offsMs: number[]) {
  const time = new SteadyTime()
  return offsMs.map((offMs, second) => time.read(NOON + second * 1_000 + offMs, 5_000 + second * 1_000) - NOON)
}

test('small corrections are followed', () => {
  expect(readings(0, 5, -3, 1_900, 1_000)).toEqual([0, 1_005, 1_997, 4_900, 5_000])
})

test.each([DAY_MS, -3_600_000])('a step by %d ms that lasts a moment is not seen', (stepMs) => {
  expect(readings(0, 0, stepMs, stepMs, stepMs, 0, 0)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
})

test('a sleep, in which the monotonic clock stands still, is told until the new time is believed', () => {
  const time = new SteadyTime()
  const after = (seconds: number, sleptMs = 0) => {
    time.read(NOON + seconds * 1_000 + sleptMs, 5_000 + seconds * 1_000)
    return time.isOvertaken
  }
  expect([after(0), after(1, 1_900), after(2, 20_000), after(61, 20_000)]).toEqual([false, false, true, true])
  expect(after(63, 20_000)).toBe(false)
  // A clock that went back hides nothing.
  expect(after(64, -20_000)).toBe(false)
})

test('a step that stands for a minute is believed', () => {
  const read = readings(0, ...Array.from({ length: 62 }, () => DAY_MS))
  expect(read.slice(0, 3)).toEqual([0, 1_000, 2_000])
  expect([read[60], read[61], read[62]]).toEqual([60_000, DAY_MS + 61_000, DAY_MS + 62_000])
})

test('a clock that jumps about is believed when it stands still', () => {
  const jumps = Array.from({ length: 50 }, (_, second) => (second % 2 === 0 ? DAY_MS : -DAY_MS))
  const read = readings(0, ...jumps, ...Array.from({ length: 62 }, () => DAY_MS))
  expect(read[50]).toBe(50_000)
  expect(read.at(-1)).toBe(DAY_MS + 112_000)
})
