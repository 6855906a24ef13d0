/** Writes `src/dialer/holidays-data.json` from the library date-holidays. Run once a year; see campaigns-61. */
import { writeFileSync } from 'node:fs'

/** Installed by the npm script alone: 45 MB for a file that changes once a year. */
const LIBRARY: string = 'date-holidays'
/** Of the library's data, which the generated file keeps. */
const SOURCE = {
  source: 'date-holidays 3.37.0',
  license: 'CC BY-SA 3.0, https://creativecommons.org/licenses/by-sa/3.0/',
}
const YEARS = { from: 2026, to: 2033 } as const

interface Calendar {
  getHolidays(
    year: number,
  ): readonly { readonly date: string; readonly start: Date; readonly end: Date; type: string }[]
  getCountries(): Readonly<Record<string, string>>
  getStates(country: string): Readonly<Record<string, string>> | undefined
}
type CalendarOf = new (...place: string[]) => Calendar

const { default: Holidays } = (await import(LIBRARY)) as { default: CalendarOf }
const years = Array.from({ length: YEARS.to - YEARS.from + 1 }, (_, place) => YEARS.from + place)
const DAY_MS = 86_400_000

/** Days without work: public holidays and bank holidays. A holiday that begins at noon counts as a whole day. */
function daysOf(...place: string[]): Set<string> {
  const calendar = new Holidays(...place)
  const dates = years.flatMap((year) =>
    calendar
      .getHolidays(year)
      .filter(({ type }) => type === 'public' || type === 'bank')
      .flatMap(({ date, start, end }) => {
        const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS))
        const firstAtMs = Date.parse(`${date.slice(0, 10)}T00:00Z`)
        return Array.from({ length: days }, (_, day) => isoDate(firstAtMs + day * DAY_MS))
      }),
  )
  return new Set(dates.filter((date) => years.includes(Number(date.slice(0, 4)))))
}

function isoDate(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

/** The days of every year as month and day, then those of each year alone. */
function packed(dates: ReadonlySet<string>): string {
  const yearsOf = Map.groupBy(dates, (date) => date.slice(5).replace('-', ''))
  const isFixed = (day: string) => yearsOf.get(day)?.length === years.length
  const days = [...yearsOf.keys()].sort()
  const alone = years.map((year) =>
    days.filter((day) => !isFixed(day) && yearsOf.get(day)?.some((date) => date.startsWith(String(year)))),
  )
  return [days.filter(isFixed), ...alone].map((list) => list.join(' ')).join(';')
}

const world = new Holidays()
const data: Record<string, string> = {}
for (const country of Object.keys(world.getCountries())) {
  const national = daysOf(country)
  data[country] = packed(national)
  for (const region of Object.keys(world.getStates(country) ?? {})) {
    const own = new Set([...daysOf(country, region)].filter((date) => !national.has(date)))
    if (own.size > 0) data[`${country}-${region}`] = packed(own)
  }
}
const file = new URL('../src/dialer/holidays-data.json', import.meta.url)
writeFileSync(file, `${JSON.stringify({ ...SOURCE, firstYear: YEARS.from, days: data }, null, 2)}\n`)
