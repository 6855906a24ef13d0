/**
 * The answered calls of one ledger's scope, counted over every window that is asked of it. Exact: calls are kept one by
 * one for a little longer than a day, which the moving window and the change of day need; older ones only as counts.
 * 300 agents make some 135,000 calls in that time, however long the window.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { AttemptId } from '../kernel/ids.ts'
import { type LedgerRule, type LedgerWindow, type Tally, windowBeginAtMs, windowEndAtMs } from './ledger.ts'

/** An answered call while it may still be found to be a machine's, or be abandoned. Pages may share it. */
export interface CountedCall {
  readonly attempt: AttemptId
  readonly answeredAtMs: AtMs
  isMachine: boolean
  isAbandoned: boolean
}

/** Answered calls as sums. */
export interface AnsweredCounts {
  readonly persons: number
  readonly machines: number
  readonly abandoned: number
}

/** What was before this page: calls one by one of the last `KEPT_MS`; of longer windows what was before that. */
export interface PagePast {
  readonly calls: readonly CountedCall[]
  readonly windows: readonly { readonly window: LedgerWindow; readonly earlier: AnsweredCounts }[]
}

/** How long calls are kept one by one: the longest day, with its hour of winter time. */
export const KEPT_MS = 25 * 3_600_000

interface Count {
  readonly window: LedgerWindow
  /** Calls that were answered before it have left the window. */
  fromAtMs: AtMs
  toAtMs: AtMs
  persons: number
  machines: number
  abandoned: number
  /** The first call that is in it, by its place in the list; for windows that move. */
  first: number
}

export class AnswerWindow {
  /** In the order of time. */
  #calls: CountedCall[] = []
  readonly #counts = new Map<string, Count>()

  /** How many calls it keeps one by one. */
  get kept(): number {
    return this.#calls.length
  }

  /** Whether it knows all that lies in this window. */
  knows(window: LedgerWindow): boolean {
    return this.#counts.has(keyOf(window))
  }

  /** Puts what was before into it, for these windows; calls that it knows by themselves are taken from here. */
  fill({ calls, windows }: PagePast, nowAtMs: AtMs): void {
    const own = this.#calls.filter(({ answeredAtMs }) => answeredAtMs >= nowAtMs - KEPT_MS)
    const known = new Set(own.map(({ attempt }) => attempt))
    const all = [...calls.filter(({ attempt }) => !known.has(attempt)), ...own]
    this.#calls = all.sort((one, other) => one.answeredAtMs - other.answeredAtMs)
    this.#counts.clear()
    for (const { window, earlier } of windows) {
      const count = this.#recount(window, nowAtMs)
      count.persons += earlier.persons
      count.machines += earlier.machines
      count.abandoned += earlier.abandoned
      this.#counts.set(keyOf(window), count)
    }
  }

  /** One more was answered. Time never runs backwards here (F-G2). */
  add(call: CountedCall): void {
    this.#trim(call.answeredAtMs)
    for (const count of this.#counts.values()) this.#roll(count, call.answeredAtMs)
    this.#calls.push(call)
    this.#change(call, 1)
  }

  /** Takes a call out of the sums, while something about it changes. */
  without(call: CountedCall): void {
    this.#change(call, -1)
  }

  /** Counts it again. */
  again(call: CountedCall): void {
    this.#change(call, 1)
  }

  /** What the window of the rule holds now; undefined while its past is not known. */
  tally({ window, denominator }: LedgerRule, nowAtMs: AtMs): Tally | undefined {
    const count = this.#counts.get(keyOf(window))
    if (!count) return undefined
    this.#roll(count, nowAtMs)
    const { persons, machines, abandoned } = count
    return { answered: denominator === 'allAnswered' ? persons + machines : persons, abandoned }
  }

  #change(call: CountedCall, by: 1 | -1): void {
    for (const count of this.#counts.values()) if (call.answeredAtMs >= count.fromAtMs) addTo(count, call, by)
  }

  #roll(count: Count, nowAtMs: AtMs): void {
    if (count.window.kind === 'rolling') {
      const fromAtMs = windowBeginAtMs(count.window, nowAtMs)
      let call = this.#calls[count.first]
      while (call && call.answeredAtMs < fromAtMs) {
        addTo(count, call, -1)
        call = this.#calls[++count.first]
      }
      count.fromAtMs = Math.max(count.fromAtMs, fromAtMs)
    } else if (nowAtMs >= count.toAtMs) Object.assign(count, this.#recount(count.window, nowAtMs))
  }

  /** From the calls that are kept one by one. */
  #recount(window: LedgerWindow, nowAtMs: AtMs): Count {
    const fromAtMs = windowBeginAtMs(window, nowAtMs)
    const at = this.#calls.findIndex(({ answeredAtMs }) => answeredAtMs >= fromAtMs)
    const first = at < 0 ? this.#calls.length : at
    const toAtMs = windowEndAtMs(window, nowAtMs)
    const count = { window, fromAtMs, toAtMs, persons: 0, machines: 0, abandoned: 0, first }
    for (const call of this.#calls.slice(first)) addTo(count, call, 1)
    return count
  }

  /** Now and then, so that it costs nothing for each call. */
  #trim(nowAtMs: AtMs): void {
    const oldest = this.#calls[0]
    if (!oldest || oldest.answeredAtMs >= nowAtMs - 1.1 * KEPT_MS) return
    const kept = this.#calls.findIndex(({ answeredAtMs }) => answeredAtMs >= nowAtMs - KEPT_MS)
    const gone = kept < 0 ? this.#calls.length : kept
    for (const count of this.#counts.values()) this.#roll(count, nowAtMs)
    this.#calls = this.#calls.slice(gone)
    for (const count of this.#counts.values()) count.first = Math.max(0, count.first - gone)
  }
}

function addTo(count: Count, { isMachine, isAbandoned }: CountedCall, by: 1 | -1): void {
  if (isMachine) count.machines += by
  else count.persons += by
  if (isAbandoned && !isMachine) count.abandoned += by
}

function keyOf(window: LedgerWindow): string {
  return JSON.stringify(window)
}
