import { describe, expect, test } from 'vitest'
import type { EndpointHealth } from '../../src/ports/webhook.ts'
import type { Verdict } from '../../src/webhooks/classify-response.ts'
import { afterAnswer, HEALTHY, placesFree, silenceOf } from '../../src/webhooks/endpoint-health.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3_600_000
const well: Verdict = { kind: 'accepted', why: '' }
const ill: Verdict = { kind: 'refused', why: '', isStrained: false, retryAfterMs: 0 }
const strained: Verdict = { kind: 'refused', why: '', isStrained: true, retryAfterMs: 0 }

/** The health after `verdicts`, one every `everyMs` from `fromMs` on. */
function healthAfter(
  verdicts: readonly Verdict[],
  { health = HEALTHY, fromMs = 0, everyMs = 100 } = {},
): EndpointHealth {
  return verdicts.reduce((known, verdict, index) => afterAnswer(known, verdict, fromMs + index * everyMs), health)
}

const times = (count: number, verdict: Verdict) => Array.from({ length: count }, () => verdict)
const opened = healthAfter(times(20, ill), { everyMs: 0 })

describe('the circuit of an endpoint', () => {
  test('opens at the twentieth attempt, when more than 70 % have failed', () => {
    expect(healthAfter(times(19, ill)).open).toBeUndefined()
    expect(healthAfter(times(20, ill)).open).toBeDefined()
    expect(healthAfter([...times(6, well), ...times(14, ill)]).open).toBeUndefined()
    expect(healthAfter([...times(5, well), ...times(15, ill)]).open).toBeDefined()
  })

  test('forgets outcomes older than five minutes', () => {
    const ancient = healthAfter(times(19, ill))
    expect(healthAfter([ill], { health: ancient, fromMs: 6 * MINUTE_MS }).open).toBeUndefined()
  })

  test('lets one probe through after half a minute, and only one', () => {
    expect(placesFree(opened, 0, 29_999)).toBe(0)
    expect(placesFree(opened, 0, 30_000)).toBe(1)
    expect(placesFree(opened, 1, 30_000)).toBe(0)
  })

  test('waits twice as long after each failed probe, ten minutes at most', () => {
    let health = opened
    const waits = Array.from({ length: 7 }, () => {
      const atMs = health.open!.probeAtMs
      health = afterAnswer(health, ill, atMs)
      return (health.open!.probeAtMs - atMs) / 1000
    })
    expect(waits).toEqual([60, 120, 240, 480, 600, 600, 600])
  })

  test('given attempts in progress at its opening, probes no later', () => {
    expect(afterAnswer(opened, ill, 15_000).open).toEqual(opened.open)
  })

  test('closes at the first success, and then allows more with each further one', () => {
    const closed = afterAnswer(opened, well, 30_000)
    expect(closed.open).toBeUndefined()
    expect(placesFree(closed, 0, 30_000)).toBe(1)
    expect(placesFree(healthAfter(times(3, well), { health: closed }), 0, 0)).toBe(8)
  })

  test('ignores attempts without a request', () => {
    expect(healthAfter(times(50, { kind: 'unasked', why: '' }))).toEqual(HEALTHY)
  })

  test('given an endless stream, remembers no more than its window', () => {
    const busy = healthAfter(times(5_000, well), { everyMs: 700 })
    expect(busy.slots.length).toBeLessThanOrEqual(11)
  })
})

test('a strained endpoint gets one at a time, and its places back with its successes', () => {
  const tired = healthAfter([strained])
  expect(placesFree(tired, 0, 0)).toBe(1)
  expect(placesFree(healthAfter([well, well], { health: tired }), 0, 0)).toBe(4)
  expect(placesFree(healthAfter(times(9, well), { health: tired }), 3, 0)).toBe(5)
})

describe('the owner of an endpoint', () => {
  const failing = healthAfter([ill])

  test('is warned after three days without a success, once', () => {
    expect(silenceOf(failing, 3 * DAY_MS - 1)).toBe('fine')
    expect(silenceOf(failing, 3 * DAY_MS)).toBe('warn')
    expect(silenceOf({ ...failing, isOwnerWarned: true }, 4 * DAY_MS)).toBe('fine')
  })

  test('loses the subscription five days after the first failure, however many follow', () => {
    expect(silenceOf({ ...failing, isOwnerWarned: true }, 5 * DAY_MS)).toBe('disable')
    for (const health of [HEALTHY, opened]) {
      const since = healthAfter(times(10, ill), { health: { ...health, isOwnerWarned: true }, everyMs: DAY_MS / 2 })
      expect(silenceOf(since, 5 * DAY_MS)).toBe('disable')
    }
  })

  test('given one success, starts anew', () => {
    expect(silenceOf(healthAfter([well], { health: failing, fromMs: 4 * DAY_MS }), 6 * DAY_MS)).toBe('fine')
  })

  test('given an endpoint without requests, gets no warning', () => {
    expect(silenceOf(healthAfter([well]), 100 * DAY_MS)).toBe('fine')
  })
})
