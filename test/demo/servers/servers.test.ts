import { afterEach, describe, expect, test } from 'vitest'
import { type FakeTwilio, startFakeTwilio } from '../../../demo/servers/fake-twilio.ts'
import { type Integrator, type Misbehaviour, startIntegrator } from '../../../demo/servers/integrator.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

describe('the integrator', () => {
  const clock = new VirtualClock()
  const authorization = 'Bearer rehearsal'

  async function started(): Promise<Integrator> {
    const integrator = await startIntegrator({ clock, authorization })
    open.push(integrator)
    return integrator
  }
  const ask = (integrator: Integrator, path: string, headers: Record<string, string> = { authorization }) =>
    fetch(integrator.url + path, { headers, redirect: 'manual' })

  test.for([
    ['4711', { closedDate: null, caseCategory: 'consumer', remainingAmount: 120.5 }],
    ['4712', { closedDate: '2026-02-14T09:30:00Z' }],
    ['4713', { closedDate: null, caseCategory: 'business' }],
  ] as const)('knows case %s', async ([caseNumber, fields]) => {
    const answer = await ask(await started(), `/CaseInfo/${caseNumber}`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ caseNumber, ...fields })
  })

  test('refuses strangers, and reports unknown paths', async () => {
    const integrator = await started()
    const paths = ['/CaseInfo/1', '/', '/CaseInfo/4711/x', '/CaseInfo/%']
    for (const path of paths) expect((await ask(integrator, path)).status).toBe(404)
    expect((await ask(integrator, '/CaseInfo/4711', {})).status).toBe(401)
    expect(integrator.requests).toBe(5)
    expect(integrator.requestsFor('1')).toBe(1)
    expect(integrator.requestsFor('4711')).toBe(0)
  })

  test.for<[Misbehaviour, number, RegExp]>([
    ['notFound', 404, /./],
    ['serverError', 500, /./],
    ['garbage', 200, /^<html>/],
    ['notAnObject', 200, /^\[\{/],
    ['missingField', 200, /^(?!.*closedDate)/],
    ['tooLarge', 200, /x{1000}/],
    ['redirect', 302, /^$/],
    ['otherCase', 200, /"9999"/],
  ])('can misbehave: %s', async ([how, status, body]) => {
    const integrator = await started()
    integrator.misbehave('4711', how)
    const answer = await ask(integrator, '/CaseInfo/4711')
    expect(answer.status).toBe(status)
    expect(await answer.text()).toMatch(body)
    expect((await (await ask(integrator, '/CaseInfo/4712')).json()) as object).toMatchObject({ caseNumber: '4712' })
    integrator.misbehave('4711', undefined)
    expect(await (await ask(integrator, '/CaseInfo/4711')).json()).toMatchObject({ caseNumber: '4711' })
  })

  test('can break the connection off', async () => {
    const integrator = await started()
    integrator.misbehave('4711', 'resets')
    await expect(ask(integrator, '/CaseInfo/4711')).rejects.toThrow()
  })

  test('can be slow, on its given clock', async () => {
    const integrator = await started()
    integrator.misbehave('4711', 'slow')
    const answer = ask(integrator, '/CaseInfo/4711')
    // The second request is answered after the first: the first has been taken.
    while (integrator.requestsFor('4711') === 0) await ask(integrator, '/CaseInfo/4712')
    clock.run(60_000)
    expect((await answer).status).toBe(200)
  })
})

describe('the simulated Twilio', () => {
  const account = { accountSid: 'AC1', authToken: 'secret' }
  const message = { To: '+4551234567', From: '+4570001000', Body: 'Pay here: €120.50' }

  async function started(): Promise<FakeTwilio> {
    const twilio = await startFakeTwilio(account)
    open.push(twilio)
    return twilio
  }
  const post = (twilio: FakeTwilio, token = account.authToken) =>
    fetch(`${twilio.url}/2010-04-01/Accounts/AC1/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`AC1:${token}`)}` },
      body: new URLSearchParams(message),
    })

  test('accepts a message of its account', async () => {
    const twilio = await started()
    const answer = await post(twilio)
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ status: 'queued', sid: expect.stringMatching(/^SM\d{32}$/) })
    expect(twilio.messages).toEqual([{ to: message.To, from: message.From, text: message.Body }])
  })

  test('refuses one of a stranger', async () => {
    const twilio = await started()
    expect((await post(twilio, 'guess')).status).toBe(401)
    expect(twilio.messages).toEqual([])
  })

  test('refuses as scripted', async () => {
    const twilio = await started()
    twilio.refuse(message.To, 21_614)
    const answer = await post(twilio)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 21_614 })
    expect(twilio.messages).toEqual([])
  })
})
