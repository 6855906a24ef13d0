/** Debtors on a real Asterisk who pay while they are on the line, in the shipped flow: thanked, led on, or kept. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findTree } from '../../../asterisk/tree.ts'
import { EXAMPLE_CASES, type Integrator, startIntegrator } from '../../../demo/servers/integrator.ts'
import { bodyOf, type RunningServer, sendJson, serve } from '../../../demo/servers/web-server.ts'
import { callIn, type SippCaller } from '../../../demo/sip/sipp-phone.ts'
import { writeWav } from '../../../src/adapters/speech/wav.ts'
import type { Client } from '../../../src/client/client.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import type { Press } from '../../../src/sim/person.ts'
import { talkative } from '../../worlds/set-up.ts'
import { becomesTrue, integratorOf } from '../campaign-live.ts'
import { makePlace, type Place } from '../campaign-place.ts'
import { type EngineProcess, startEngine } from '../engine-process.ts'

const LINE = '+4570001000'
const IMPATIENT_LINE = '+4570001001'
const TOKEN = 'Bearer e2e'
const RATE_HZ = 8_000
/** What the caller hears instead of words: the same flow, with recordings in three of its steps. */
const TONES = { hold: 500, thanks: 900, 'not-paid': 1_300 } as const
const shipped = talkative(readFileSync(new URL('../../../flows/debtor-self-service.yaml', import.meta.url), 'utf8'))

/** The shipped flow, changed in what it says there and nowhere else. */
function spoken(flow: string): string {
  const changes: readonly [RegExp, string][] = [
    [/hold: Please pay .*/, 'hold: { file: hold.wav }'],
    [/play: Your payment has arrived\..*/, 'play: { file: thanks.wav }'],
    [/play: Your payment has not arrived yet\..*/, 'play: { file: not-paid.wav }'],
  ]
  return changes.reduce((text, [words, file]) => {
    expect(text).toMatch(words)
    return text.replace(words, file)
  }, flow)
}

const clock = new RealClock()
const texts: string[] = []
let gateway: RunningServer
let debts: Integrator
let place: Place
let engine: EngineProcess
let client: Client

beforeAll(async () => {
  gateway = await serve((request, response) => {
    void bodyOf(request).then((body) => {
      texts.push(body)
      sendJson(response, 200, { id: `text-${texts.length}` })
    })
  })
  const more = { ...EXAMPLE_CASES[0]!, caseNumber: '4715', paymentUrl: 'https://pay.example/4715' }
  debts = await startIntegrator({ clock, authorization: TOKEN, cases: [...EXAMPLE_CASES, more] })
  const impatient = shipped.replace('flow: debtor-self-service', 'flow: impatient').replace('for: 3m', 'for: 5s')
  place = await makePlace({
    agents: ['cleo'],
    teams: ['collections', 'collections-consumer', 'collections-business'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    numbers: [`"${LINE}": { flow: debtor-self-service }`, `"${IMPATIENT_LINE}": { flow: impatient }`],
    flows: { 'debtor-self-service': spoken(shipped), impatient: spoken(impatient) },
    allowedHosts: [gateway, debts].map(({ url }) => new URL(url).host),
    env: { DEMO_INTEGRATOR_URL: debts.url, DEMO_CASE_INFO_TOKEN: TOKEN },
    more: [
      'env: { integrator: DEMO_INTEGRATOR_URL }',
      'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }',
      `sms: { url: "${gateway.url}/texts", body: { to: "{to}", text: "{text}" } }`,
    ],
  })
  for (const [name, hz] of Object.entries(TONES)) {
    const tone = Int16Array.from(
      { length: 2 * RATE_HZ },
      (_, at) => 8_000 * Math.sin((2 * Math.PI * hz * at) / RATE_HZ),
    )
    writeFileSync(join(place.settings.flowsDir, `${name}.wav`), writeWav(tone, RATE_HZ))
  }
  engine = startEngine(place)
  await engine.ready
  const database = await place.openDatabaseFor()
  client = await integratorOf(database, clock, `http://127.0.0.1:${place.env['SSO_PORT']}`)
  await database.database.close()
})

afterAll(async () => {
  await engine?.kill('SIGTERM')
  await place?.remove()
  await gateway?.close()
  await debts?.close()
})

const press = (afterMs: number, keys: string): Press => ({ afterMs, keys })

/** Types a case, confirms it, and stays on the line to pay. */
async function payer(from: string, caseNumber: string, called = LINE): Promise<SippCaller> {
  const phone = await callIn({
    kit: { sipp: findTree(place.treeDirectory)!.sipp!, clock, random: seededRandom(process.pid) },
    target: place.sip,
    from: place.carrier.host,
    called,
    caller: from,
    listensFor: Object.values(TONES),
    person: { presses: [press(1_500, `${caseNumber}#`), press(3_000, '1'), press(4_000, '1')], waitsMaxMs: 90_000 },
  })
  onTestFinished(() => phone.close())
  return phone
}

const hears = (phone: SippCaller, what: keyof typeof TONES) =>
  becomesTrue(clock, () => phone.ear.heardTone(TONES[what]) > 1_000)
const paid = (key: string, amount: number) =>
  client.ask('POST /svcpbx/flowevents', { body: { name: 'payment.completed', key, data: { amount } } })

test('a debtor who pays while they wait is thanked at once', async () => {
  const phone = await payer('+4551000001', '4711')
  expect(await hears(phone, 'hold')).toBe(true)
  expect(texts.filter((text) => text.includes('https://pay.example/4711'))).toHaveLength(1)
  expect(await paid('4711', 120.5)).toMatchObject({ repeated: false, waitingCalls: 1 })
  expect(await hears(phone, 'thanks')).toBe(true)
  expect(phone.ear.heardTone(TONES['not-paid'])).toBe(0)
})

test('a payment of another case leaves the debtor waiting, and one who does not pay is led on', async () => {
  const phone = await payer('+4551000002', '4713', IMPATIENT_LINE)
  expect(await hears(phone, 'hold')).toBe(true)
  expect(await paid('4714', 9.9)).toMatchObject({ repeated: false, waitingCalls: 0 })
  expect(await hears(phone, 'not-paid')).toBe(true)
  expect(phone.ear.heardTone(TONES.thanks)).toBe(0)
})

test('a payment that was faster than the debtor is not lost', async () => {
  const phone = await payer('+4551000003', '4714')
  expect(await paid('4714', 9.9)).toMatchObject({ waitingCalls: 0 })
  expect(await hears(phone, 'thanks')).toBe(true)
  expect(phone.ear.heardTone(TONES.hold)).toBe(0)
})

test('a debtor whose engine is killed still waits, and is thanked without typing anything again', async () => {
  const phone = await payer('+4551000004', '4715')
  expect(await hears(phone, 'hold')).toBe(true)
  const heardMs = phone.ear.heardTone(TONES.hold)
  await engine.kill('SIGKILL')
  engine = startEngine(place)
  await engine.ready
  expect(await becomesTrue(clock, () => phone.ear.heardTone(TONES.hold) > heardMs + 1_000)).toBe(true)
  expect(await paid('4715', 1)).toMatchObject({ repeated: false, waitingCalls: 1 })
  expect(await hears(phone, 'thanks')).toBe(true)
  expect(texts.filter((text) => text.includes('https://pay.example/4715'))).toHaveLength(1)
})
