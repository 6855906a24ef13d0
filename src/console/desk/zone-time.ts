/** Wall time in a zone, by the rules that the browser knows. Pure. */

/** What a clock and a calendar on the wall show. `month` from 1; `weekday` from 0, Sunday. */
export interface Wall {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const DAY_MS = 86_400_000

/** Whether the browser knows this IANA zone. */
export function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

/** What the wall shows at an instant. */
export function wallAt(atMs: number, timeZone: string): Wall {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return { year: of('year'), month: of('month'), day: of('day'), hour: of('hour'), minute: of('minute') }
}

/**
 * The instant at which the wall shows this: the first one where the hour comes twice, an hour later where it is left
 * out.
 */
export function instantOf(wall: Wall, timeZone: string): number {
  const asUtcMs = utcOf(wall)
  const shiftAt = (atMs: number) => utcOf(wallAt(atMs, timeZone)) - Math.floor(atMs / 60_000) * 60_000
  const candidates = [shiftAt(asUtcMs - DAY_MS), shiftAt(asUtcMs + DAY_MS)].map((shiftMs) => asUtcMs - shiftMs)
  const fitting = candidates.filter((atMs) => utcOf(wallAt(atMs, timeZone)) === asUtcMs)
  return fitting.length > 0 ? Math.min(...fitting) : Math.max(...candidates)
}

/** The same time of day so many days later. */
export function daysLater({ year, month, day, hour, minute }: Wall, days: number): Wall {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), hour, minute }
}

/** From 0, Sunday. */
export function weekdayOf(wall: Wall): number {
  return new Date(utcOf(wall)).getUTCDay()
}

/** Whether the calendar has this day. */
export function isDay({ year, month, day }: Pick<Wall, 'year' | 'month' | 'day'>): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function utcOf({ year, month, day, hour, minute }: Wall): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}
