import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { twilioSms } from '../../../src/adapters/sms/twilio-sms.ts'
import { type Clock, RealClock } from '../../../src/kernel/clock.ts'
import { makeLog, silentLog } from '../../../src/kernel/log.ts'
import type { Sms, SmsResult } from '../../../src/ports/sms.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { answerJson, bodyOf, deadPort, serveBytes, serveHttp } from '../http/local-server.ts'

const ACCOUNT = { accountSid: `AC${'0'.repeat(32)}`, authToken: 't0ken' }
const TO = '+3725550001'

function smsTo(baseUrl: string, { from = '+3725559999', clock = new RealClock() as Clock, log = silentLog } = {}): Sms {
  return twilioSms({ ...ACCOUNT, from, baseUrl, clock, log })
}

function send(sms: Sms, text = 'Pay here: https://x.test/1'): Promise<SmsResult> {
  return new Promise((done) => sms.send({ key: 'call/step/1', to: TO, text }, done))
}

/** A Twilio that gives every message this answer and keeps the requests. */
async function fakeTwilio(answer: (response: ServerResponse) => void) {
  const asked: { request: IncomingMessage; form: URLSearchParams }[] = []
  const server = await serveHttp(async (request, response) => {
    asked.push({ request, form: new URLSearchParams(await bodyOf(request)) })
    answer(response)
  })
  return { ...server, asked }
}

test('given a message, Twilio gets a valid request, and its id is returned', async () => {
  const twilio = await fakeTwilio((response) => answerJson(response, 201, { sid: 'SM1', status: 'queued' }))
  expect(await send(smsTo(`${twilio.url}/`))).toEqual({ outcome: 'sent', messageId: 'SM1' })
  const { request, form } = twilio.asked[0]!
  expect(request.method).toBe('POST')
  expect(request.url).toBe(`/2010-04-01/Accounts/${ACCOUNT.accountSid}/Messages.json`)
  const login = Buffer.from(`${ACCOUNT.accountSid}:${ACCOUNT.authToken}`).toString('base64')
  expect(request.headers.authorization).toBe(`Basic ${login}`)
  expect(Object.fromEntries(form)).toEqual({ To: TO, From: '+3725559999', Body: 'Pay here: https://x.test/1' })
})

test('given a messaging service as sender, the request names it as such', async () => {
  const twilio = await fakeTwilio((response) => answerJson(response, 201, { sid: 'SM1' }))
  await send(smsTo(twilio.url, { from: `MG${'0'.repeat(32)}` }))
  expect(twilio.asked[0]!.form.get('MessagingServiceSid')).toBe(`MG${'0'.repeat(32)}`)
  expect(twilio.asked[0]!.form.has('From')).toBe(false)
})

test.each([
  [400, 21211, 'noMobile'],
  [400, 21614, 'noMobile'],
  [400, 21612, 'noMobile'],
  [403, 21408, 'noMobile'],
  [400, 21635, 'noMobile'],
  [400, 21610, 'refused'],
  [400, 21606, 'refused'],
  [401, 20003, 'refused'],
  [400, 99999, 'refused'],
  [429, 20429, 'failed'],
  [500, 20500, 'uncertain'],
  [503, 20503, 'uncertain'],
] as const)('given HTTP %i with error %i, the message is %s', async (status, code, outcome) => {
  const answer = { status, code, message: `The number ${TO} is wrong`, more_info: '' }
  const twilio = await fakeTwilio((response) => answerJson(response, status, answer))
  const result = await send(smsTo(twilio.url))
  expect(result).toMatchObject({ outcome, why: expect.stringContaining(String(code)) })
  expect(JSON.stringify(result)).not.toContain(TO)
})

test.each([
  ['HTML with 200', 200, '<html>', 'uncertain'],
  ['an empty object with 201', 201, '{}', 'uncertain'],
  ['HTML with 400', 400, '<html>', 'refused'],
  ['HTML with 502', 502, '<html>', 'uncertain'],
  ['a list with 404', 404, '[]', 'refused'],
] as const)('given %s, nothing is thrown', async (_, status, body, outcome) => {
  const twilio = await fakeTwilio((response) => response.writeHead(status).end(body))
  expect(await send(smsTo(twilio.url))).toMatchObject({ outcome })
})

test('given a redirect, it is not followed', async () => {
  const target = await fakeTwilio((response) => answerJson(response, 201, { sid: 'SM1' }))
  const twilio = await fakeTwilio((response) => response.writeHead(307, { location: target.url }).end())
  expect(await send(smsTo(twilio.url))).toMatchObject({ outcome: 'refused' })
  expect(target.asked).toHaveLength(0)
})

test('given an unreachable Twilio, the message failed; the next one is sent', async () => {
  const sms = smsTo((await deadPort()).url)
  expect(await send(sms)).toMatchObject({ outcome: 'failed', why: expect.stringContaining('ECONNREFUSED') })
  expect(await send(sms)).toMatchObject({ outcome: 'failed' })
})

test('given a connection lost after the request, the message is uncertain', async () => {
  const { url } = await serveBytes((socket) => socket.once('data', () => socket.resetAndDestroy()))
  expect(await send(smsTo(url))).toMatchObject({ outcome: 'uncertain' })
})

test('given no answer within ten seconds, the message is uncertain, and a late answer changes nothing', async () => {
  const clock = new VirtualClock()
  const arrived = Promise.withResolvers<ServerResponse>()
  const { url } = await fakeTwilio(arrived.resolve)
  const results: SmsResult[] = []
  const settled = Promise.withResolvers<void>()
  const lines: string[] = []
  const late = Promise.withResolvers<void>()
  const write = (line: string) => {
    lines.push(line)
    if (line.includes('after all')) late.resolve()
  }
  smsTo(url, { clock, log: makeLog('debug', { write }) }).send({ key: 'k', to: TO, text: 'x' }, (result) => {
    results.push(result)
    settled.resolve()
  })
  const response = await arrived.promise
  clock.run(10_000)
  await settled.promise
  answerJson(response, 201, { sid: 'SM1' })
  await late.promise
  expect(results).toEqual([{ outcome: 'uncertain', why: 'Twilio did not answer within 10000 ms' }])
  expect(lines.join('')).not.toContain(TO)
})

test('given an invalid account, the message failed and says why', async () => {
  const options = { accountSid: 'nonsense', authToken: 'x', from: '+1', clock: new RealClock(), log: silentLog }
  expect(await send(twilioSms(options))).toMatchObject({
    outcome: 'failed',
    why: expect.stringContaining('accountSid must start with AC'),
  })
})
