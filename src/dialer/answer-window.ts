/**
 * The answered calls of one ledger's scope, counted over each window that a rule uses. The counts are exact: single
 * calls are kept a little longer than a day, as the moving window and the change of day need; older ones are kept as
 * sums. 300 agents make some 135,000 calls in that time.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { AttemptId } from '../kernel/ids.ts'
import { type LedgerRule, type LedgerWindow, type Tally, windowBeginAtMs, windowEndAtMs } from './ledger.ts'

export interface AnsweredCall {
  readonly attempt: AttemptId
  readonly answeredAtMs: AtMs
}

/** An answered call that may still turn out to be a machine or be abandoned. Windows may share it. */
export interface CountedCall extends AnsweredCall {
  isMachine: boolean
  isAbandoned: boolean
}

export interface AnsweredCounts {
  readonly persons: number
  readonly machines: number
  readonly abandoned: number
}

/** The past of a window: single calls of the last `KEPT_MS`, and sums of the calls before that. */
export interface PagePast {
  readonly calls: readonly CountedCall[]
  readonly windows: readonly { readonly window: LedgerWindow; readonly earlier: AnsweredCounts }[]
}

/** How long single calls are kept: the longest day, with the additional hour when summer time ends. */
export const KEPT_MS = 25 * 3_600_000

interface Count {
  readonly window: LedgerWindow
  fromAtMs: AtMs
  toAtMs: AtMs
  persons: number
  machines: number
  abandoned: number
  /** Index of the first call inside; for windows that move. */
  first: number
}

/** Answered calls of one scope. Mutable; the counts move with the clock. */
export class AnswerWindow {
  #calls: CountedCall[] = []
  readonly #counts = new Map<string, Count>()

  get kept(): number {
    return this.#calls.length
  }

  knows(window: LedgerWindow): boolean {
    return this.#counts.has(keyOf(window))
  }

  /** Nothing is known of any window until its past is filled in again. */
  forget(): void {
    this.#counts.clear()
  }

  /**
   * Fills in the past of these windows. Of a call that is already here both are believed: what was known here may not
   * be stored yet, and another engine may know more.
   */
  fill({ calls, windows }: PagePast, nowAtMs: AtMs): void {
    const own = this.#calls.filter(({ answeredAtMs }) => answeredAtMs >= nowAtMs - KEPT_MS)
    const given = new Map(calls.map((call) => [call.attempt, call]))
    const believed = own.map((call) => {
      const also = given.get(call.attempt)
      given.delete(call.attempt)
      return also ? bothOf(call, also) : call
    })
    const all = [...given.values(), ...believed]
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

  /** Another engine has ended these calls. Of a call that is already here both are believed. */
  learn(calls: readonly CountedCall[]): void {
    for (const given of calls) {
      const known = this.find(given)
      const believed = known ? bothOf(known, given) : { ...given }
      if (!known) this.add(believed)
      else if (known !== believed) {
        this.without(known)
        // Other windows count the one that they share.
        this.#calls[this.#calls.lastIndexOf(known)] = believed
        this.again(believed)
      }
    }
  }

  /** Adds an answered call. The engine may learn of an answer later than of the next one. */
  add(call: CountedCall): void {
    this.#trim(call.answeredAtMs)
    for (const count of this.#counts.values()) this.#roll(count, call.answeredAtMs)
    let place = this.#calls.length
    while (place > 0 && this.#calls[place - 1]!.answeredAtMs > call.answeredAtMs) place--
    this.#calls.splice(place, 0, call)
    for (const count of this.#counts.values()) if (call.answeredAtMs < count.fromAtMs) count.first++
    this.#change(call, 1)
  }

  /** A call that is counted singly, also one that the database told. */
  find({ attempt, answeredAtMs }: AnsweredCall): CountedCall | undefined {
    for (let place = this.#calls.length - 1; place >= 0; place--) {
      const call = this.#calls[place]!
      if (call.attempt === attempt) return call
      if (call.answeredAtMs < answeredAtMs) return undefined
    }
    return undefined
  }

  without(call: CountedCall): void {
    this.#change(call, -1)
  }

  again(call: CountedCall): void {
    this.#change(call, 1)
  }

  /** The counts of the rule's window now; undefined until its past is filled in. */
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

  #recount(window: LedgerWindow, nowAtMs: AtMs): Count {
    const fromAtMs = windowBeginAtMs(window, nowAtMs)
    const at = this.#calls.findIndex(({ answeredAtMs }) => answeredAtMs >= fromAtMs)
    const first = at < 0 ? this.#calls.length : at
    const toAtMs = windowEndAtMs(window, nowAtMs)
    const count = { window, fromAtMs, toAtMs, persons: 0, machines: 0, abandoned: 0, first }
    for (const call of this.#calls.slice(first)) addTo(count, call, 1)
    return count
  }

  /** Runs rarely, because it copies the list. */
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

/** The first one itself, where the other knows no more. */
function bothOf(one: CountedCall, other: CountedCall): CountedCall {
  const isMachine = one.isMachine || other.isMachine
  const isAbandoned = one.isAbandoned || other.isAbandoned
  return isMachine === one.isMachine && isAbandoned === one.isAbandoned ? one : { ...one, isMachine, isAbandoned }
}

function addTo(count: Count, { isMachine, isAbandoned }: CountedCall, by: 1 | -1): void {
  if (isMachine) count.machines += by
  else count.persons += by
  if (isAbandoned && !isMachine) count.abandoned += by
}

function keyOf(window: LedgerWindow): string {
  return JSON.stringify(window)
}
