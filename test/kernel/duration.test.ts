import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from '../../src/kernel/duration.ts'

test.each([
  ['500ms', 500],
  ['15s', 15_000],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['0s', 0],
  ['90s', 90_000],
])('%s is %i ms', (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs)
  expect(parseDuration(formatDuration(durationMs))).toBe(durationMs)
})

test.each(['', '15', 's', '1.5s', '-1s', '15 s', '1d', '15S', ' 15s', '1m30s'])('"%s" is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

test('a duration is written with its largest whole unit', () => {
  expect([0, 1_500, 90_000, 120_000, 7_200_000].map(formatDuration)).toEqual(['0s', '1500ms', '90s', '2m', '2h'])
})
