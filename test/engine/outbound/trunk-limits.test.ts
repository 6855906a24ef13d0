import { expect, test } from 'vitest'
import type { TrunkLimits } from '../../../src/engine/context.ts'
import { isPaced, linesLeft, TrunkPace } from '../../../src/engine/outbound/trunk-limits.ts'

const CARRIER: TrunkLimits = { name: 'carrier', linesMax: 30, callsPerSecondMax: 10, callerIds: [] }
const linesOf = (pace: TrunkPace, atMs: number, inUse = 0) => pace.useOf(CARRIER, inUse, atMs).linesMax

function failing(): TrunkPace {
  const pace = new TrunkPace()
  for (let call = 0; call < 5; call++) pace.attemptEnded('carrier', true, 1_000 + call * 100)
  return pace
}

test('calls of the last second are counted, and of its last tenth; older ones are not', () => {
  const pace = new TrunkPace()
  for (const atMs of [0, 400, 900]) pace.placed('carrier', atMs)
  const use = { linesInUse: 2, linesMax: 30, perSecondMax: 10 }
  expect(pace.useOf(CARRIER, 2, 999)).toEqual({ ...use, placedLastSecond: 3, placedLastTenth: 1 })
  expect(pace.useOf(CARRIER, 2, 1_100)).toEqual({ ...use, placedLastSecond: 2, placedLastTenth: 0 })
})

test.each([
  { perSecond: 1, perTenth: 1 },
  { perSecond: 10, perTenth: 1 },
  { perSecond: 25, perTenth: 3 },
  { perSecond: 200, perTenth: 20 },
])('of $perSecond calls in a second $perTenth go out at once, and no second has more than it may', (given) => {
  const pace = new TrunkPace()
  const trunk = { ...CARRIER, linesMax: 10_000, callsPerSecondMax: given.perSecond }
  const placedAtMs: number[] = []
  for (let atMs = 0; atMs < 5_000; atMs += 20) {
    const use = pace.useOf(trunk, placedAtMs.length, atMs)
    const left = linesLeft(use)
    expect(left).toBeLessThanOrEqual(given.perTenth)
    expect(isPaced(use)).toBe(left === 0)
    for (let line = 0; line < left; line++) {
      pace.placed('carrier', atMs)
      placedAtMs.push(atMs)
    }
  }
  for (const from of placedAtMs) {
    const within = placedAtMs.filter((atMs) => atMs >= from && atMs < from + 1_000).length
    expect(within).toBeLessThanOrEqual(given.perSecond)
  }
  // As fast as it may, all the same.
  expect(placedAtMs).toHaveLength(5 * given.perSecond)
})

test('lines that are all in use are not a matter of pace', () => {
  expect(isPaced(new TrunkPace().useOf(CARRIER, 30, 0))).toBe(false)
})

test('after five failures in ten seconds a carrier is left alone but for a probe every five seconds (F-A11)', () => {
  const pace = failing()
  expect([linesOf(pace, 1_500), linesOf(pace, 6_399), linesOf(pace, 6_400)]).toEqual([0, 0, 1])
  pace.placed('carrier', 6_400)
  expect([linesOf(pace, 6_401, 1), linesOf(pace, 11_399, 0), linesOf(pace, 11_400, 0)]).toEqual([0, 0, 1])
})

test('one call that comes through, and the carrier is used as before', () => {
  const pace = failing()
  pace.attemptEnded('carrier', false, 7_000)
  expect(linesOf(pace, 7_001)).toBe(30)
})

test('failures that lie far apart are no reason', () => {
  const pace = new TrunkPace()
  for (let call = 0; call < 20; call++) pace.attemptEnded('carrier', true, call * 3_000)
  expect(linesOf(pace, 60_000)).toBe(30)
})

test('one carrier that fails says nothing about another', () => {
  expect(failing().useOf({ ...CARRIER, name: 'other' }, 0, 1_500).linesMax).toBe(30)
})
