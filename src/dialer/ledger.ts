/**
 * The strict ledger of abandoned calls, form L1. A: abandoned, M: answered, D: in flight, Q: waiting, I: idle agents.
 *
 * It holds when, for every number j of lines in flight that may be answered: `A + max(0, Q + j − I) ≤ cap × (M + j)`.
 * The left side less the right side is convex in j, therefore only j = 0 and j = D must be checked. Every event leaves
 * it true:
 * - a line fails: D falls, there are fewer cases;
 * - a line is answered: M + 1, D − 1, and I − 1 or Q + 1: case j becomes case j − 1;
 * - a waiting callee is lost: Q − 1, A + 1: unchanged; a waiting callee hangs up: easier;
 * - an agent is freed: I + 1 or Q − 1: easier;
 * - lines are placed: j = 0 is the case before, `linesAllowed` checks j = D; lines that agents cover (D + Q ≤ I) add
 *   only cases without risk.
 * B lines ring beside another number of the same person. Whoever answers one second finds no agent, however many are
 * idle. Each counts as abandoned while it is out, and not in D (campaigns-85): answered it becomes what it counts as.
 * `test/dialer/ledger-watch.ts` names what can break it. Form L1 does not reserve a whole call for each line: a line
 * that may be answered also adds the cap's share of an answer.
 */
import { Temporal } from 'temporal-polyfill'
import type { AtMs } from '../kernel/clock.ts'

export type LedgerWindow =
  | { readonly kind: 'day' | 'calendarMonth'; readonly timeZone: string }
  | { readonly kind: 'rolling'; readonly lengthMs: number }
  /** Successive spans of `days` from `since` on: 16 CFR 310.4(b)(4)(i), "each successive 30-day period". */
  | { readonly kind: 'successive'; readonly days: number; readonly since: string; readonly timeZone: string }

/** One limit on abandoned calls, as data (dialing-rules.md 5.2). */
export interface LedgerRule {
  readonly name: string
  /** Abandoned calls per 10,000 answered: 300 is 3 %. An integer, so no rounding can add a call. */
  readonly capBasisPoints: number
  readonly window: LedgerWindow
  /** Whose calls count together; `client` is the corporation. */
  readonly scope: 'campaign' | 'client' | 'callerId'
  /** Whether answers of machines count. US law counts persons only. */
  readonly denominator: 'answeredByPerson' | 'allAnswered'
}

export interface Tally {
  readonly answered: number
  readonly abandoned: number
}

export interface LiveLines {
  /** Dialing, ringing, or answered and not yet detected as a person. */
  readonly inFlight: number
  readonly waiting: number
  readonly idleAgents: number
  /** Out beside another number of the same person, or after its answer: no agent is for them. Absent: none. */
  readonly beside?: number
}

export interface LedgerState {
  readonly rule: LedgerRule
  readonly tally: Tally
  readonly live: LiveLines
}

const BASIS = 10_000

/** Calls lost if every line were answered now. */
export function linesAtRisk({ inFlight, waiting, idleAgents }: LiveLines): number {
  return Math.max(0, inFlight + waiting - idleAgents)
}

/** Whether the rule holds now and for every outcome of the live lines. */
export function isWithin({ rule, tally, live }: LedgerState): boolean {
  const { answered } = tally
  const abandoned = tally.abandoned + (live.beside ?? 0)
  const cap = capOf(rule)
  const isNow = (abandoned + linesAtRisk({ ...live, inFlight: 0 })) * BASIS <= cap * answered
  return isNow && (abandoned + linesAtRisk(live)) * BASIS <= cap * (answered + live.inFlight)
}

/** Lines that cannot be lost: one for each idle agent whom no other line may need. 0 if a figure is invalid. */
export function linesCovered({ inFlight, waiting, idleAgents }: LiveLines): number {
  return areCounts([inFlight, waiting, idleAgents]) ? Math.max(0, idleAgents - inFlight - waiting) : 0
}

/** How many more lines the rule allows: covered ones always, more with credit. 0 if a figure is invalid. */
export function linesAllowed({ rule, tally, live }: LedgerState): number {
  const { answered } = tally
  const { inFlight, waiting, idleAgents, beside = 0 } = live
  const abandoned = tally.abandoned + beside
  const covered = linesCovered(live)
  if (!areCounts([answered, tally.abandoned, beside, rule.capBasisPoints, inFlight, waiting, idleAgents])) return 0
  const cap = capOf(rule)
  if ((abandoned + Math.max(0, waiting - idleAgents)) * BASIS > cap * answered) return covered
  const credit = cap * (answered + inFlight) - BASIS * (abandoned + inFlight + waiting - idleAgents)
  return Math.max(covered, Math.floor(credit / (BASIS - cap)))
}

/** The effective cap in basis points; below 100 %, which would be no limit. */
export function capOf({ capBasisPoints }: LedgerRule): number {
  return Math.min(capBasisPoints, BASIS - 1)
}

/** The lines that all rules allow. Without rules only covered lines. */
export function linesAllowedByAll(ledgers: readonly LedgerState[], live: LiveLines): number {
  return ledgers.length === 0 ? linesCovered(live) : Math.min(...ledgers.map(linesAllowed))
}

/** Whether an idle agent may take a break now; otherwise the break waits until the dependent lines are resolved. */
export function mayAgentLeave(ledger: LedgerState): boolean {
  const live = { ...ledger.live, idleAgents: ledger.live.idleAgents - 1 }
  return linesAtRisk(live) === 0 || isWithin({ ...ledger, live })
}

/** The begin of the window that ends now. The zone must be known. */
export function windowBeginAtMs(window: LedgerWindow, nowAtMs: AtMs): AtMs {
  return window.kind === 'rolling' ? nowAtMs - window.lengthMs : calendarSpanAt(window, nowAtMs).fromAtMs
}

/** The end of the window around now; Infinity for rolling windows. */
export function windowEndAtMs(window: LedgerWindow, nowAtMs: AtMs): AtMs {
  return window.kind === 'rolling' ? Number.POSITIVE_INFINITY : calendarSpanAt(window, nowAtMs).toAtMs
}

type CalendarWindow = Exclude<LedgerWindow, { kind: 'rolling' }>

/** Cache of the last span of each window: pacers ask many times a second. */
const lastSpans = new Map<string, { readonly fromAtMs: AtMs; readonly toAtMs: AtMs }>()

function calendarSpanAt(window: CalendarWindow, nowAtMs: AtMs): { fromAtMs: AtMs; toAtMs: AtMs } {
  const { kind, timeZone } = window
  const key = kind === 'successive' ? `${window.days} since ${window.since} ${timeZone}` : `${kind} ${timeZone}`
  const known = lastSpans.get(key)
  if (known && known.fromAtMs <= nowAtMs && nowAtMs < known.toAtMs) return known
  const today = Temporal.Instant.fromEpochMilliseconds(nowAtMs).toZonedDateTimeISO(timeZone)
  const [first, next] = spanAround(window, today.toPlainDate())
  const atMsOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds
  const span = { fromAtMs: atMsOf(first), toAtMs: atMsOf(next) }
  lastSpans.set(key, span)
  return span
}

/** The first day of the window around that day, and of the one after it. */
function spanAround(window: CalendarWindow, today: Temporal.PlainDate): [Temporal.PlainDate, Temporal.PlainDate] {
  switch (window.kind) {
    case 'day':
      return [today, today.add({ days: 1 })]
    case 'calendarMonth': {
      const first = today.with({ day: 1 })
      return [first, first.add({ months: 1 })]
    }
    case 'successive': {
      const begin = Temporal.PlainDate.from(window.since)
      const spans = Math.floor(begin.until(today, { largestUnit: 'day' }).days / window.days)
      const first = begin.add({ days: spans * window.days })
      return [first, first.add({ days: window.days })]
    }
  }
}

function areCounts(figures: readonly number[]): boolean {
  return figures.every((figure) => Number.isSafeInteger(figure) && figure >= 0)
}
