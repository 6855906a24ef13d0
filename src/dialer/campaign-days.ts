import { Temporal } from 'temporal-polyfill'
import type { AtMs } from '../kernel/clock.ts'

interface CampaignDay {
  /** Such as 2026-12-24. */
  readonly date: string
  readonly fromAtMs: AtMs
}

/** The last days up to this instant's day, oldest first. A day may have 23 or 25 hours. */
export function lastDays(count: number, timeZone: string, nowAtMs: AtMs): CampaignDay[] {
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowAtMs)).toZonedDateTimeISO(timeZone).toPlainDate()
  return Array.from({ length: count }, (_, place) => {
    const date = today.subtract({ days: count - 1 - place })
    return { date: date.toString(), fromAtMs: date.toZonedDateTime(timeZone).epochMilliseconds }
  })
}
