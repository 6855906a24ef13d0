import { expect, test } from 'vitest'
import { SleepWatch } from '../../../src/console/stream/sleep-watch.ts'

/** The clock of a page: its timers stand still while it sleeps, and run late afterwards. */
class PageClock {
  #nowMs = 0
  #timers: { atMs: number; action: () => void }[] = []

  nowMs(): number {
    return this.#nowMs
  }

  schedule(atMs: number, action: () => void) {
    const timer = { atMs, action }
    this.#timers.push(timer)
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((one) => one !== timer)
      },
    }
  }

  freeze(ms: number): void {
    this.#nowMs += ms
  }

  /** In steps of `everyMs`: throttled timers run no finer. */
  live(ms: number, everyMs = 100): void {
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs; ) {
      this.#nowMs += everyMs
      const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs)
      this.#timers = this.#timers.filter(({ atMs }) => atMs > this.#nowMs)
      for (const { action } of due) action()
    }
  }
}

function rig() {
  const clock = new PageClock()
  const woke: number[] = []
  const watch = new SleepWatch(clock, () => woke.push(clock.nowMs()))
  return { clock, woke, watch }
}

test('a page that was asleep is woken once, at its first look', () => {
  const { clock, woke } = rig()
  clock.live(10_000)
  clock.freeze(60_000)
  clock.live(10_000)
  expect(woke).toEqual([70_100])
  clock.freeze(6_000)
  clock.live(1_000)
  expect(woke).toHaveLength(2)
})

test('a busy page, and a hidden one whose stream lives, did not sleep', () => {
  const { clock, woke, watch } = rig()
  clock.freeze(4_900)
  clock.live(1_000)
  // Timers once a minute; a heartbeat every 5 s.
  for (let beat = 0; beat < 24; beat++) {
    clock.freeze(5_000)
    watch.look()
  }
  clock.live(60_000, 5_000)
  expect(woke).toEqual([])
})

test('a frame that waited for the page wakes it before any timer does, and a closed page is not woken', () => {
  const { clock, woke, watch } = rig()
  clock.freeze(60_000)
  watch.look()
  watch.look()
  expect(woke).toEqual([60_000])
  watch.close()
  clock.freeze(60_000)
  clock.live(2_000)
  expect(woke).toHaveLength(1)
})
