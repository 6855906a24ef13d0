import { describe, expect, test } from 'vitest'
import type { CorporationId, EventId, SubscriptionId } from '../../src/kernel/ids.ts'
import type { Subscription, WebhookEvent } from '../../src/ports/webhook.ts'
import { secretOf } from '../../src/webhooks/sign.ts'
import { disable, enable, rotateSecret, secretsInForce, wants } from '../../src/webhooks/subscription.ts'

const HOUR_MS = 3_600_000
const [first, second, third, fourth] = [1, 2, 3, 4].map((byte) => secretOf(new Uint8Array(32).fill(byte)))

const subscription: Subscription = {
  id: 1 as SubscriptionId,
  corporation: 1 as CorporationId,
  url: 'https://integrator.example/hook',
  events: ['phone-call.ended'],
  systemCodes: [],
  secrets: [{ secret: first! }],
}

const ended: WebhookEvent = {
  id: 'evt_1' as EventId,
  atMs: 0,
  corporation: 1 as CorporationId,
  environment: 'production',
  type: 'phone-call.ended',
  activity: 1,
}

describe('a subscription wants', () => {
  test.each<[string, boolean, Partial<Subscription>, object]>([
    ['an event of a type it named', true, {}, {}],
    ['no other type', false, {}, { type: 'phone-call-summary.creation', version: 1 }],
    ['nothing of another corporation', false, {}, { corporation: 2 }],
    ['calls of any external system where it named none', true, {}, { systemCode: 'debts' }],
    ['calls of a system it named', true, { systemCodes: ['debts', 'rents'] }, { systemCode: 'rents' }],
    ['no calls of another system', false, { systemCodes: ['debts'] }, { systemCode: 'rents' }],
    ['no calls of no system where it named some', false, { systemCodes: ['debts'] }, {}],
    ['nothing while it is disabled', false, { disabled: { because: 'owner', sinceAtMs: 0 } }, {}],
    ['no test: that is asked for by name', false, {}, { type: 'webhook.test' }],
  ])('%s', (_, expected, its, event) => {
    expect(wants({ ...subscription, ...its }, { ...ended, ...event })).toBe(expected)
  })
})

describe('a change of secrets', () => {
  const rotated = (from: Subscription, secret: typeof first, overlapMs: number, nowMs: number) => {
    const rotation = rotateSecret(from, secret!, overlapMs, nowMs)
    if (!rotation.ok) throw new Error(rotation.why)
    return rotation.subscription
  }

  test('signs with both for the overlap, then with the new one for ever', () => {
    const changed = rotated(subscription, second, 24 * HOUR_MS, 0)
    expect(secretsInForce(changed, 0)).toEqual([second, first])
    expect(secretsInForce(changed, 24 * HOUR_MS - 1)).toEqual([second, first])
    expect(secretsInForce(changed, 24 * HOUR_MS)).toEqual([second])
    expect(secretsInForce(changed, 1e15)).toEqual([second])
  })

  test('given a second change within the first, each secret is valid exactly as long as announced', () => {
    const twice = rotated(rotated(subscription, second, 24 * HOUR_MS, 0), third, 48 * HOUR_MS, HOUR_MS)
    expect(secretsInForce(twice, 24 * HOUR_MS - 1)).toEqual([third, second, first])
    expect(secretsInForce(twice, 24 * HOUR_MS)).toEqual([third, second])
    expect(secretsInForce(twice, 49 * HOUR_MS)).toEqual([third])
  })

  test('given too many valid ones, refuses; without an overlap it ends them all at once', () => {
    const twice = rotated(rotated(subscription, second, HOUR_MS, 0), third, HOUR_MS, 0)
    expect(rotateSecret(twice, fourth!, HOUR_MS, 0)).toEqual({ ok: false, why: expect.stringContaining('in force') })
    expect(rotated(twice, fourth, 0, 0).secrets).toEqual([{ secret: fourth }])
  })

  test.each([-1, 8 * 24 * HOUR_MS])('refuses an overlap of %i ms', (overlapMs) => {
    expect(rotateSecret(subscription, second!, overlapMs, 0).ok).toBe(false)
  })
})

test('a disabled subscription keeps its first reason, and clears it when it is enabled', () => {
  const stopped = disable(disable(subscription, 'gone', 1), 'silent', 2)
  expect(stopped.disabled).toEqual({ because: 'gone', sinceAtMs: 1 })
  expect(enable(stopped)).toEqual(subscription)
})
