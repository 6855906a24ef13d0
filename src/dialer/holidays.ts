/** Days without calls: our own calendars, and the public holidays of countries and their regions (campaigns-61). */
import { Temporal } from 'temporal-polyfill'
import type { CallHours } from './call-window.ts'
import DATA from './holidays-data.json' with { type: 'json' }

/** Longer than any campaign; each day costs the gate one text comparison. */
const YEARS = { from: 2024, to: 2079 } as const

/** A fixed date, or a number of days after Easter Sunday. */
type Holiday = { readonly date: string } | { readonly daysAfterEaster: number }

/**
 * Country → its holidays. DK: the days on which shops must be closed (Lukkeloven; without Great Prayer Day since 2024),
 * and New Year's Eve (our choice, campaigns-31).
 */
const CALENDARS: Readonly<Record<string, readonly Holiday[]>> = {
  DK: [
    { date: '01-01' },
    { daysAfterEaster: -3 },
    { daysAfterEaster: -2 },
    { daysAfterEaster: 0 },
    { daysAfterEaster: 1 },
    { daysAfterEaster: 39 },
    { daysAfterEaster: 49 },
    { daysAfterEaster: 50 },
    { date: '06-05' },
    { date: '12-24' },
    { date: '12-25' },
    { date: '12-26' },
    { date: '12-31' },
  ],
}

/** Names of all calendars. */
export const HOLIDAY_CALENDARS: readonly string[] = Object.keys(CALENDARS)

/** Campaigns share a calendar, so each is computed once. */
const known = new Map<string, readonly string[]>()

/** Local dates such as `2026-12-25`, in order; undefined for an unknown calendar. */
export function holidaysOf(calendar: string): readonly string[] | undefined {
  const holidays = Object.hasOwn(CALENDARS, calendar) ? CALENDARS[calendar] : undefined
  if (holidays === undefined) return undefined
  let dates = known.get(calendar)
  if (!dates) {
    const years = Array.from({ length: YEARS.to - YEARS.from + 1 }, (_, place) => YEARS.from + place)
    dates = years.flatMap((year) => holidays.map((holiday) => dateOf(holiday, year)).sort())
    known.set(calendar, dates)
  }
  return dates
}

function dateOf(holiday: Holiday, year: number): string {
  if ('date' in holiday) return `${year}-${holiday.date}`
  return easterSunday(year).add({ days: holiday.daysAfterEaster }).toString()
}

/** The anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
function easterSunday(year: number): Temporal.PlainDate {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const correction = Math.floor((8 * century + 13) / 25)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return Temporal.PlainDate.from({ year, month: Math.floor(days / 31), day: (days % 31) + 1 })
}

const PLACES: Readonly<Record<string, string>> = DATA.days

/** Whether it is a region such as `DE-BY` with holidays of its own. */
export function isRegion(code: string): boolean {
  return code.includes('-') && Object.hasOwn(PLACES, code)
}

/** Each place is unpacked once. */
const unpacked = new Map<string, readonly string[]>()

/** Public holidays of a country, or those that only a region has; empty for an unknown place. */
export function publicHolidaysOf(place: string): readonly string[] {
  let dates = unpacked.get(place)
  if (!dates) {
    const [everyYear = [], ...alone] = (Object.hasOwn(PLACES, place) ? PLACES[place]! : '').split(';').map(daysIn)
    dates = alone.flatMap((days, after) => {
      return [...everyYear, ...days].map((day) => `${DATA.firstYear + after}-${day.slice(0, 2)}-${day.slice(2)}`).sort()
    })
    unpacked.set(place, dates)
  }
  return dates
}

function daysIn(list: string): readonly string[] {
  return list === '' ? [] : list.split(' ')
}

/** The gate asks for every task; campaigns have few hours and few countries. */
const hoursOfCountries = new WeakMap<CallHours, Map<string, CallHours>>()

/** The hours of a callee in a country: closed also on its public holidays, and on those of the campaign's regions. */
export function hoursIn(hours: CallHours, country: string): CallHours {
  const { calleeRegions } = hours
  if (calleeRegions === undefined) return hours
  const known = hoursOfCountries.get(hours) ?? new Map<string, CallHours>()
  let found = known.get(country)
  if (!found) {
    const places = [country, ...calleeRegions.filter((region) => region.startsWith(`${country}-`))]
    const holidays = [...hours.holidays, ...places.flatMap((place) => publicHolidaysOf(place))]
    found = { ...hours, holidays }
    hoursOfCountries.set(hours, known.set(country, found))
  }
  return found
}
