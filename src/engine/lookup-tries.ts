/** How many cases a caller may ask about: nobody finds other people's debts by typing (F-J25, calls-and-flows-73). */
import type { AtMs } from '../kernel/clock.ts'

const HOUR_MS = 3_600_000
/** Different addresses that one caller may have asked within an hour, over all calls of the node. */
const TRIES_MAX = 10
/** Lookups of one case within an hour by callers whose number is none of it: nobody guesses what proves them. */
const OF_CASE_MAX = 10
/** After so many unknown cases at a number of ours within an hour, each of its callers has one try. */
const MISSES_MAX = 100
/** Callers, cases, and misses of a number, that are remembered: the oldest go first. */
const REMEMBERED_MAX = 50_000

interface Asking {
  /** The number of the caller; of a withheld one the call, as callers without a number are not one person. */
  readonly who: string
  readonly called: string
  readonly url: string
  /** The case that is asked about, where the caller's number is none of it. */
  readonly strangersCase: string | undefined
}

/** Kept in memory: an engine that starts anew begins with zero. */
export class LookupTries {
  readonly #tries = new Map<string, Map<string, AtMs>>()
  readonly #misses = new Map<string, AtMs[]>()
  readonly #ofCase = new Map<string, readonly AtMs[]>()

  /** Counts the address, unless it is asked again. Otherwise why the caller gets no further answer. */
  whyNot({ who, called, url, strangersCase }: Asking, atMs: AtMs): string | undefined {
    const ofCase = strangersCase === undefined ? [] : within(this.#ofCase.get(strangersCase), atMs)
    if (ofCase.length >= OF_CASE_MAX) return `this case was asked about ${ofCase.length} times within an hour`
    const tried = this.#tries.get(who) ?? new Map<string, AtMs>()
    for (const [one, triedAtMs] of tried) if (triedAtMs <= atMs - HOUR_MS) tried.delete(one)
    const max = this.#missesOf(called, atMs).length < MISSES_MAX ? TRIES_MAX : 1
    if (!tried.has(url) && tried.size >= max) return `this caller has asked about ${tried.size} cases within an hour`
    tried.set(url, tried.get(url) ?? atMs)
    if (strangersCase !== undefined) remember(this.#ofCase, strangersCase, [...ofCase, atMs])
    remember(this.#tries, who, tried)
    return undefined
  }

  /** The system knows no such case. */
  missed(called: string, atMs: AtMs): void {
    const misses = this.#missesOf(called, atMs)
    this.#misses.set(called, [...misses, atMs].slice(-MISSES_MAX))
  }

  #missesOf(called: string, atMs: AtMs): readonly AtMs[] {
    return within(this.#misses.get(called), atMs)
  }
}

function within(instants: readonly AtMs[] = [], atMs: AtMs): readonly AtMs[] {
  return instants.filter((oneAtMs) => oneAtMs > atMs - HOUR_MS)
}

/** As the newest; the oldest is forgotten. */
function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key)
  kept.set(key, value)
  if (kept.size > REMEMBERED_MAX) kept.delete(kept.keys().next().value!)
}
