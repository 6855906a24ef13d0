/** Calling hours in the callee's own time, daylight saving included (F-G3, F-G5). */
import { Temporal } from 'temporal-polyfill'
import type { AtMs } from '../kernel/clock.ts'

/** A span on some days of the week, in local wall time. It does not cross midnight; two windows do. */
interface CallWindow {
  /** 1 (Monday) to 7. */
  readonly weekdays: readonly number[]
  /** Minutes after local midnight, 0 to 1440; `toMinute` is exclusive. */
  readonly fromMinute: number
  readonly toMinute: number
}

/** When people may be called; never without windows. */
export interface CallHours {
  readonly windows: readonly CallWindow[]
  /** Local dates without calls, such as `2026-12-25`. */
  readonly holidays: readonly string[]
  /** Where callees may live within their country; absent: holidays of the callee's country do not count. */
  readonly calleeRegions?: readonly string[]
}

/** From an instant to another, which is exclusive. */
export interface OpenSpan {
  readonly fromAtMs: AtMs
  readonly toAtMs: AtMs
}

const MINUTES_OF_DAY = 1440
const MINUTES_OF_WEEK = 7 * MINUTES_OF_DAY
const DAY_MS = 86_400_000
/** Longer than any closed season; hours that stay closed for so long count as closed for ever. */
const SEARCH_DAYS_MAX = 400

/** The span open in *every* zone where the callee may live. Undefined: a zone is closed or unknown, or none given. */
export function openSpanAt(hours: CallHours, zones: readonly string[], atMs: AtMs): OpenSpan | undefined {
  if (zones.length === 0 || !zones.every(isZone) || !Number.isFinite(atMs)) return undefined
  const spans = zones.map((zone) => spanAt(hours, zone, atMs))
  if (!spans.every((span) => span !== undefined)) return undefined
  return {
    fromAtMs: Math.max(...spans.map(({ fromAtMs }) => fromAtMs)),
    toAtMs: Math.min(...spans.map(({ toAtMs }) => toAtMs)),
  }
}

/** The first instant from `atMs` on that is open in every zone; undefined if no such instant follows in 400 days. */
export function nextOpenAtMs(hours: CallHours, zones: readonly string[], atMs: AtMs): AtMs | undefined {
  if (zones.length === 0 || !zones.every(isZone) || !Number.isFinite(atMs)) return undefined
  const known = nextOpens.get(hours) ?? new Map<string, NextOpen>()
  const key = zones.join(' ')
  const last = known.get(key)
  if (last && last.fromAtMs <= atMs && atMs < last.toAtMs) return last.openAtMs
  const openAtMs = hoursMeet(hours, zones, atMs) ? searchOpenAtMs(hours, zones, atMs) : undefined
  nextOpens.set(hours, known.set(key, { fromAtMs: atMs, toAtMs: openAtMs ?? atMs + DAY_MS, openAtMs }))
  return openAtMs
}

interface NextOpen extends OpenSpan {
  readonly openAtMs: AtMs | undefined
}

/** Cache by hours and zones: the gate asks for every task, and a search over a large country takes a second. */
const nextOpens = new WeakMap<CallHours, Map<string, NextOpen>>()

/**
 * Whether the windows of all zones ever have a minute in common, holidays aside: their week as it is now, and in each
 * month of a year, as summer time begins and ends apart.
 */
export function hoursMeet({ windows }: Pick<CallHours, 'windows'>, zones: readonly string[], atMs: AtMs): boolean {
  const open = new Uint8Array(MINUTES_OF_WEEK)
  for (const { weekdays, fromMinute, toMinute } of windows) {
    for (const day of weekdays)
      open.fill(1, (day - 1) * MINUTES_OF_DAY + fromMinute, (day - 1) * MINUTES_OF_DAY + toMinute)
  }
  const months = Array.from({ length: 13 }, (_, month) => atMs + month * 30 * DAY_MS)
  const offsets = months.map((monthAtMs) => [...new Set(zones.map((zone) => offsetAt(monthAtMs, zone)))])
  return offsets.some((ofZones) =>
    open.some((_, minute) =>
      ofZones.every((offset) => open[(minute + offset + MINUTES_OF_WEEK) % MINUTES_OF_WEEK] === 1),
    ),
  )
}

/** Minutes east of Greenwich. */
function offsetAt(atMs: AtMs, zone: string): number {
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs))
  return Math.round(instant.toZonedDateTimeISO(zone).offsetNanoseconds / 60_000_000_000)
}

function searchOpenAtMs(hours: CallHours, zones: readonly string[], atMs: AtMs): AtMs | undefined {
  const untilAtMs = atMs + SEARCH_DAYS_MAX * 86_400_000
  let candidate = atMs
  while (candidate < untilAtMs) {
    const opens = zones.map((zone) => nextOpenIn(hours, zone, candidate))
    if (!opens.every((open) => open !== undefined)) return undefined
    const latest = Math.max(...opens)
    if (latest === candidate) return candidate
    candidate = latest
  }
  return undefined
}

/** When the last window of this instant's local day closes; undefined when none is left today. */
export function closesTodayAtMs(hours: CallHours, zone: string, atMs: AtMs): AtMs | undefined {
  const last = lastCloses.get(hours)
  if (last && last.zone === zone && last.fromAtMs <= atMs && atMs < last.toAtMs) return last.closesAtMs
  if (!isZone(zone) || !Number.isFinite(atMs)) return undefined
  const date = dateAt(atMs, zone)
  const latestAtMs = Math.max(...spansOf(hours, date, zone).map((span) => span.toAtMs))
  const closesAtMs = latestAtMs > atMs ? latestAtMs : undefined
  const toAtMs = closesAtMs ?? instantOf(date.add({ days: 1 }), 0, zone, 'earlier')
  lastCloses.set(hours, { zone, fromAtMs: atMs, toAtMs, closesAtMs })
  return closesAtMs
}

/** The open spans of this instant's local day, the earliest first; those that overlap or touch are one. */
export function openSpansOfDay(hours: CallHours, zone: string, atMs: AtMs): readonly OpenSpan[] {
  if (!isZone(zone) || !Number.isFinite(atMs)) return []
  const spans = spansOf(hours, dateAt(atMs, zone), zone).sort((a, b) => a.fromAtMs - b.fromAtMs)
  const joined: OpenSpan[] = []
  for (const { fromAtMs, toAtMs } of spans) {
    const last = joined.at(-1)
    if (!last || last.toAtMs < fromAtMs) joined.push({ fromAtMs, toAtMs })
    else joined[joined.length - 1] = { ...last, toAtMs: Math.max(last.toAtMs, toAtMs) }
  }
  return joined
}

/** When windows have been open for so long from `atMs` on; undefined: not within 60 days that have some. */
export function openForAtMs(hours: CallHours, zone: string, atMs: AtMs, lengthMs: number): AtMs | undefined {
  let fromAtMs = atMs
  let leftMs = lengthMs
  for (let day = 0; day < DAYS_AHEAD; day++) {
    const openAtMs = nextOpenAtMs(hours, [zone], fromAtMs)
    if (openAtMs === undefined) return undefined
    for (const span of openSpansOfDay(hours, zone, openAtMs)) {
      const beginsAtMs = Math.max(span.fromAtMs, openAtMs)
      const openMs = span.toAtMs - beginsAtMs
      if (openMs >= leftMs) return beginsAtMs + leftMs
      leftMs -= Math.max(0, openMs)
      fromAtMs = Math.max(fromAtMs, span.toAtMs)
    }
  }
  return undefined
}

const DAYS_AHEAD = 60

/** Cache of the last answer and of how long it holds: pacers ask several times a second. */
const lastCloses = new WeakMap<CallHours, OpenSpan & { readonly zone: string; readonly closesAtMs: AtMs | undefined }>()

/** Whether the runtime knows the rules of this IANA time zone. */
export function isZone(name: string): boolean {
  // Offsets such as +02:00 are zones to Temporal, but know no summer time.
  if (!/^[A-Z]/.test(name)) return false
  if (knownZones.has(name)) return true
  try {
    if (Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).epochMilliseconds !== 0) return false
    knownZones.add(name)
    return true
  } catch {
    return false
  }
}

const knownZones = new Set<string>()

/** Cache of the last open span, by hours and zone: the gate asks for every task, and a window lasts for hours. */
const lastSpans = new WeakMap<CallHours, Map<string, OpenSpan>>()

function spanAt(hours: CallHours, zone: string, atMs: AtMs): OpenSpan | undefined {
  const isIn = ({ fromAtMs, toAtMs }: OpenSpan) => fromAtMs <= atMs && atMs < toAtMs
  const spans = lastSpans.get(hours) ?? new Map<string, OpenSpan>()
  const last = spans.get(zone)
  if (last && isIn(last)) return last
  const found = spansOf(hours, dateAt(atMs, zone), zone).find(isIn)
  if (found) lastSpans.set(hours, spans.set(zone, found))
  return found
}

function nextOpenIn(hours: CallHours, zone: string, atMs: AtMs): AtMs | undefined {
  let date = dateAt(atMs, zone)
  for (let day = 0; day <= SEARCH_DAYS_MAX; day++) {
    const ahead = spansOf(hours, date, zone).filter(({ toAtMs }) => toAtMs > atMs)
    if (ahead.length > 0) return Math.max(atMs, Math.min(...ahead.map(({ fromAtMs }) => fromAtMs)))
    date = date.add({ days: 1 })
  }
  return undefined
}

function dateAt(atMs: AtMs, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(zone).toPlainDate()
}

function spansOf(hours: CallHours, date: Temporal.PlainDate, zone: string): OpenSpan[] {
  if (hours.holidays.includes(date.toString())) return []
  return hours.windows
    .filter(({ weekdays, ...window }) => weekdays.includes(date.dayOfWeek) && isRight(window))
    .map((window) => spanOn(window, date, zone))
    .filter(({ fromAtMs, toAtMs }) => fromAtMs < toAtMs)
}

function isRight({ fromMinute, toMinute }: Omit<CallWindow, 'weekdays'>): boolean {
  const isMinute = (minute: number) => Number.isInteger(minute) && minute >= 0 && minute <= MINUTES_OF_DAY
  return isMinute(fromMinute) && isMinute(toMinute)
}

/**
 * One window on one day. The part in a skipped hour has no length. If an hour occurs twice, the window opens once, from
 * the second occurrence of its begin to the first of its end; if that span is empty, both lie in the doubled hour, and
 * its first occurrence counts.
 */
function spanOn({ fromMinute, toMinute }: CallWindow, date: Temporal.PlainDate, zone: string): OpenSpan {
  const toAtMs = instantOf(date, toMinute, zone, 'earlier')
  const fromAtMs = instantOf(date, fromMinute, zone, 'later')
  return { fromAtMs: fromAtMs < toAtMs ? fromAtMs : instantOf(date, fromMinute, zone, 'earlier'), toAtMs }
}

/** When the wall clock shows this minute; the end of the skipped hour if it never does. */
function instantOf(date: Temporal.PlainDate, minute: number, zone: string, which: 'earlier' | 'later'): AtMs {
  const wall = date.toPlainDateTime().add({ minutes: minute })
  const shown = wall.toZonedDateTime(zone, { disambiguation: which })
  if (shown.toPlainDateTime().equals(wall)) return shown.epochMilliseconds
  const before = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  return before.getTimeZoneTransition('next')!.epochMilliseconds
}
