import { expect, test } from 'vitest'
import { VirtualClock } from './virtual-clock.ts'

test('a timer that a timer starts fires at its own instant, within the same run', () => {
  const clock = new VirtualClock(0)
  const fired: number[] = []
  const again = () => {
    fired.push(clock.nowMs())
    if (fired.length < 3) clock.schedule(clock.nowMs() + 10, again)
  }
  clock.schedule(10, again)
  clock.run(60)
  expect(fired).toEqual([10, 20, 30])
  expect(clock.nowMs()).toBe(60)
})

test('timers fire by instant, and in order of creation among equals', () => {
  const clock = new VirtualClock(0)
  const fired: string[] = []
  for (const [name, atMs] of [
    ['c', 30],
    ['a', 10],
    ['b1', 20],
    ['b2', 20],
    ['d', 31],
  ] as const) {
    clock.schedule(atMs, () => fired.push(name))
  }
  clock.run(30)
  expect(fired).toEqual(['a', 'b1', 'b2', 'c'])
})

test('a cancelled timer never fires, and cancelling twice is harmless', () => {
  const clock = new VirtualClock(0)
  let fired = 0
  const timer = clock.schedule(10, () => fired++)
  timer.cancel()
  timer.cancel()
  expect(clock.runUntilIdle()).toBe(true)
  expect(fired).toBe(0)
})

test('runUntil stops at the instant at which the condition holds', () => {
  const clock = new VirtualClock(0)
  let said = false
  clock.schedule(5, () => {
    said = true
  })
  clock.schedule(9, () => {})
  expect(clock.runUntil(() => said)).toBe(true)
  expect(clock.nowMs()).toBe(5)
})

test('awaited work finishes before the condition is checked, and the clock stops there', async () => {
  const clock = new VirtualClock(0)
  let said = false
  clock.schedule(5, () => {
    void Promise.resolve().then(() => {
      said = true
    })
  })
  clock.schedule(9, () => {})
  expect(await clock.runWithPromisesUntil(() => said, 100)).toBe(true)
  expect(clock.nowMs()).toBe(5)
  expect(await clock.runWithPromisesUntil(() => false, 100)).toBe(false)
  expect(clock.nowMs()).toBe(105)
})
