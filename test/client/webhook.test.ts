/** The receiving side of webhooks: genuine messages are opened, all others are refused. */
import { expect, test } from 'vitest'
import { openWebhook } from '../../src/client/webhook.ts'
import { secretOf, sign } from '../../src/webhooks/sign.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

const clock = new VirtualClock()
const secret = secretOf(Buffer.alloc(32, 7))
const body = JSON.stringify({ type: 'phone-call.ended', id: 'evt_1', timestamp: '2026-03-02T09:00:00.000Z', data: {} })
const signed = (text = body, atMs = clock.nowMs()) => ({ ...sign({ id: 'evt_1', atMs, body: text }, [secret]) })

test('a genuine message is opened with either secret during a rotation', () => {
  const other = secretOf(Buffer.alloc(32, 8))
  for (const secrets of [[secret], [other, secret]]) {
    const opened = openWebhook(signed(), body, secrets, clock)
    expect(opened).toMatchObject({ genuine: true, event: { type: 'phone-call.ended', id: 'evt_1' } })
  }
})

test.each([
  ['forged', () => openWebhook(signed(), `${body} `, [secret], clock)],
  ['forged', () => openWebhook(signed(), body, [secretOf(Buffer.alloc(32, 9))], clock)],
  ['incomplete', () => openWebhook({}, body, [secret], clock)],
  ['incomplete', () => openWebhook({ ...signed(), 'webhook-id': ['evt_1', 'evt_2'] }, body, [secret], clock)],
  ['tooOld', () => openWebhook(signed(body, clock.nowMs() - 301_000), body, [secret], clock)],
  ['tooNew', () => openWebhook(signed(body, clock.nowMs() + 301_000), body, [secret], clock)],
  ['no secret', () => openWebhook(signed(), body, ['whsec_'], clock)],
  ['no event', () => openWebhook(signed('[]'), '[]', [secret], clock)],
  ['no event', () => openWebhook(signed('{'), '{', [secret], clock)],
] as const)('a message is not believed: %s', (why, open) => {
  expect(open()).toEqual({ genuine: false, why })
})
