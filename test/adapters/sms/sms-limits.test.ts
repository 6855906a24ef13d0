import { expect, test } from 'vitest'
import { noSms } from '../../../src/adapters/sms/no-sms.ts'
import { limitedSms } from '../../../src/adapters/sms/sms-limits.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Sms, SmsMessage, SmsResult } from '../../../src/ports/sms.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const DAY_MS = 24 * 3_600_000

/** A provider that answers on command, as a slow one does. */
function setUp(limits: { perNumberMax?: number; perDayMax?: number } = {}) {
  const clock = new VirtualClock()
  const asked: { message: SmsMessage; done: (result: SmsResult) => void }[] = []
  const provider: Sms = { send: (message, done) => void asked.push({ message, done }) }
  const sms = limitedSms(provider, { clock, log: silentLog, ...limits })
  const send = (key: string, to = '+3725550001', text = 'Pay here') => {
    const results: SmsResult[] = []
    sms.send({ key, to, text }, (result) => results.push(result))
    return results
  }
  /** Sends, lets the provider accept the message, and returns the outcome. */
  const outcome = (key: string, to?: string) => {
    const results = send(key, to)
    asked.at(-1)?.done({ outcome: 'sent', messageId: `id-${key}` })
    clock.run(0)
    return results[0]?.outcome
  }
  return { clock, asked, send, outcome }
}

test('given a key used twice while the first is under way, one message is sent and both get its outcome', () => {
  const { asked, send } = setUp()
  const first = send('call/step/1')
  const second = send('call/step/1', '+3725550002', 'another text')
  expect(asked).toHaveLength(1)
  asked[0]!.done({ outcome: 'sent', messageId: 'id' })
  expect([first, second]).toEqual([[{ outcome: 'sent', messageId: 'id' }], [{ outcome: 'sent', messageId: 'id' }]])
})

test.each([
  { outcome: 'sent', messageId: 'id' },
  { outcome: 'uncertain', why: 'x' },
  { outcome: 'failed', why: 'x' },
] as const)('given a key with the outcome $outcome, it has that outcome again and nothing is sent', (result) => {
  const { asked, clock, send } = setUp()
  send('call/step/1')
  asked[0]!.done(result)
  const again = send('call/step/1')
  expect(again).toEqual([])
  clock.run(0)
  expect(again).toEqual([result])
  expect(asked).toHaveLength(1)
})

test.each([
  '',
  'anonymous',
  '5550001',
  '+12',
  '+1234567',
  '+1234567890123456',
  '+0123456789',
  '+372 5550001',
  '+3725550001\n',
  '٣٧٢٥٥٥٠٠٠١',
  'sip:+3725550001@x',
])('given the number %j, it is not a mobile number and the provider is not asked', (to) => {
  const { asked, clock, send } = setUp()
  const results = send('k', to)
  clock.run(0)
  expect(results).toMatchObject([{ outcome: 'noMobile' }])
  expect(asked).toHaveLength(0)
})

test('given an empty or oversized text, the message is refused', () => {
  const { clock, send } = setUp()
  const results = [send('a', undefined, ' '), send('b', undefined, 'x'.repeat(1_601))]
  clock.run(0)
  expect(results).toMatchObject([[{ outcome: 'refused' }], [{ outcome: 'refused' }]])
})

test('given five messages to one number, the sixth fails until a day has passed since the first', () => {
  const { clock, outcome } = setUp()
  for (let i = 0; i < 5; i++) {
    expect(outcome(`key-${i}`)).toBe('sent')
    clock.run(1_000)
  }
  expect(outcome('key-5')).toBe('failed')
  expect(outcome('other', '+3725550002')).toBe('sent')
  clock.run(DAY_MS - 5_000 - 1)
  expect(outcome('key-6')).toBe('failed')
  clock.run(1)
  expect(outcome('key-7')).toBe('sent')
  expect(outcome('key-8')).toBe('failed')
})

test('given that the daily total is used up, no message is sent', () => {
  const { clock, outcome } = setUp({ perDayMax: 3 })
  for (let i = 0; i < 3; i++) expect(outcome(`key-${i}`, `+372555000${i}`)).toBe('sent')
  expect(outcome('key-3', '+3725550009')).toBe('failed')
  clock.run(DAY_MS)
  expect(outcome('key-4', '+3725550009')).toBe('sent')
})

test('given a message that was not sent, it does not count; an uncertain one does', () => {
  const { asked, outcome, send } = setUp({ perNumberMax: 1 })
  send('a')
  asked[0]!.done({ outcome: 'failed', why: 'no connection' })
  send('b')
  asked[1]!.done({ outcome: 'uncertain', why: 'no answer' })
  expect(outcome('c')).toBe('failed')
})

test('given no provider, every message fails and names the missing setting', async () => {
  const result = await new Promise<SmsResult>((done) => noSms.send({ key: 'k', to: '+3725550001', text: 'x' }, done))
  expect(result).toMatchObject({ outcome: 'failed', why: expect.stringContaining('TWILIO_ACCOUNT_SID') })
})
