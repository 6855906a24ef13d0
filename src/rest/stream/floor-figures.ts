/** Figures of the floor for the board: conversations and losses by minute, idle times, occupancy. Pure. */
import type { AtMs } from '../../kernel/clock.ts'
import type { Fields, Key } from './stream-topic.ts'

interface Minute {
  answered: number
  lost: number
  /** Seconds of agents in talk or wrap-up, and of those who waited. */
  busyS: number
  freeS: number
  readonly idleMs: number[]
}

const MINUTE_MS = 60_000
/** Our choice: a figure of the last half hour follows the day and does not jump with each call. */
const MINUTES = 30
const LIFE_MS = MINUTES * MINUTE_MS
/** A bound of our memory: 500 agents take fewer calls in a minute. */
const IDLES_MAX = 2_000
const BUSY = new Set(['talking', 'wrapUp'])
const FREE = new Set(['ready', 'reserved'])

/** Of all nodes, since this one was started, at most of the last 30 minutes. */
export class FloorFigures {
  readonly #minutes = new Map<number, Minute>()
  /** Conversations with an agent, and when each was seen last. */
  readonly #seenAtMs = new Map<Key, AtMs>()
  readonly #lostBefore = new Map<string, number>()

  /** The row of an agent gave way to another one. */
  agentChanged(before: Fields, now: Fields, nowMs: AtMs): void {
    const [from, to] = [before, now].map(({ sinceTs }) => Date.parse(String(sinceTs)))
    const waited = before['state'] === 'ready' && (now['state'] === 'talking' || now['state'] === 'reserved')
    const idleMs = to! - from!
    const minute = this.#minute(nowMs)
    if (waited && idleMs >= 0 && minute.idleMs.length < IDLES_MAX) minute.idleMs.push(idleMs)
  }

  /**
   * A row of a conversation: it counts once, however often it is told, also by a node that was silent in between. Call
   * `agentLeft` when its next agent begins another one.
   */
  conversation(call: Key, sinceAtMs: AtMs, nowMs: AtMs): void {
    const isNew = !this.#seenAtMs.has(call)
    this.#seenAtMs.set(call, nowMs)
    if (isNew && sinceAtMs > nowMs - LIFE_MS) this.#minute(Math.min(sinceAtMs, nowMs)).answered++
  }

  agentLeft(call: Key): void {
    this.#seenAtMs.delete(call)
  }

  /** Answered calls of a campaign that found no agent, since this engine began: another one begins at 0 (rest-54). */
  lostSoFar(node: string, campaign: number, lost: number, nowMs: AtMs): void {
    const key = `${node} ${campaign}`
    const before = this.#lostBefore.get(key) ?? lost
    this.#lostBefore.set(key, lost)
    this.#minute(nowMs).lost += Math.max(0, lost - before)
  }

  /** Once a second: what the agents do. */
  second(states: Iterable<unknown>, nowMs: AtMs): void {
    const minute = this.#minute(nowMs)
    for (const state of states) {
      if (BUSY.has(state as string)) minute.busyS++
      else if (FREE.has(state as string)) minute.freeS++
    }
  }

  /** The row; null where nothing is known. The latest minute is the last of each list and is not over yet. */
  row(nowMs: AtMs): Fields {
    const last = Math.floor(nowMs / MINUTE_MS)
    for (const minute of this.#minutes.keys()) if (minute <= last - MINUTES) this.#minutes.delete(minute)
    for (const [call, atMs] of this.#seenAtMs) if (atMs < nowMs - LIFE_MS) this.#seenAtMs.delete(call)
    const all = Array.from({ length: MINUTES }, (_, place) => this.#minutes.get(last - MINUTES + 1 + place))
    const sum = (figure: (minute: Minute) => number) =>
      all.reduce((total, minute) => total + (minute ? figure(minute) : 0), 0)
    const [busyS, freeS] = [sum((one) => one.busyS), sum((one) => one.freeS)]
    const idles = all.flatMap((minute) => minute?.idleMs ?? []).sort((a, b) => a - b)
    return {
      answered: all.map((minute) => minute?.answered ?? 0),
      lost: all.map((minute) => minute?.lost ?? 0),
      idleP50S: quantileS(idles, 0.5),
      idleP95S: quantileS(idles, 0.95),
      occupancyPct: busyS + freeS === 0 ? null : Math.round((1_000 * busyS) / (busyS + freeS)) / 10,
    }
  }

  #minute(atMs: AtMs): Minute {
    const key = Math.floor(atMs / MINUTE_MS)
    const known = this.#minutes.get(key)
    if (known) return known
    const minute = { answered: 0, lost: 0, busyS: 0, freeS: 0, idleMs: [] }
    this.#minutes.set(key, minute)
    return minute
  }
}

/** The smallest that so many are not above (nearest rank). */
function quantileS(sorted: readonly number[], share: number): number | null {
  const ms = sorted[Math.ceil(share * sorted.length) - 1]
  return ms === undefined ? null : Math.round(ms / 1_000)
}
