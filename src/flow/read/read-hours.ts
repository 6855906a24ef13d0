import { didYouMean } from '../../kernel/file-problem.ts'
import { isDate } from '../../kernel/instant.ts'
import type { Path } from '../../kernel/yaml-source.ts'
import { type Hours, isTimeZone } from '../model/hours.ts'
import { complain, type Reading } from './reading.ts'
import type { RawHours } from './schema.ts'

type Range = readonly [number, number]

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const DAY_MINUTES = 24 * 60

/** Reads and checks one calendar with a valid shape: zones, times and dates. */
export function readHours(reading: Reading, raw: RawHours, path: Path): Hours {
  const { timezone: timeZone, holidays = [] } = raw
  if (!isTimeZone(timeZone)) {
    const guess = didYouMean(timeZone, Intl.supportedValuesOf('timeZone')) || '; write one such as Europe/Tallinn'
    complain(reading, [...path, 'timezone'], `there is no time zone "${timeZone}"${guess}`)
  }
  const weekly = new Map<number, readonly Range[]>()
  for (const [days, text] of Object.entries(raw.weekly)) {
    const at = [...path, 'weekly', days]
    const ranges = readRanges(reading, text, at)
    for (const weekday of weekdaysOf(days)) {
      if (weekly.has(weekday)) complain(reading, at, `${DAYS[weekday - 1]} is named twice; name every day once`)
      weekly.set(weekday, ranges)
    }
  }
  for (const [index, date] of holidays.entries()) {
    if (date !== null && !isDate(date)) complain(reading, [...path, 'holidays', index], `there is no day ${date}`)
  }
  return { timeZone, weekly, holidays: new Set(holidays) }
}

/** `mon-thu` → 1, 2, 3, 4. `sat-mon` wraps around the end of the week. */
function weekdaysOf(days: string): number[] {
  const [from, to] = days.split('-').map((day) => DAYS.indexOf(day)) as [number, number | undefined]
  const count = (((to ?? from) - from + 7) % 7) + 1
  return Array.from({ length: count }, (_, index) => ((from + index) % 7) + 1)
}

function readRanges(reading: Reading, text: string, path: Path): Range[] {
  const ranges = text.split(/, ?/).map((range) => range.split('-').map(minutesOf) as unknown as Range)
  for (const [index, [from, to]] of ranges.entries()) {
    const before = ranges[index - 1]?.[1] ?? 0
    if (to > DAY_MINUTES) complain(reading, path, `"${text}": the day ends at 24:00`)
    else if (from >= to)
      complain(reading, path, `"${text}" ends before it begins; write hours past midnight at the next day`)
    else if (from < before) complain(reading, path, `"${text}": write the ranges in order, without overlap`)
  }
  return ranges
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
