import type { AtMs } from '../../kernel/clock.ts'

interface LocalTime {
  /** `2026-03-02` */
  readonly date: string
  /** 1 (Monday) to 7. */
  readonly weekday: number
  readonly minuteOfDay: number
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Making a formatter costs about as much as a thousand uses of it. Zones are few: flow files name them. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Whether the place is open at that instant. A holiday is closed all day. */
export function isOpen(hours: Hours, atMs: AtMs): boolean {
  const { date, weekday, minuteOfDay } = localTime(atMs, hours.timeZone)
  if (hours.holidays.has(date)) return false
  const ranges = hours.weekly.get(weekday) ?? []
  return ranges.some(([from, to]) => minuteOfDay >= from && minuteOfDay < to)
}

/** Local time of an instant. `timeZone` must be one that `isTimeZone` accepts. */
export function localTime(atMs: AtMs, timeZone: string): LocalTime {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of formatterOf(timeZone).formatToParts(atMs)) parts[type] = value
  return {
    date: `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`,
    weekday: WEEKDAYS.indexOf(parts.weekday ?? '') + 1,
    minuteOfDay: Number(parts.hour) * 60 + Number(parts.minute),
  }
}

/** Whether this is a name of the IANA time zone database, such as `Europe/Tallinn`. */
export function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 are accepted by Intl, but know no summer time.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatterOf(name)
    return true
  } catch {
    return false
  }
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formatters.set(timeZone, formatter)
  }
  return formatter
}

/** Opening hours in a place's own time. Weekdays 1 (Monday) to 7; minutes since midnight, `[from, to)`. */
export interface Hours {
  readonly timeZone: string
  readonly weekly: ReadonlyMap<number, readonly (readonly [number, number])[]>
  /** Closed dates, `2026-12-25`. */
  readonly holidays: ReadonlySet<string>
}
