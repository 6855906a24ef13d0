import { describe, expect, test } from 'vitest'
import type { CorporationId, EventId } from '../../src/kernel/ids.ts'
import type { EventFact, WebhookEvent } from '../../src/ports/webhook.ts'
import { payloadOf } from '../../src/webhooks/payload.ts'

const AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

function anEvent(fact: EventFact): WebhookEvent {
  return { id: 'evt_1' as EventId, atMs: AT_MS, corporation: 1 as CorporationId, environment: 'production', ...fact }
}

function bodyOf(event: WebhookEvent): unknown {
  const payload = payloadOf(event)
  return payload.ok ? JSON.parse(payload.text) : payload.why
}

describe('a payload', () => {
  test('of an ended call has its id twice and no other data of it', () => {
    expect(bodyOf(anEvent({ type: 'phone-call.ended', activity: 5550 }))).toEqual({
      type: 'phone-call.ended',
      id: 'evt_1',
      timestamp: '2026-01-02T03:04:05.678Z',
      phoneCallId: '5550',
      data: { phoneCallId: '5550', corpId: 1, environment: 'production' },
    })
  })

  test('of a changed summary is the example of decision D-26', () => {
    expect(bodyOf(anEvent({ type: 'phone-call-summary.update', activity: 5550, version: 3 }))).toEqual({
      type: 'phone-call-summary.update',
      id: 'evt_1',
      timestamp: '2026-01-02T03:04:05.678Z',
      phoneCallId: '5550',
      phoneCallSummaryId: '5550',
      data: {
        phoneCallId: '5550',
        phoneCallSummaryId: '5550',
        summaryVersion: 3,
        corpId: 1,
        environment: 'production',
      },
    })
  })

  test('of a test has no call', () => {
    expect(bodyOf(anEvent({ type: 'webhook.test' }))).toMatchObject({
      type: 'webhook.test',
      data: { corpId: 1, environment: 'production' },
    })
  })

  test('has a body that gives the signed text again', () => {
    const payload = payloadOf(anEvent({ type: 'phone-call.ended', activity: 5550 }))
    expect(payload.ok && JSON.stringify(payload.body)).toBe(payload.ok && payload.text)
  })

  test.each<[string, Partial<Record<keyof WebhookEvent, unknown>>]>([
    ['an instant that is none', { atMs: Number.NaN }],
    ['a number that JSON does not know', { corporation: 1n }],
    ['more text than fits', { environment: 'x'.repeat(2_048) }],
    ['an id with a full stop', { id: 'evt.1' }],
  ])('given %s, it is poison, and says why', (_, wrong) => {
    const event = { ...anEvent({ type: 'phone-call.ended', activity: 1 }), ...wrong } as WebhookEvent
    expect(payloadOf(event)).toEqual({ ok: false, why: expect.stringMatching(/^the event cannot be written down: ./) })
  })
})
