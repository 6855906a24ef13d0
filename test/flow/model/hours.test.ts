import { expect, test } from 'vitest'
import { type Hours, isOpen, isTimeZone, localTime } from '../../../src/flow/model/hours.ts'

const day: readonly (readonly [number, number])[] = [[9 * 60, 17 * 60]]
const office: Hours = {
  timeZone: 'Europe/Tallinn',
  weekly: new Map([1, 2, 3, 4, 5].map((weekday) => [weekday, day])),
  holidays: new Set(['2026-02-24']),
}

test.each([
  ['2026-03-02T06:59:59Z', false, 'Monday 08:59:59 in winter'],
  ['2026-03-02T07:00:00Z', true, 'Monday 09:00'],
  ['2026-03-02T14:59:59Z', true, 'Monday 16:59:59'],
  ['2026-03-02T15:00:00Z', false, 'Monday 17:00'],
  ['2026-03-01T10:00:00Z', false, 'Sunday'],
  ['2026-02-24T10:00:00Z', false, 'a holiday'],
  ['2026-02-23T22:30:00Z', false, 'a holiday, which has begun there but not in Greenwich'],
  ['2026-03-30T06:00:00Z', true, 'Monday 09:00 in summer'],
  ['2026-03-30T14:00:00Z', false, 'Monday 17:00 in summer'],
  ['2026-10-26T07:00:00Z', true, 'Monday 09:00 after summer'],
])('at %s the office is open: %j (%s)', (instant, open) => {
  expect(isOpen(office, Date.parse(instant))).toBe(open)
})

test('the local time has its date and weekday', () => {
  expect(localTime(Date.parse('2026-03-01T22:30:00Z'), 'Europe/Tallinn')).toEqual({
    date: '2026-03-02',
    weekday: 1,
    minuteOfDay: 30,
  })
})

test('given midnight, the new day begins: there is no 24:00', () => {
  expect(localTime(Date.parse('2026-03-02T00:00:00Z'), 'UTC')).toMatchObject({ date: '2026-03-02', minuteOfDay: 0 })
})

test.each([
  ['Europe/Tallinn', true],
  ['UTC', true],
  ['Europe/Talinn', false],
  ['+02:00', false],
  ['', false],
])('%s is a time zone: %j', (name, is) => {
  expect(isTimeZone(name)).toBe(is)
})
