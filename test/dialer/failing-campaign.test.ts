import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Trial, trialOf, whyFailing, withTrial } from '../../src/dialer/failing-campaign.ts'
import type { AttemptResult, TriedAttempt } from '../../src/ports/attempt.ts'

const TRIED: TriedAttempt = { result: 'noAnswer', reach: 'rang', claimedAtMs: 1_000, endedAtMs: 20_000 }
const said = (change: Partial<TriedAttempt>, isCarrierDown = false) => trialOf({ ...TRIED, ...change }, isCarrierDown)
const times = (count: number, trial: Trial): Trial[] => Array.from({ length: count }, () => trial)

describe('what an attempt says about its campaign (F-F7)', () => {
  test.each([
    ['noAnswer', 'fine'],
    ['busy', 'fine'],
    ['voicemail', 'fine'],
    ['dropped', 'fine'],
    ['rejected', 'rejected'],
    ['invalidNumber', 'invalidNumber'],
    ['failed', 'failed'],
    ['cancelled', undefined],
    ['withdrawn', undefined],
    ['blocked', undefined],
    ['unknown', undefined],
  ] as const)('%s says %s', (result, says) => {
    expect(said({ result })).toBe(says)
  })

  test.each(['answered', 'lost'] as const)('%s is fine after more than a second, and a failure before', (result) => {
    const answered = { result, reach: 'answered', answeredAtMs: 5_000 } as const
    expect(said({ ...answered, endedAtMs: 6_000 })).toBe('hungUpAtOnce')
    expect(said({ ...answered, endedAtMs: 6_001 })).toBe('fine')
  })

  test('an immediate drop by us and a machine that hangs up are no failures of the list', () => {
    const short = { reach: 'answered', answeredAtMs: 5_000, endedAtMs: 5_100 } as const
    expect([said({ ...short, result: 'dropped' }), said({ ...short, result: 'voicemail' })]).toEqual(['fine', 'fine'])
  })

  test('an attempt that was never sent does not count', () => {
    const results: AttemptResult[] = ['failed', 'invalidNumber', 'cancelled', 'blocked', 'unknown']
    expect(results.map((result) => said({ result, reach: 'nothing' }))).toEqual(results.map(() => undefined))
  })

  test('an unavailable carrier is no failure of the campaign, but a carrier that forbids the call is', () => {
    expect(said({ result: 'failed', reach: 'sent', sipStatus: 503 }, true)).toBeUndefined()
    expect(said({ result: 'failed', reach: 'sent' }, true)).toBeUndefined()
    expect(said({ result: 'failed', reach: 'sent', sipStatus: 403 }, true)).toBe('failed')
    expect(said({ result: 'invalidNumber', reach: 'sent', sipStatus: 404 }, true)).toBe('invalidNumber')
  })
})

describe('a campaign pauses itself (F-F7)', () => {
  test('at more than 60 % of its last 50 calls, and not at 60 %', () => {
    expect(whyFailing([...times(20, 'fine'), ...times(30, 'rejected')])).toBeUndefined()
    expect(whyFailing([...times(19, 'fine'), ...times(31, 'rejected')])).toBe(
      '31 of its last 50 calls failed: 31 rejected',
    )
  })

  test('as soon as the rest of the 50 cannot change the result, with every kind named', () => {
    const trials = [...times(3, 'fine'), ...times(20, 'invalidNumber'), ...times(10, 'hungUpAtOnce')]
    expect(whyFailing(trials)).toBeUndefined()
    expect(whyFailing([...trials, 'failed'])).toBe(
      '31 of its last 34 calls failed: 20 no such number, 10 hung up within a second, 1 not put through',
    )
  })

  test('for the last 50 calls only: older calls do not count', () => {
    expect(whyFailing([...times(40, 'failed'), ...times(50, 'fine')])).toBeUndefined()
    expect(whyFailing([...times(500, 'fine'), ...times(31, 'failed')])).toContain('31 of its last 50')
  })

  const trials = fc.array(
    fc.constantFrom<Trial>('fine', 'fine', 'failed', 'rejected', 'invalidNumber', 'hungUpAtOnce'),
    {
      maxLength: 200,
    },
  )

  test('exactly when a full count says so, in any order of calls', () => {
    fc.assert(
      fc.property(trials, (all) => {
        let kept: readonly Trial[] = []
        for (const [place, trial] of all.entries()) {
          kept = withTrial(kept, trial)
          const latest = all.slice(Math.max(0, place - 49), place + 1)
          const failures = latest.filter((one) => one !== 'fine').length
          expect(whyFailing(kept) !== undefined).toBe(failures > 0.6 * 50)
          expect(kept.length).toBeLessThanOrEqual(50)
        }
      }),
    )
  })

  test('never sooner with a good call than with a bad one in its place', () => {
    fc.assert(
      fc.property(trials, fc.nat(), (all, at) => {
        const better = all.map((trial, place) => (place === at % Math.max(1, all.length) ? 'fine' : trial))
        if (whyFailing(better) !== undefined) expect(whyFailing(all)).toBeDefined()
      }),
    )
  })
})
