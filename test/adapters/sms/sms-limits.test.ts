import { expect, test } from 'vitest'
import { noSms } from '../../../src/adapters/sms/no-sms.ts'
import { limitedSms } from '../../../src/adapters/sms/sms-limits.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { SentTexts, TextLimits } from '../../../src/ports/calls/sent-texts.ts'
import type { Sms, SmsMessage, SmsResult } from '../../../src/ports/sms.ts'
import { SimSentTexts } from '../../sim/sim-sent-texts.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A provider that answers on command, as a slow one does. */
function setUp(limits: Partial<TextLimits> = {}, sent: SentTexts = new SimSentTexts()) {
  const clock = new VirtualClock()
  const asked: { message: SmsMessage; done: (result: SmsResult) => void }[] = []
  const provider: Sms = { send: (message, done) => void asked.push({ message, done }) }
  const destinationOf = (to: string) => (to.startsWith('+46') ? { abroad: 'SE' } : {})
  const sms = limitedSms(provider, { clock, log: silentLog, destinationOf, sent, limits })
  /** Returns its results when it is with the provider, or refused. */
  const send = async (key: string, to = '+3725550001', text = 'Pay here', about?: string) => {
    const results: SmsResult[] = []
    const before = asked.length
    sms.send({ key, to, text, ...(about !== undefined && { about }) }, (result) => results.push(result))
    expect(results).toEqual([])
    await clock.runWithPromisesUntil(() => asked.length > before || results.length > 0, 1)
    return results
  }
  /** Sends, lets the provider accept the message, and returns the outcome. */
  const outcome = async (key: string, to?: string, about?: string) => {
    const before = asked.length
    const results = await send(key, to, undefined, about)
    if (asked.length > before) asked.at(-1)!.done({ outcome: 'sent', messageId: `id-${key}` })
    return results[0]?.outcome
  }
  return { clock, asked, send, outcome }
}

test('given a key used twice while the first is under way, one message is sent and both get its outcome', async () => {
  const { asked, send } = setUp()
  const first = await send('call/step/1')
  const second = await send('call/step/1', '+3725550002', 'another text')
  expect(asked).toHaveLength(1)
  asked[0]!.done({ outcome: 'sent', messageId: 'id' })
  expect([first, second]).toEqual([[{ outcome: 'sent', messageId: 'id' }], [{ outcome: 'sent', messageId: 'id' }]])
})

test.each([
  { outcome: 'sent', messageId: 'id' },
  { outcome: 'uncertain', why: 'x' },
  { outcome: 'failed', why: 'x' },
] as const)('given a key with the outcome $outcome, it has that outcome again and nothing is sent', async (result) => {
  const { asked, send } = setUp()
  await send('call/step/1')
  asked[0]!.done(result)
  const again = await send('call/step/1')
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
])('given the number %j, it is not a mobile number and the provider is not asked', async (to) => {
  const { asked, send } = setUp()
  const results = await send('k', to)
  expect(results).toMatchObject([{ outcome: 'noMobile' }])
  expect(asked).toHaveLength(0)
})

test('given an empty or oversized text, the message is refused', async () => {
  const { send } = setUp()
  const results = [await send('a', undefined, ' '), await send('b', undefined, 'x'.repeat(1_601))]
  expect(results).toMatchObject([[{ outcome: 'refused' }], [{ outcome: 'refused' }]])
})

test('given five messages to one number, the sixth fails until a day has passed since the first', async () => {
  const { clock, outcome } = setUp()
  for (let i = 0; i < 5; i++) {
    expect(await outcome(`key-${i}`)).toBe('sent')
    clock.run(1_000)
  }
  expect(await outcome('key-5')).toBe('failed')
  expect(await outcome('other', '+3725550002')).toBe('sent')
  clock.run(DAY_MS - 5_000)
  expect(await outcome('key-7')).toBe('sent')
  expect(await outcome('key-8')).toBe('failed')
})

test.each([
  ['daily total', { ofAll: 3 }, (place: number) => `+372555000${place}`],
  ['daily total of a country', { ofCountry: 3 }, (place: number) => `+4670123456${place}`],
])('given that the %s is used up, no message is sent', async (_, limits, numberAt) => {
  const { clock, outcome } = setUp(limits)
  for (let i = 0; i < 3; i++) expect(await outcome(`key-${i}`, numberAt(i))).toBe('sent')
  expect(await outcome('key-3', numberAt(9))).toBe('failed')
  clock.run(DAY_MS)
  expect(await outcome('key-4', numberAt(9))).toBe('sent')
})

test('given a case about which a call had messages, another call gets none within the hour', async () => {
  const { clock, outcome } = setUp()
  expect(await outcome('one/pay/1', '+3725550001', 'C-1')).toBe('sent')
  expect(await outcome('one/thanks/2', '+3725550001', 'C-1')).toBe('sent')
  expect(await outcome('two/pay/1', '+3725550002', 'C-1')).toBe('failed')
  expect(await outcome('three/pay/1', '+3725550003', 'C-2')).toBe('sent')
  expect(await outcome('four/pay/1', '+3725550003')).toBe('sent')
  clock.run(HOUR_MS)
  expect(await outcome('five/pay/1', '+3725550002', 'C-1')).toBe('sent')
})

test('given a message that was not sent, it does not count; an uncertain one does', async () => {
  const { asked, outcome, send } = setUp({ ofNumber: 1 })
  await send('a')
  asked[0]!.done({ outcome: 'failed', why: 'no connection' })
  await send('b')
  asked[1]!.done({ outcome: 'uncertain', why: 'no answer' })
  expect(await outcome('c')).toBe('failed')
})

test('given limits that cannot be read, no message is sent', async () => {
  const broken: SentTexts = { note: () => Promise.reject(new Error('no database')), forget: async () => {} }
  const { asked, send } = setUp({}, broken)
  expect(await send('a')).toMatchObject([{ outcome: 'failed', why: expect.stringContaining('no database') }])
  expect(asked).toHaveLength(0)
})

test('given no provider, every message fails and names the missing setting', async () => {
  const result = await new Promise<SmsResult>((done) => noSms.send({ key: 'k', to: '+3725550001', text: 'x' }, done))
  expect(result).toMatchObject({ outcome: 'failed', why: expect.stringContaining('TWILIO_ACCOUNT_SID') })
})
