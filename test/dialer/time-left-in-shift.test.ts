import { describe, expect, test } from 'vitest'
import { shiftLeftMs } from '../../src/dialer/time-left-in-shift.ts'
import { aCampaign, capOfThree, HOUR_MS } from './samples.ts'

describe('how long credit can still be used', () => {
  const hours = {
    windows: [{ weekdays: [1, 2, 3, 4, 5], fromMinute: 9 * 60, toMinute: 17 * 60 }],
    holidays: ['2026-11-24'],
  }
  const zoned = { ...aCampaign(), hours, timeZone: 'Europe/Copenhagen' }
  const leftAt = (time: string, ledgers = zoned.ledgers) => shiftLeftMs({ ...zoned, ledgers }, Date.parse(time))

  test('until the last window of the day closes, in the campaign’s own zone', () => {
    expect(leftAt('2026-11-23T10:00:00Z')).toBe(6 * HOUR_MS)
    expect(leftAt('2026-11-23T15:59:00Z')).toBe(60_000)
  })

  test('no time is left outside the windows or on a holiday', () => {
    expect(leftAt('2026-11-23T16:00:00Z')).toBe(0)
    expect(leftAt('2026-11-24T10:00:00Z')).toBe(0)
    expect(leftAt('2026-11-22T10:00:00Z')).toBe(0)
  })

  test('until a ledger window starts again, if that is earlier', () => {
    const elsewhere = { ...capOfThree, window: { kind: 'day', timeZone: 'Asia/Tokyo' } as const }
    expect(leftAt('2026-11-23T14:00:00Z', [elsewhere])).toBe(HOUR_MS)
    const rolling = { ...capOfThree, window: { kind: 'rolling', lengthMs: 24 * HOUR_MS } as const }
    expect(leftAt('2026-11-23T14:00:00Z', [rolling])).toBe(2 * HOUR_MS)
  })
})
