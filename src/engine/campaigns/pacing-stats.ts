/** A campaign's pacing by hours: what was placed and why, what was held back, what a shadow pacer would have done. */
import type { Reason } from '../../dialer/may-dial-now.ts'
import type { PacingReason, Placing } from '../../dialer/placing.ts'
import type { AtMs } from '../../kernel/clock.ts'

export interface PaceHour {
  readonly fromAtMs: AtMs
  readonly placed: Partial<Record<PacingReason, number>>
  /** How often the pacer began to place nothing, by its reason. */
  readonly held: Partial<Record<PacingReason, number>>
  /** Call tasks that the rules refused, each time they were checked. */
  readonly refused: Partial<Record<Reason, number>>
  /** Lines that only the shadow would have placed, and lines that it would not have placed. */
  shadowMore: number
  shadowLess: number
}

const HOUR_MS = 3_600_000
/** Two days: today and yesterday. */
const HOURS_MAX = 48

/** Counts decisions by hours. */
export class PacingStats {
  /** The oldest first. */
  hours: PaceHour[]
  #last: Placing | undefined
  #gap = 0

  /** `kept`: stored hours; anything else is left out. */
  constructor(kept: unknown = []) {
    this.hours = (Array.isArray(kept) ? kept : []).filter(isHour)
  }

  decided(placing: Placing, shadow: Placing | undefined, nowMs: AtMs): void {
    const hour = this.#hourAt(nowMs)
    const isNew = this.#last?.lines !== 0 || this.#last.why !== placing.why
    if (placing.lines === 0 && isNew) count(hour.held, placing.why)
    this.#last = placing
    if (!shadow) return
    // An unmet request repeats at every decision; only its increase counts.
    const gap = shadow.lines - placing.lines
    hour.shadowMore += Math.max(0, gap - Math.max(0, this.#gap))
    hour.shadowLess += Math.max(0, -gap)
    this.#gap = gap
  }

  placed(lines: number, why: PacingReason, nowMs: AtMs): void {
    if (lines > 0) count(this.#hourAt(nowMs).placed, why, lines)
  }

  refused(why: Reason, nowMs: AtMs): void {
    count(this.#hourAt(nowMs).refused, why)
  }

  #hourAt(nowMs: AtMs): PaceHour {
    const fromAtMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
    const last = this.hours.at(-1)
    if (last && last.fromAtMs >= fromAtMs) return last
    const next = { fromAtMs, placed: {}, held: {}, refused: {}, shadowMore: 0, shadowLess: 0 }
    this.hours = [...this.hours, next].slice(-HOURS_MAX)
    return next
  }
}

function count<Key extends string>(counts: Partial<Record<Key, number>>, key: Key, more = 1): void {
  counts[key] = (counts[key] ?? 0) + more
}

function isHour(value: unknown): value is PaceHour {
  const hour = value as Partial<PaceHour> | null
  const figures = [hour?.fromAtMs, hour?.shadowMore, hour?.shadowLess]
  return figures.every(Number.isFinite) && [hour?.placed, hour?.held, hour?.refused].every((map) => isMap(map))
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
