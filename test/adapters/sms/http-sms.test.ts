import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { httpSms } from '../../../src/adapters/sms/http-sms.ts'
import { type Clock, RealClock } from '../../../src/kernel/clock.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { Sms, SmsResult } from '../../../src/ports/sms.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { answerJson, bodyOf, deadPort, serveBytes, serveHttp } from '../http/local-server.ts'

const BODY = { recipient: '{to}', message: 'Info: {text}', reference: 'ref-{key}', sender: 'Switchboard' }

function smsTo(url: string, clock: Clock = new RealClock()): Sms {
  const config = { url, authorizationFrom: 'GATEWAY_TOKEN', body: BODY }
  const sms = httpSms({ config, authorization: 'Bearer t0ken', clock, log: silentLog })
  onTestFinished(() => sms.close())
  return sms
}

function send(sms: Sms, text = 'Pay here'): Promise<SmsResult> {
  return new Promise((done) => sms.send({ key: 'call/step/1', to: '+3725550001', text }, done))
}

async function gateway(answer: (response: ServerResponse) => void) {
  const asked: { headers: IncomingMessage['headers']; body: unknown }[] = []
  const server = await serveHttp(async (request, response) => {
    asked.push({ headers: request.headers, body: JSON.parse(await bodyOf(request)) })
    answer(response)
  })
  return { ...server, asked }
}

test('given a message, the gateway gets the configured body with its placeholders filled', async () => {
  const { url, asked } = await gateway((response) => answerJson(response, 202, { id: 42 }))
  expect(await send(smsTo(url), 'say "{to}" & {key}\n')).toEqual({ outcome: 'sent', messageId: '42' })
  expect(asked[0]!.body).toEqual({
    recipient: '+3725550001',
    message: 'Info: say "{to}" & {key}\n',
    reference: 'ref-call/step/1',
    sender: 'Switchboard',
  })
  expect(asked[0]!.headers).toMatchObject({ authorization: 'Bearer t0ken', 'idempotency-key': 'call/step/1' })
})

test.each(['', 'OK', '[]', 'null', '{"id":null}'])(
  'given a success that says %j, the idempotency key serves as the id',
  async (body) => {
    const { url } = await gateway((response) => response.writeHead(200).end(body))
    expect(await send(smsTo(url))).toEqual({ outcome: 'sent', messageId: 'call/step/1' })
  },
)

test.each([
  [302, 'refused'],
  [400, 'refused'],
  [401, 'refused'],
  [408, 'uncertain'],
  [429, 'failed'],
  [500, 'uncertain'],
  [503, 'uncertain'],
] as const)('given HTTP %i, the message is %s', async (status, outcome) => {
  const { url } = await gateway((response) => response.writeHead(status, { location: 'http://127.0.0.1/' }).end())
  expect(await send(smsTo(url))).toMatchObject({ outcome })
})

test('given an unreachable gateway, the message failed; given a reset after the request, it is uncertain', async () => {
  expect(await send(smsTo((await deadPort()).url))).toMatchObject({ outcome: 'failed' })
  const reset = await serveBytes((socket) => socket.once('data', () => socket.resetAndDestroy()))
  expect(await send(smsTo(reset.url))).toMatchObject({ outcome: 'uncertain' })
})

test('given no answer within ten seconds, the message is uncertain and the connection is closed', async () => {
  const clock = new VirtualClock()
  const arrived = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const { url } = await gateway((response) => {
    response.on('close', gone.resolve)
    arrived.resolve()
  })
  const result = send(smsTo(url, clock))
  await arrived.promise
  clock.run(10_000)
  expect(await result).toMatchObject({ outcome: 'uncertain' })
  await gone.promise
})
