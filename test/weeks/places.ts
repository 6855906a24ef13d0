/** Where callees live, by their numbers, and what their clocks and calendars show: a table of our own, for checkers. */

interface Place {
  readonly prefix: string
  readonly country: string
  /** Before summer time begins. */
  readonly offsetMinutes: number
}

/** Europe's summer time of 2026. */
const SUMMER_FROM_MS = Date.UTC(2026, 2, 29, 1)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const PLACES: readonly Place[] = [
  { prefix: '+45', country: 'DK', offsetMinutes: 60 },
  { prefix: '+358', country: 'FI', offsetMinutes: 120 },
]

/** The Danish holidays of the weeks that are lived. */
export const HOLIDAYS: readonly string[] = ['2026-04-02', '2026-04-03', '2026-04-05', '2026-04-06']

/** What a clock on the wall shows. */
export interface LocalTime {
  readonly date: string
  /** 1 is Monday. */
  readonly weekday: number
  readonly minute: number
}

/** The wall clock of the owner of a number. */
export function localTime(number: string, atMs: number): LocalTime {
  const summerMinutes = atMs >= SUMMER_FROM_MS ? 60 : 0
  const wallMs = atMs + (placeOf(number).offsetMinutes + summerMinutes) * MINUTE_MS
  const date = new Date(wallMs)
  return {
    date: date.toISOString().slice(0, 10),
    weekday: date.getUTCDay() === 0 ? 7 : date.getUTCDay(),
    minute: (wallMs % DAY_MS) / MINUTE_MS,
  }
}

/** ISO 3166-1. */
export function countryOf(number: string): string {
  return placeOf(number).country
}

function placeOf(number: string): Place {
  const place = PLACES.find(({ prefix }) => number.startsWith(prefix))
  if (!place) throw new Error(`${number} is in no country of these weeks`)
  return place
}

/** The instant at which a clock in Copenhagen shows this minute, so many days after a Monday. */
export function copenhagen(mondayMs: number, day: number, minute: number): number {
  const winterMs = mondayMs + day * DAY_MS + (minute - 60) * MINUTE_MS
  return winterMs >= SUMMER_FROM_MS ? winterMs - 60 * MINUTE_MS : winterMs
}

/** `10:05` → 605. */
export function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** 605 → `10:05`. */
export function timeOf(minute: number): string {
  const two = (figure: number) => String(figure).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
