import { describe, expect, test } from 'vitest'
import { isNearlyFree } from '../../bench/peers/issabel.ts'
import { PEER_NAMES, peerNamed } from '../../bench/peers/peers.ts'
import {
  clockOf,
  type DropCounts,
  LEVEL_DEFAULTS,
  type LevelSettings,
  nextLevel,
} from '../../bench/peers/vicidial-level.ts'
import { runDays } from '../../src/pacing-sim/over-days.ts'
import { referenceScenario } from '../../src/pacing-sim/reference.ts'

const NOTHING_LOST: DropCounts = {
  callsToday: 200,
  answeredToday: 80,
  droppedToday: 0,
  callsLastMinute: 10,
  droppedLastMinute: 0,
}
const TOO_MUCH_LOST: DropCounts = { ...NOTHING_LOST, droppedToday: 3 }

describe('the level of VICIdial', () => {
  type Case = readonly [string, number, readonly [number, number, number], DropCounts, Partial<LevelSettings>, number]
  const CASES: readonly Case[] = [
    ['climbs by the share of agents who wait', 1.2, [2, 0, 10], NOTHING_LOST, {}, 1.44],
    ['falls by the share of calls that wait', 2, [0, 1, 10], NOTHING_LOST, {}, 1.8],
    ['stays where idle agents and waiting calls are as many', 1.7, [1, 1, 10], NOTHING_LOST, {}, 1.7],
    ['aims at agents kept waiting', 1.5, [1, 0, 10], NOTHING_LOST, { differenceTarget: -1 }, 1.5],
    ['is never below 1', 1, [0, 5, 10], NOTHING_LOST, {}, 1],
    ['is never above the maximum', 2.9, [5, 0, 10], NOTHING_LOST, {}, 3],
    ['is rounded to thousandths', 1.234, [1, 0, 7], NOTHING_LOST, {}, 1.41],
    ['climbs faster with a higher intensity', 1, [2, 0, 10], NOTHING_LOST, { intensity: 40 }, 1.28],
    ['falls slower with a higher intensity', 2, [0, 2, 10], NOTHING_LOST, { intensity: 40 }, 1.76],
    ['stays without agents', 1.5, [0, 0, 0], NOTHING_LOST, {}, 1.5],
    [
      ...(['is halved when most calls of the minute were lost', 2, [0, 0, 10]] as const),
      ...([{ ...NOTHING_LOST, callsLastMinute: 21, droppedLastMinute: 11 }, {}, 1] as const),
    ],
    ['HARD_LIMIT: is 1 once more was lost than 3 %', 2.5, [1, 0, 10], TOO_MUCH_LOST, {}, 1],
    ['not before 50 calls', 2, [0, 0, 10], { ...TOO_MUCH_LOST, callsToday: 50 }, {}, 2],
    ['AVERAGE: is halved', 2.5, [0, 0, 10], TOO_MUCH_LOST, { method: 'average' }, 1.25],
    ['TAPERED: falls by the hours that are left', 2.5, [0, 0, 10], TOO_MUCH_LOST, { method: 'tapered' }, 1.5],
  ]
  test.each(CASES)('%s', (_name, level, [ready, waiting, agents], counts, settings, next) => {
    const all = { ...LEVEL_DEFAULTS, ...settings }
    expect(nextLevel(level, { ready, waiting, agents }, counts, all, 1500)).toBeCloseTo(next, 9)
  })

  test('TAPERED does nothing while more than ten hours are left, and after the latest time the level is 1', () => {
    const at = (clock: number) =>
      nextLevel(2, { ready: 0, waiting: 0, agents: 10 }, TOO_MUCH_LOST, { ...LEVEL_DEFAULTS, method: 'tapered' }, clock)
    expect([at(900), at(1100), at(1600), at(2101)]).toEqual([2, 2, 1, 1])
    expect(clockOf(Date.UTC(2026, 0, 5, 14, 37, 59))).toBe(1437)
  })
})

test("Issabel's forecast takes the agents with the longest talks for nearly free, whatever the probability", () => {
  const talkMeanMs = 180_000
  const thresholdMs = -Math.log(0.03) * talkMeanMs
  expect(isNearlyFree(thresholdMs - 12_000 + 1, 12_000, talkMeanMs)).toBe(true)
  expect(isNearlyFree(thresholdMs - 12_000 - 1, 12_000, talkMeanMs)).toBe(false)
})

test('exactly the documented peers can be selected', () => {
  expect(PEER_NAMES.map((name) => peerNamed(name) !== undefined)).toEqual(PEER_NAMES.map(() => true))
  expect(['vicidial', 'fixed-free', 'fixed-free-x', 'constructor', 'toString-2'].map(peerNamed)).toEqual(
    Array(5).fill(undefined),
  )
})

/**
 * Occupancy and share abandoned of one seeded day of two hours and more, against what dialing-rules.md 2.5 says of
 * many.
 */
describe('in the reference cell peers come near their published figures', () => {
  const CASES: readonly (readonly [string, number, readonly [number, number], readonly [number, number]])[] = [
    ['vicidial-hard-limit', 30, [79, 82], [2.5, 4]],
    ['vicidial-available-only', 100, [91.5, 94], [0, 1.5]],
    ['issabel', 10, [80, 83.5], [2.5, 7]],
    ['issabel-overcommit', 10, [86.5, 89.5], [14, 21]],
    ['first-answer-3', 30, [91, 94], [0, 0.2]],
    ['fixed-all-1.1', 30, [87, 90], [1, 4]],
  ]
  test.each(CASES)('%s, %i agents', (name, agents, occupancy, abandoned) => {
    const days = agents > 30 ? 1 : 2
    const told = runDays(referenceScenario(agents), { name, policy: peerNamed(name)!, days, seed: 11 })
    expect(told.occupancyPct).toBeGreaterThan(occupancy[0])
    expect(told.occupancyPct).toBeLessThan(occupancy[1])
    expect(told.abandonedPct).toBeGreaterThanOrEqual(abandoned[0])
    expect(told.abandonedPct).toBeLessThan(abandoned[1])
  })

  test('TAPERED, on a day that ends at its latest time, is close to HARD_LIMIT', () => {
    const evening = { ...referenceScenario(30), beginsAtMs: 13 * 3_600_000 }
    const told = (name: string) => runDays(evening, { name, policy: peerNamed(name)!, days: 2, seed: 11 })
    const [tapered, hard] = [told('vicidial-tapered'), told('vicidial-hard-limit')]
    expect(Math.abs(tapered.occupancyPct - hard.occupancyPct)).toBeLessThan(0.7)
    expect(tapered.abandonedPct).toBeLessThan(4.5)
  })

  test('first answer wins cuts rings short; the lawful middle cuts none, and loses more than 3 % for it', () => {
    const told = (name: string) => runDays(referenceScenario(10), { name, policy: peerNamed(name)!, days: 2, seed: 11 })
    expect(told('first-answer-3').ringsCutPerConversation).toBeGreaterThan(0.5)
    const lawful = told('first-answer-lawful-3')
    expect(lawful.ringsCutPerConversation).toBe(0)
    expect(lawful.abandonedPct).toBeGreaterThan(3)
  })
})
