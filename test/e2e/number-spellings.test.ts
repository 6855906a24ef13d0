/** Callers of carriers that spell numbers in their own way, and callers whose number is nobody's business. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRecord } from '../../src/flow/model/call-messages.ts'
import { type Live, OTHER_NUMBER, startLive } from './live.ts'

const FLOW = `flow: receipt
start: known
steps:
  known: { branch: { cases: [{ has: caller.number, next: text }], else: bye } }
  text: { sms: { text: "You called \${call.called} from \${caller.number}" }, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

let live: Live

beforeAll(async () => {
  const danish = (text: string) => text.replace('carrier: { host:', 'carrier: { country: DK, host:')
  live = await startLive({ flow: FLOW, setup: danish, settings: { smsCountries: ['SE'] } })
})

afterAll(() => live?.close())

/** One call, and its record: under which number it stands there is what these tests ask. */
async function callFrom(caller: string, called: string, headers: readonly string[] = []): Promise<CallRecord> {
  const ended = new Promise<CallRecord>((tell) => live.service.engine.onCallEnded(tell))
  const phone = await live.call(caller, {}, called, headers)
  expect(await phone.result).toMatchObject({ outcome: 'connected' })
  return ended
}

test.each([
  ['4533100001', '4570001001', '+4533100001'],
  ['004533100002', '004570001001', '+4533100002'],
  ['33100003', '70001001', '+4533100003'],
  ['46701234567', '+4570001001', '+46701234567'],
])('the caller %s of %s gets the text', async (caller, called, number) => {
  expect(await callFrom(caller, called)).toMatchObject({
    caller: number,
    called: OTHER_NUMBER,
    path: ['known', 'text', 'bye'],
  })
  const texts = live.twilio.messages.filter(({ to }) => to === number)
  expect(texts.map(({ text }) => text)).toEqual([`You called ${OTHER_NUMBER} from ${number}`])
})

test('a call for a number that nobody configured is refused, and the log names the number and the trunk', async () => {
  const phone = await live.call('+4533100004', {}, '4570001999')
  expect(await phone.result).toMatchObject({ outcome: 'refused', code: 404 })
  const line = live.logged.find((one) => one.includes('no flow answers this number'))
  expect(JSON.parse(line!)).toMatchObject({ called: '4570001999', trunk: 'carrier' })
  expect(live.logged.join()).not.toContain('4533100004')
})

test.each([
  [
    'asserts it to the network alone',
    'anonymous',
    ['P-Asserted-Identity: <sip:+4533100005@[local_ip]>', 'Privacy: id'],
  ],
  ['sends it in From all the same', '+4533100006', ['Privacy: id']],
  ['asserts and sends it', '+4533100007', ['P-Asserted-Identity: <sip:+4533100007@[local_ip]>', 'Privacy: user;id']],
])('a withheld number is neither shown nor texted: a carrier that %s', async (_, caller, headers) => {
  expect(await callFrom(caller, OTHER_NUMBER, headers)).toMatchObject({ caller: undefined, path: ['known', 'bye'] })
})

test.each(['none', 'session'])('a number with Privacy: %s is not withheld', async (privacy) => {
  expect(await callFrom('+4533100008', OTHER_NUMBER, [`Privacy: ${privacy}`])).toMatchObject({ caller: '+4533100008' })
})
