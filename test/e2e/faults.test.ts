/** The connection to the switch, the switch itself and the integrator fail in the middle of real calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Misbehaviour } from '../../demo/servers/integrator.ts'
import { type Live, startLive } from './live.ts'

let live: Live

beforeAll(async () => {
  const everybody = (text: string) =>
    text.replace('collections: { agents: [cleo]', 'collections: { agents: [anna, ben, cleo]')
  live = await startLive({ setup: everybody })
})

afterAll(() => live?.close())

const typesOpenCase = (afterMs: number) => ({
  presses: [
    { afterMs, keys: '4714#' },
    { afterMs: 2_500, keys: '1' },
  ],
  // Long enough to get the text message, and to hear the following prompt.
  hangsUpAfterMs: afterMs + 12_000,
})

test('given a connection cut in mid-prompt, the caller hears it to its end and the flow continues', async () => {
  const { call, proxy, twilio } = live
  const phone = await call('+4552000001', typesOpenCase(4_000))
  await phone.answered
  proxy.cut()
  const record = await phone.record
  expect(record).toMatchObject({ outcome: 'abandoned', marks: ['payment-info-sent'] })
  expect(twilio.messages.filter(({ to }) => to === '+4552000001')).toHaveLength(1)
  expect(phone.ear.heard.soundMs).toBeGreaterThan(1_000)
})

test('given a caller who hangs up during the cut, the call is settled when the connection is back', async () => {
  const { call, proxy, service } = live
  const phone = await call('+4552000002', { hangsUpAfterMs: 1_500 })
  await phone.answered
  proxy.refuse()
  expect(await phone.result).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
  proxy.heal()
  const record = await phone.record
  expect(record.outcome).toBe('abandoned')
  // The leg is gone, or, if the connection came back within a few ms of the hang-up, ended as usual.
  expect(['lost', 'hungUp']).toContain(record.endedBy)
  expect(service.engine.callCount).toBe(0)
})

test('given a switch that dies with its calls, they end as lost and the next caller is served', async () => {
  const { call, startAsterisk, asterisk, logged } = live
  const phone = await call('+4552000003', {})
  await phone.answered
  await asterisk.kill()
  await startAsterisk()
  expect(await phone.record).toMatchObject({ outcome: 'abandoned', endedBy: 'lost' })
  expect(logged.some((line) => line.includes('the switch was restarted'))).toBe(true)
  await phone.close()

  const next = await call('+4552000004', typesOpenCase(1_500))
  expect(await next.record).toMatchObject({ outcome: 'abandoned', marks: ['payment-info-sent'] })
})

test('a wrong password stops the start, names the settings to check, and is not logged', async () => {
  const { start, asterisk, logged } = live
  const started = await start({ user: asterisk.ari.user, password: 'not-the-password' })
  expect(started).toMatchObject({ ok: false, stage: 'switch' })
  expect('reasons' in started && started.reasons.join()).toContain('ARI_PASSWORD')
  expect(logged.join()).not.toContain('not-the-password')
})

describe('given a doubtful answer about a case, the caller reaches a person and hears no details', () => {
  const ways: readonly Misbehaviour[] = [
    'slow',
    'serverError',
    'garbage',
    'notAnObject',
    'missingField',
    'tooLarge',
    'redirect',
    'otherCase',
    'resets',
  ]

  test(ways.join(', '), async () => {
    const { agent, call, integrator, twilio, service } = live
    // They stay long enough to hear the whisper and the caller.
    for (const name of ['anna', 'ben', 'cleo']) {
      await agent(name, { does: 'answer', afterMs: 100, hangsUpAfterMs: 4_000 })
    }
    const records = ways.map(async (how, index) => {
      const caseNumber = `80${index}`
      integrator.misbehave(caseNumber, how)
      const person = {
        presses: [
          { afterMs: 1_500, keys: `${caseNumber}#` },
          { afterMs: 2_500, keys: '1' },
        ],
      }
      const phone = await call(`+455300000${index}`, person)
      return { how, record: await phone.record }
    })
    for (const { how, record } of await Promise.all(records)) {
      expect.soft({ how, path: record.path }).toEqual({
        how,
        path: ['welcome', 'known', 'ask-case', 'lookup', 'team', 'goodbye'],
      })
      expect.soft({ how, outcome: record.outcome }).toEqual({ how, outcome: 'talked' })
    }
    expect(twilio.messages.filter(({ to }) => to.startsWith('+455300000'))).toEqual([])
    expect(service.engine.callCount).toBe(0)
  })
})
