import { expect, test } from 'vitest'
import type { TrunkLimits } from '../../../src/engine/context.ts'
import { isPaced, linesLeft, type TrunkLines, TrunkPace } from '../../../src/engine/outbound/trunk-limits.ts'

const CARRIER: TrunkLimits = { name: 'carrier', linesMax: 30, callsPerSecondMax: 10, callerIds: [] }
const NONE: TrunkLines = { lines: 0, probes: 0, allowed: 0, requested: 0 }
const inUse = (lines: number): TrunkLines => ({ ...NONE, lines })
const linesOf = (pace: TrunkPace, atMs: number, on = NONE) => linesLeft(pace.useOf(CARRIER, on, atMs))
const isRefused = (pace: TrunkPace, atMs: number, on = NONE) => pace.useOf(CARRIER, on, atMs).isFailing

function failing(told: boolean[] = []): TrunkPace {
  const pace = new TrunkPace((_, isFailing) => told.push(isFailing))
  for (let call = 0; call < 5; call++) pace.failed('carrier', 1_000 + call * 100)
  return pace
}

const aPace = () => new TrunkPace(() => {})

test('calls of the last second are counted, and of its last tenth; older ones are not', () => {
  const pace = aPace()
  for (const atMs of [0, 400, 900]) pace.placed('carrier', atMs)
  const works = { name: 'carrier', isFailing: false, probesLeft: Number.POSITIVE_INFINITY }
  const use = { ...works, linesInUse: 2, linesMax: 30, perSecondMax: 10 }
  expect(pace.useOf(CARRIER, inUse(2), 999)).toEqual({ ...use, placedLastSecond: 3, placedLastTenth: 1 })
  expect(pace.useOf(CARRIER, inUse(2), 1_100)).toEqual({ ...use, placedLastSecond: 2, placedLastTenth: 0 })
})

test.each([
  { perSecond: 1, perTenth: 1 },
  { perSecond: 10, perTenth: 1 },
  { perSecond: 25, perTenth: 3 },
  { perSecond: 200, perTenth: 20 },
])('of $perSecond calls in a second $perTenth go out at once, and no second has more than it may', (given) => {
  const pace = aPace()
  const trunk = { ...CARRIER, linesMax: 10_000, callsPerSecondMax: given.perSecond }
  const placedAtMs: number[] = []
  for (let atMs = 0; atMs < 5_000; atMs += 20) {
    const use = pace.useOf(trunk, inUse(placedAtMs.length), atMs)
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
  expect(isPaced(aPace().useOf(CARRIER, inUse(30), 0))).toBe(false)
})

test('after five failures in ten seconds a carrier gets one probe at a time, one in five seconds (F-A11)', () => {
  const told: boolean[] = []
  const pace = failing(told)
  expect(told).toEqual([true])
  expect([linesOf(pace, 1_500), linesOf(pace, 6_399), linesOf(pace, 6_400)]).toEqual([0, 0, 1])
  // Conversations from before the outage are no probes.
  expect(linesOf(pace, 6_400, inUse(20))).toBe(1)
  pace.placed('carrier', 6_400)
  expect([linesOf(pace, 6_401), linesOf(pace, 11_399), linesOf(pace, 11_400)]).toEqual([0, 0, 1])
  expect(linesOf(pace, 60_000, { ...inUse(1), probes: 1 })).toBe(0)
  expect(linesOf(pace, 60_000, { ...NONE, requested: 1 })).toBe(0)
})

test('the claim that asked for the probe may place it, and no second number rings with it', () => {
  const pace = failing()
  const asked = { ...inUse(3), requested: 1 }
  expect([isRefused(pace, 2_000, asked), isRefused(pace, 7_000, asked)]).toEqual([true, false])
  expect(pace.useOf(CARRIER, asked, 7_000).linesMax).toBe(4)
  expect(isRefused(pace, 7_000, { ...asked, allowed: 1 })).toBe(true)
  expect(isPaced(pace.useOf(CARRIER, NONE, 2_000))).toBe(false)
})

test('a probe that comes through ends the outage; a call that was dialed before it does not', () => {
  const told: boolean[] = []
  const pace = failing(told)
  pace.cameThrough('carrier', 1_399)
  expect([linesOf(pace, 2_000), told]).toEqual([0, [true]])
  pace.placed('carrier', 6_400)
  pace.rang('carrier', 6_400)
  expect([linesOf(pace, 7_001), told]).toEqual([1, [true, false]])
  expect(pace.failingSince('carrier')).toBeUndefined()
})

test('a call that comes through makes earlier failures harmless, not later ones', () => {
  const pace = aPace()
  for (let call = 0; call < 4; call++) pace.failed('carrier', 1_000 + call * 100)
  pace.cameThrough('carrier', 2_000)
  pace.failed('carrier', 2_100)
  expect(pace.failingSince('carrier')).toBeUndefined()
  for (let call = 1; call < 5; call++) pace.failed('carrier', 2_100 + call * 100)
  pace.cameThrough('carrier', 1_999)
  expect(pace.failingSince('carrier')).toBe(2_500)
})

test('failures that lie far apart are no reason', () => {
  const pace = aPace()
  for (let call = 0; call < 20; call++) pace.failed('carrier', call * 3_000)
  expect(pace.failingSince('carrier')).toBeUndefined()
})

test('one carrier that fails says nothing about another', () => {
  expect(failing().useOf({ ...CARRIER, name: 'other' }, NONE, 1_500).isFailing).toBe(false)
})
