import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Learnt, learnFact, nothingLearnt } from '../../src/dialer/pacing/learned-distributions.ts'
import { meanOf, samplerOf } from '../../src/pacing-sim/distributions.ts'
import { scenarioFrom } from '../../src/pacing-sim/scenario-from.ts'

const HOUR_MS = 3_600_000
const SETTINGS = { capBasisPoints: 200, waitMs: 2_000, timedWrapUpMs: undefined, linesPerAgentMax: 5 }
const ROSTER = { agents: 7, hours: 2.5, beginsAtMs: 8.5 * HOUR_MS }

describe('a measured distribution', () => {
  const distribution = samplerOf({ kind: 'table', ms: [1_000, 2_000, 3_000, 5_000], cdf: [0, 0.5, 0.5, 0.9] })

  test('is linear between its points, skips spans without observations, and ends with its last point', () => {
    expect([0.25, 0.7, 0.95].map(distribution.drawMs)).toEqual([1_500, 4_000, 5_000])
    expect(distribution.drawMs(0.499_999)).toBeCloseTo(2_000, 0)
    expect(distribution.drawMs(0.500_001)).toBeCloseTo(3_000, 0)
    expect([500, 1_500, 2_500, 4_000, 5_000, 9_000].map(distribution.cdf)).toEqual([0, 0.25, 0.5, 0.7, 1, 1])
  })

  test('draws values by its shares, whatever the points', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 9 })), {
      minLength: 2,
      maxLength: 30,
    })
    const uniform = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true })
    fc.assert(
      fc.property(steps, uniform, (points, share) => {
        const whole = points.reduce((sum, [, weight]) => sum + weight, 1)
        const sums = points.map((_, place) => points.slice(0, place + 1).reduce((sum, [, weight]) => sum + weight, 0))
        const ms = points.map((_, place) => points.slice(0, place + 1).reduce((sum, [step]) => sum + step, 0))
        const cdf = sums.map((sum) => sum / whole)
        const { drawMs, cdf: below } = samplerOf({ kind: 'table', ms, cdf })
        const drawn = drawMs(share)
        expect(drawn).toBeGreaterThanOrEqual(ms[0]!)
        expect(drawn).toBeLessThanOrEqual(ms.at(-1)!)
        if (share > cdf[0]! && share < cdf.at(-1)!) expect(below(drawn)).toBeCloseTo(share, 6)
      }),
      { numRuns: 300 },
    )
  })
})

/** So many lines of that hour (UTC), each third answered after 7 s; talks of 20 to 60 s, wrap-ups of 5 to 15 s. */
function taught(lines: number, hour: number, from: Learnt = nothingLearnt()): Learnt {
  let learnt = from
  for (let line = 0; line < lines; line++) {
    const facts =
      line % 3 > 0
        ? ([{ type: 'line.failed', ageMs: 20_000 }] as const)
        : ([
            { type: 'line.answered', ageMs: 7_000 },
            { type: 'talk.ended', lengthMs: 20_000 + 1_000 * (line % 41) },
            { type: 'wrapUp.ended', lengthMs: 5_000 + 1_000 * (line % 11) },
          ] as const)
    for (const fact of facts) learnt = learnFact(learnt, fact, hour * HOUR_MS)
  }
  return learnt
}

describe('a day of a real campaign', () => {
  test('has the learned ages, lengths and rates', () => {
    const { campaigns, agents, dayMs, beginsAtMs, linesPerAgentMax } = scenarioFrom(taught(900, 9), SETTINGS, ROSTER)
    const [{ hit, ring, failures, talk, wrapUp, loss, capBasisPoints, postDialMs }] = campaigns as [
      (typeof campaigns)[0],
    ]
    expect({ agents, dayMs, beginsAtMs, linesPerAgentMax, capBasisPoints, postDialMs, loss }).toEqual({
      agents: 7,
      dayMs: 2.5 * HOUR_MS,
      beginsAtMs: 8.5 * HOUR_MS,
      linesPerAgentMax: 5,
      capBasisPoints: 200,
      postDialMs: 0,
      loss: { kind: 'dropped', afterMs: 2_000 },
    })
    const between = (distribution: typeof ring, fromMs: number, toMs: number) =>
      samplerOf(distribution).cdf(toMs) - samplerOf(distribution).cdf(fromMs)
    expect(between(ring, 7_000, 7_500)).toBeGreaterThan(0.95)
    expect(between(failures[0]!.after, 20_000, 20_500)).toBeGreaterThan(0.95)
    expect(Math.abs(meanOf(samplerOf(talk)) - 40_000)).toBeLessThan(4_000)
    expect(wrapUp.kind === 'byHand' && Math.abs(meanOf(samplerOf(wrapUp.distribution)) - 10_000)).toBeLessThan(2_000)
    // Only the second of its hours, from 09:00 on, has a rate of its own; the others have the latest.
    expect(hit.levels.map(({ fromMs }) => fromMs / HOUR_MS)).toEqual([0, 0.5, 1.5])
    expect(hit.levels[1]!.rate).toBeCloseTo(1 / 3, 2)
    expect(hit.levels[0]!.rate).toBe(hit.levels[2]!.rate)
  })

  test('supports hours beyond midnight and automatic wrap-up', () => {
    const learnt = taught(90, 1)
    const night = { ...ROSTER, beginsAtMs: 23 * HOUR_MS, hours: 3 }
    const { campaigns } = scenarioFrom({ ...learnt, hitRate: 0.9 }, { ...SETTINGS, timedWrapUpMs: 15_000 }, night)
    expect(campaigns[0]!.hit.levels.map(({ rate }) => Math.round(rate * 10) / 10)).toEqual([0.9, 0.9, 0.3])
    expect(campaigns[0]!.wrapUp).toEqual({ kind: 'timed', lengthMs: 15_000 })
  })

  test('uses the default guess for a campaign without learned data', () => {
    const [campaign] = scenarioFrom(nothingLearnt(), SETTINGS, ROSTER).campaigns
    expect(campaign!.hit.levels[0]!.rate).toBe(0.3)
    expect(Math.abs(meanOf(samplerOf(campaign!.talk)) - 204_000)).toBeLessThan(8_000)
  })
})
