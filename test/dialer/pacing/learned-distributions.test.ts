import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guessedHazards, normalCdf, survivalOf, withEnd } from '../../../src/dialer/pacing/hazards.ts'
import { learnFact, nothingLearnt } from '../../../src/dialer/pacing/learned-distributions.ts'
import { GUESSED_RINGS, shareBelow, withLine } from '../../../src/dialer/pacing/ring-time-distribution.ts'

const MINUTE_MS = 60_000

describe('how long talks last', () => {
  test('the initial guess is the lognormal distribution it was built from', () => {
    const alive = survivalOf(guessedHazards(5, 5, 0.64), 1, 1_000)
    for (const atS of [20, 148, 400, 900]) {
      expect(alive[atS]).toBeCloseTo(1 - normalCdf((Math.log(atS) - 5) / 0.8), 1)
    }
  })

  test('observations outweigh the guess: talks of one minute', () => {
    let hazards = guessedHazards(5, 5, 0.64)
    for (let count = 0; count < 400; count++) hazards = withEnd(hazards, 55 + (count % 10))
    const alive = survivalOf(hazards, 1, 200)
    expect(alive[40]).toBeGreaterThan(0.9)
    expect(alive[90]).toBeLessThan(0.1)
  })

  test('given any lengths, survival begins at one and never rises', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 90_000, noNaN: true }), { maxLength: 60 }), (lengths) => {
        const alive = survivalOf(lengths.reduce(withEnd, guessedHazards(5, 3, 0.25)), 2, 600)
        expect(alive[0]).toBe(1)
        for (const [place, share] of alive.entries()) {
          expect(share >= 0 && share <= (alive[place - 1] ?? 1)).toBe(true)
        }
      }),
    )
  })
})

describe('when lines are answered', () => {
  test('shares follow the observations, linear within half a second', () => {
    let distribution = GUESSED_RINGS
    for (let count = 0; count < 2_000; count++) distribution = withLine(distribution, 10, true)
    const share = shareBelow(distribution.answers)
    expect(share(10)).toBeLessThan(0.02)
    expect(share(10.25)).toBeGreaterThan(0.4)
    expect(share(10.25)).toBeLessThan(0.6)
    expect(share(10.5)).toBeGreaterThan(0.98)
    expect(share(64)).toBe(1)
  })

  test('an age above all spans counts in the last span, a negative age in the first', () => {
    const late = withLine(GUESSED_RINGS, 500, false)
    const early = withLine(GUESSED_RINGS, -1, false)
    expect(late.failures.at(-1)).toBeCloseTo(1, 2)
    expect(early.failures[0]).toBeCloseTo(1, 2)
  })
})

describe('the learned figures of a pacer', () => {
  const answered = { type: 'line.answered', ageMs: 9_000 } as const
  const failed = { type: 'line.failed', ageMs: 25_000 } as const

  test('the hit rate follows the latest lines', () => {
    let learnt = nothingLearnt()
    for (let count = 0; count < 3_000; count++) learnt = learnFact(learnt, count % 2 ? answered : failed, count * 1_000)
    expect(learnt.hitRate).toBeCloseTo(0.5, 1)
  })

  test('after a pause the hit rate is that of the same hour on earlier days', () => {
    let learnt = nothingLearnt()
    const morning = Date.parse('2026-11-23T08:00:00Z')
    for (let count = 0; count < 300; count++) learnt = learnFact(learnt, answered, morning + count * 1_000)
    const evening = morning + 9 * 3_600_000
    for (let count = 0; count < 3_000; count++) learnt = learnFact(learnt, failed, evening + count * 1_000)
    expect(learnt.hitRate).toBeLessThan(0.01)
    expect(learnFact(learnt, failed, morning + 86_400_000).hitRate).toBeGreaterThan(0.9)
  })

  test('tables are rebuilt often while data is sparse, and later at most every five minutes', () => {
    let learnt = nothingLearnt()
    const madeAt: number[] = []
    for (let second = 0; second < 3_600; second++) {
      const next = learnFact(learnt, failed, second * 1_000)
      if (next.inUse !== learnt.inUse) madeAt.push(second)
      learnt = next
    }
    expect(madeAt[0]).toBe(19)
    const late = madeAt.filter((second) => second > 1_000)
    expect(late.length).toBeGreaterThan(2)
    for (const [place, second] of late.entries()) {
      if (place > 0) expect((second - (late[place - 1] as number)) * 1_000).toBeGreaterThanOrEqual(5 * MINUTE_MS)
    }
  })

  test('the figures are plain data: restored figures continue unchanged', () => {
    let learnt = nothingLearnt()
    for (let count = 0; count < 100; count++) learnt = learnFact(learnt, answered, count * 1_000)
    const kept = JSON.parse(JSON.stringify(learnt))
    expect(learnFact(kept, failed, 100_000)).toEqual(learnFact(learnt, failed, 100_000))
  })
})
