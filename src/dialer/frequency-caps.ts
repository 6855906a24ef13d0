/** How often a person may be called: every cap names the instant at which it lets the next call pass. */
import { Temporal } from 'temporal-polyfill'
import type { AtMs } from '../kernel/clock.ts'
import { TOUCHES_MAX, type Touch } from '../ports/attempt.ts'
import type { CallTask } from './call-task.ts'
import type { Campaign, FrequencyCap } from './campaign.ts'
import { DROPPED_QUIET_MS } from './next-attempt.ts'

/** The calls that a cap counts, and the call that is to be placed. */
export interface CapQuestion {
  readonly touches: readonly Touch[]
  /** Other numbers of the task that ring together with this one. */
  readonly beside: number
  readonly task: Pick<CallTask, 'id' | 'externalCaseNumber'>
  /** Where the callee may live; calendar days begin there. */
  readonly zones: readonly string[]
}

const DAY_MS = 24 * 3_600_000
/** From a claim to the INVITE at most: the life of a permit and the way to the switch (campaigns-95). */
const PLACED_WITHIN_MS = 5_000
const EVER: AtMs = 0

/** Since when a claim must know the calls to a person. */
export function touchesSinceAtMs(
  { frequencyCaps, retryAfterMs }: Pick<Campaign, 'frequencyCaps' | 'retryAfterMs'>,
  nowAtMs: AtMs,
): AtMs {
  // A calendar day has at most 25 hours.
  const windows = frequencyCaps.map(({ windowMs, window }) => windowMs + (window === 'rolling' ? 0 : DAY_MS))
  // The times by result count from the end of a call: longer than any call.
  const retries = Object.values(retryAfterMs).map((ms) => DROPPED_QUIET_MS + ms)
  return nowAtMs - PLACED_WITHIN_MS - Math.max(DROPPED_QUIET_MS, ...windows, ...retries)
}

/** When all caps together let one more call pass. NaN: one of them never does. */
export function capsFreeAtMs(caps: readonly FrequencyCap[], question: CapQuestion): AtMs {
  return Math.max(EVER, ...caps.map((cap) => freeAtMs(cap, question)))
}

/** How many calls count in the cap's window at an instant. */
export function callsWithin(cap: FrequencyCap, question: CapQuestion, nowAtMs: AtMs): number {
  return counted(cap, question).filter((atMs) => leavesAtMs(cap, atMs, question.zones) > nowAtMs).length
}

/** A cap of `n` calls lets the next call pass when the `n`th newest call leaves the window. */
function freeAtMs(cap: FrequencyCap, question: CapQuestion): AtMs {
  const callsMax = cap.callsMax - question.beside
  if (!(callsMax >= 1)) return Number.NaN
  const { touches } = question
  // Older calls about the case may be among those that the list has no room for.
  const isCut = touches.length >= TOUCHES_MAX
  const nth = counted(cap, question)[callsMax - 1] ?? (isCut ? latestInviteAtMs(touches.at(-1)!) : undefined)
  return nth === undefined ? EVER : leavesAtMs(cap, nth, question.zones)
}

function latestInviteAtMs({ claimedAtMs }: Touch): AtMs {
  return claimedAtMs + PLACED_WITHIN_MS
}

/** The instants of the calls that the cap counts, newest first. */
function counted({ per }: FrequencyCap, { touches, task }: CapQuestion): AtMs[] {
  const { externalCaseNumber: ofCase } = task
  const isMeant = ({ task: of, externalCaseNumber }: Touch) =>
    per === 'person' || of === task.id || (per === 'case' && ofCase !== undefined && externalCaseNumber === ofCase)
  return touches
    .filter(isMeant)
    .map(latestInviteAtMs)
    .sort((a, b) => b - a)
}

function leavesAtMs({ windowMs, window }: FrequencyCap, atMs: AtMs, zones: readonly string[]): AtMs {
  if (window === 'rolling') return atMs + windowMs
  const days = windowMs / DAY_MS
  return Math.max(...zones.map((zone) => startOfDay(atMs, zone, days, window === 'calendarWeek')))
}

/** The midnight at which the day `daysLater` days after the instant's own day, or after its Monday, begins. */
function startOfDay(atMs: AtMs, zone: string, daysLater: number, isFromMonday: boolean): AtMs {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(zone)
  const days = daysLater - (isFromMonday ? local.dayOfWeek - 1 : 0)
  return local.toPlainDate().add({ days }).toZonedDateTime(zone).epochMilliseconds
}
