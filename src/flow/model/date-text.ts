/** Dates as data carries them (ISO 8601, RFC 3339) and as people know them: a day and a time on a wall. */
import { localTime } from './hours.ts'

/** What the wall shows. `utcMs` holds the same figures as if they were UTC, for formatting in time zone UTC. */
interface WallTime {
  readonly utcMs: number
  readonly hasTime: boolean
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Reads `2026-03-02` or `2026-03-02T10:00:00+02:00`, as written or in `timeZone`; undefined for anything else. */
export function readWallTime(value: unknown, timeZone?: string): WallTime | undefined {
  const match = typeof value === 'string' ? ISO.exec(value) : null
  if (!match) return undefined
  const [year, month, day, hour, minute] = match.slice(1, 6).map((text) => Number(text ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const utcMs = Date.UTC(year, month - 1, day, hour, minute)
  // 30 February would become 2 March; 24:00 the next day.
  const isReal = new Date(utcMs).getUTCDate() === day && month >= 1 && month <= 12 && hour < 24 && minute < 60
  if (!isReal || year < 1000) return undefined
  const offset = match[7]
  if (!timeZone || !offset) return { utcMs, hasTime: match[4] !== undefined }
  const local = localTime(utcMs - offsetMs(offset), timeZone)
  return { utcMs: Date.parse(`${local.date}T00:00Z`) + local.minuteOfDay * 60_000, hasTime: true }
}

function offsetMs(offset: string): number {
  if (offset === 'Z') return 0
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  return (offset[0] === '-' ? -minutes : minutes) * 60_000
}
