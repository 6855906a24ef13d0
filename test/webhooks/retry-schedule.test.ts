import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/kernel/random.ts'
import type { WebAnswer } from '../../src/ports/web.ts'
import { classifyResponse, readRetryAfter, type Verdict } from '../../src/webhooks/classify-response.ts'
import { RETRY_WAITS_MS, retryWaitMs, SCHEDULE_MS, uncountedWaitMs } from '../../src/webhooks/retry-schedule.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.UTC(2026, 9, 21, 7, 28, 0)

function refused(changed: { isStrained?: boolean; retryAfterMs?: number } = {}): Verdict {
  return { kind: 'refused', why: 'answered 500', isStrained: false, retryAfterMs: 0, ...changed }
}

const middle = { next: () => 0.5 }

function wait(failures: number, verdict = refused(), random = middle): number | undefined {
  return retryWaitMs({ failures, firstAtMs: NOW_MS }, verdict, NOW_MS, random)
}

describe('an answer', () => {
  const answered = (status: number, retryAfter?: string) =>
    classifyResponse(
      { outcome: 'answered', status, body: '', contentType: '', ...(retryAfter === undefined ? {} : { retryAfter }) },
      NOW_MS,
    )

  test.each([200, 201, 202, 204, 299])('of %i is accepted', (status) => {
    expect(answered(status).kind).toBe('accepted')
  })

  test.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 422, 500, 501, 503, 599])(
    'of %i is refused, without a sign of strain',
    (status) => {
      expect(answered(status)).toMatchObject({ kind: 'refused', isStrained: false, why: `answered ${status}` })
    },
  )

  test.each([429, 502, 504])('of %i is refused for strain', (status) => {
    expect(answered(status)).toMatchObject({ kind: 'refused', isStrained: true })
  })

  test('of 410 means that the receiver is gone', () => {
    expect(answered(410).kind).toBe('gone')
  })

  test('with Retry-After sets the wait, after any failure', () => {
    expect(answered(503, '120')).toMatchObject({ kind: 'refused', retryAfterMs: 120_000 })
  })

  test.each<[Exclude<WebAnswer['outcome'], 'answered'>, object]>([
    ['timeout', { kind: 'refused', isStrained: true }],
    ['tooLarge', { kind: 'refused', isStrained: false }],
    ['network', { kind: 'refused', isStrained: false }],
    ['forbidden', { kind: 'refused', isStrained: false }],
    ['unavailable', { kind: 'unasked' }],
  ])('that is none (%s) is judged too', (outcome, verdict) => {
    expect(classifyResponse({ outcome, why: 'so' }, NOW_MS)).toMatchObject({ ...verdict, why: 'so' })
  })
})

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['90', 90_000],
    ['Wed, 21 Oct 2026 07:30:00 GMT', 120_000],
    ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
    ['-5', 0],
    ['soon', 0],
    ['1.5', 0],
    ['2026', 2_026_000],
    ['Wed, the day after tomorrow at GMT', 0],
    ['99999999999', 0],
  ])('of "%s" means %i ms', (text, expected) => {
    expect(readRetryAfter(text, NOW_MS)).toBe(expected)
  })
})

describe('the retry schedule', () => {
  test('is the example of the standard: ten attempts, the last one 75 h 35 min after the first', () => {
    expect(RETRY_WAITS_MS.length + 1).toBe(10)
    expect(SCHEDULE_MS).toBe(75 * HOUR_MS + 35 * 60_000 + 5_000)
  })

  test('ends: there is no eleventh attempt', () => {
    expect(wait(9)).toBeDefined()
    expect(wait(10)).toBeUndefined()
  })

  test('varies by a fifth and no further', () => {
    expect(wait(3, refused(), { next: () => 0 })).toBe(24 * 60_000)
    expect(wait(3, refused(), middle)).toBe(30 * 60_000)
    expect(wait(3, refused(), { next: () => 0.999_999_9 })).toBe(36 * 60_000)
  })

  test('waits a minute at least after strain', () => {
    expect(wait(1)).toBe(5_000)
    expect(wait(1, refused({ isStrained: true }))).toBe(60_000)
    expect(wait(2, refused({ isStrained: true }))).toBe(5 * 60_000)
  })

  test('waits as long as requested, but a day at most', () => {
    expect(wait(1, refused({ retryAfterMs: 7_000 }))).toBe(7_000)
    expect(wait(1, refused({ retryAfterMs: 1_000 }))).toBe(5_000)
    expect(wait(1, refused({ retryAfterMs: 1_000 * HOUR_MS }))).toBe(24 * HOUR_MS)
  })

  test('given any random numbers, the last attempt is not before 75 h, and every wait is in its bounds', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed)
        let nowMs = NOW_MS
        for (const [index, planned] of RETRY_WAITS_MS.entries()) {
          const waitMs = retryWaitMs({ failures: index + 1, firstAtMs: NOW_MS }, refused(), nowMs, random)!
          expect(waitMs).toBeGreaterThanOrEqual(planned * 0.8)
          if (index < RETRY_WAITS_MS.length - 1) expect(waitMs).toBeLessThanOrEqual(planned * 1.2)
          nowMs += waitMs
        }
        expect(nowMs - NOW_MS).toBeGreaterThanOrEqual(SCHEDULE_MS)
        expect(nowMs - NOW_MS).toBeLessThanOrEqual(SCHEDULE_MS * 1.2)
      }),
    )
  })

  test('after a try without a request, half a minute passes, or the time of the Retry-After', () => {
    expect(uncountedWaitMs({ kind: 'unasked', why: '' })).toBe(30_000)
    expect(uncountedWaitMs(refused({ retryAfterMs: 90_000 }))).toBe(90_000)
  })
})
