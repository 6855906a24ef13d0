import { assert } from '../../src/kernel/assert.ts'
import type { AtMs, Clock, Timer } from '../../src/kernel/clock.ts'

interface Due {
  readonly atMs: AtMs
  /** Order of scheduling: what was scheduled first fires first among equals. */
  readonly order: number
  readonly action: () => void
  cancelled: boolean
}

/**
 * A clock that stands still until it is run, and then stops at each due time on the way.
 *
 * XState's own simulated clock jumps to the end of an increment before it fires anything, so a timer
 * that a timer starts comes too late or never; worlds on virtual time need the true order.
 */
export class VirtualClock implements Clock {
  #nowMs: AtMs
  #order = 0
  #fired = 0
  /** A binary heap by (atMs, order): a world of 10,000 calls keeps as many timers. */
  readonly #heap: Due[] = []

  constructor(startAtMs: AtMs = Date.UTC(2026, 2, 2, 9, 0, 0)) {
    this.#nowMs = startAtMs
  }

  nowMs(): AtMs {
    return this.#nowMs
  }

  schedule(atMs: AtMs, action: () => void): Timer {
    const due: Due = { atMs: Math.max(atMs, this.#nowMs), order: this.#order++, action, cancelled: false }
    this.#push(due)
    return {
      cancel: () => {
        due.cancelled = true
      },
    }
  }

  /** Lets `durationMs` pass, firing everything that falls due, in order, each at its own instant. */
  run(durationMs: number): void {
    assert(durationMs >= 0, 'time does not run backwards')
    const untilMs = this.#nowMs + durationMs
    while (this.#fireNext(untilMs));
    this.#nowMs = untilMs
  }

  /** Runs until nothing is due any more, or for `limitMs`. Returns false when the limit stopped it. */
  runUntilIdle(limitMs = 24 * 3_600_000): boolean {
    const untilMs = this.#nowMs + limitMs
    while (this.#fireNext(untilMs));
    return this.#next() === undefined
  }

  /** Runs until `isTrue` holds, checking after every due action. Returns false when `limitMs` passed first. */
  runUntil(isTrue: () => boolean, limitMs = 3_600_000): boolean {
    const untilMs = this.#nowMs + limitMs
    while (!isTrue()) if (!this.#fireNext(untilMs)) return isTrue()
    return true
  }

  /**
   * The same as `run` for worlds in which promises are waited for: what follows from an action, also by `await`, has
   * happened before time goes on.
   */
  async runWithPromises(durationMs: number): Promise<void> {
    assert(durationMs >= 0, 'time does not run backwards')
    const untilMs = this.#nowMs + durationMs
    await everythingAwaited()
    while (this.#fireNext(untilMs)) await this.#everythingAwaited()
    this.#nowMs = untilMs
  }

  /** The same until `isTrue` holds. Returns false when `limitMs` passed first; the clock then stands at the limit. */
  async runWithPromisesUntil(isTrue: () => boolean, limitMs: number): Promise<boolean> {
    const untilMs = this.#nowMs + limitMs
    await everythingAwaited()
    while (!isTrue()) {
      if (!this.#fireNext(untilMs)) {
        this.#nowMs = untilMs
        return false
      }
      await this.#everythingAwaited()
    }
    return true
  }

  /** A turn of Node's own loop costs more than most actions: sockets and files get one of a hundred. */
  #everythingAwaited(): Promise<void> {
    if (++this.#fired % 100 === 0) return everythingAwaited()
    // Ticks come after all promises that are settled.
    return new Promise((resolve) => process.nextTick(resolve))
  }

  #fireNext(untilMs: AtMs): boolean {
    const due = this.#next()
    if (!due || due.atMs > untilMs) return false
    this.#pop()
    this.#nowMs = due.atMs
    due.action()
    return true
  }

  #next(): Due | undefined {
    while (this.#heap[0]?.cancelled) this.#pop()
    return this.#heap[0]
  }

  #push(due: Due): void {
    const heap = this.#heap
    let at = heap.push(due) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (isBefore(heap[above]!, due)) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = due
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()!
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++
      if (isBefore(last, heap[below]!)) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = last
  }
}

/** Everything that has been promised by now is done when this is over: the next turn of Node’s own loop comes later. */
export function everythingAwaited(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function isBefore(a: Due, b: Due): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
}
