/** Another part of the day for the next call to somebody who was not reached (campaigns-68). */
import type { AtMs } from '../kernel/clock.ts'
import { type CallHours, type OpenSpan, openSpanAt } from './call-window.ts'

/** `next`: the part that follows; `best`: of the two other parts the one in which more people answer. */
export type PartChoice = 'next' | 'best'

/** Lines and answers of a campaign for each hour of the day, UTC. */
export type AnswersByHour = readonly { readonly answers: number; readonly lines: number }[]

/** Our choice: morning, afternoon and evening, by the wall clock where the callee lives. */
const BEGINS = [0, 12 * 60, 16 * 60]
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const PARTS: CallHours = {
  windows: BEGINS.map((fromMinute, at) => ({ weekdays: EVERY_DAY, fromMinute, toMinute: BEGINS[at + 1] ?? 24 * 60 })),
  holidays: [],
}
const HOUR_MS = 3_600_000
/** Our choice: with fewer lines a difference between two parts is chance. */
const LINES_MIN = 50

interface Callee {
  readonly zones: readonly string[]
  /** When the campaign may call here. */
  readonly hours: CallHours
  /** Absent: nothing is known, and `best` is `next`. */
  readonly answers: AnswersByHour | undefined
}

/** When the next call may come after one that ended at `endAtMs`. NaN, which no instant follows, in an unknown zone. */
export function partBeginsAtMs(choice: PartChoice, endAtMs: AtMs, callee: Callee): AtMs {
  const { zones } = callee
  const nextAtMs = partEndsAtMs(zones, endAtMs)
  if (choice === 'next') return nextAtMs
  const afterAtMs = partEndsAtMs(zones, nextAtMs)
  const rate = answerRate({ fromAtMs: nextAtMs, toAtMs: afterAtMs }, callee)
  const laterRate = answerRate({ fromAtMs: afterAtMs, toAtMs: partEndsAtMs(zones, afterAtMs) }, callee)
  return (laterRate ?? 0) > (rate ?? 1) ? afterAtMs : nextAtMs
}

/** The parts of several zones overlap: the latest end is in another part wherever the callee lives. */
function partEndsAtMs(zones: readonly string[], atMs: AtMs): AtMs {
  const ends = zones.map((zone) => openSpanAt(PARTS, [zone], atMs)?.toAtMs ?? Number.NaN)
  return ends.length === 0 ? Number.NaN : Math.max(...ends)
}

/** Answers for each line in the hours of the span in which the campaign may call; undefined: too few lines. */
function answerRate({ fromAtMs, toAtMs }: OpenSpan, { zones, hours, answers }: Callee): number | undefined {
  let sum = { answers: 0, lines: 0 }
  for (let atMs = fromAtMs; atMs < toAtMs; atMs += HOUR_MS) {
    const hour = answers?.[new Date(atMs).getUTCHours()]
    if (!hour || !openSpanAt(hours, zones, atMs)) continue
    sum = { answers: sum.answers + hour.answers, lines: sum.lines + hour.lines }
  }
  return sum.lines < LINES_MIN ? undefined : sum.answers / sum.lines
}
