/** A caller who waits for the delivery of a text, through a started service, with a Twilio of our own. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import twilio from 'twilio'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../asterisk/ports.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { readSettings } from '../../src/app/settings.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { SimPbx } from '../../src/sim/sim-pbx.ts'
import { simSpeech } from '../../src/sim/sim-speech.ts'
import { answerJson, bodyOf } from '../adapters/http/local-server.ts'
import { SOON } from '../support/soon.ts'

const LINE = '+4570001000'
/** Its flow tells about one case. */
const CASE_LINE = '+4570001003'
const CALLER = '+4551000001'
const TOKEN = 't0ken'
const FLOW = `flow: house
start: link
steps:
  link:
    sms: { text: "Pay here.", awaitDelivery: 20s }
    next: sent
    on: { undelivered: lost, timeout: late, failed: late }
  sent: { play: It is on your phone., next: bye }
  lost: { play: It could not be delivered., next: bye }
  late: { play: It is on its way., next: bye }
  bye: { hangup: {} }
`

const clock = new RealClock()
const directory = mkdtempSync(join(tmpdir(), 'switchboard-reports-'))
/** The texts that Twilio was asked to send: where it is to report each. */
const callbacks: (string | null)[] = []
const provider = createServer(async (request, response) => {
  callbacks.push(new URLSearchParams(await bodyOf(request)).get('StatusCallback'))
  answerJson(response, 201, { sid: `SM${callbacks.length}`, status: 'queued' })
})
let pbx: SimPbx
let service: Service
let env: Record<string, string>

beforeAll(async () => {
  const providerPort = await freePort('tcp', '127.0.0.1')
  provider.listen(providerPort, '127.0.0.1')
  const port = await freePort('tcp', '127.0.0.1')
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  for (const folder of ['data', 'flows']) mkdirSync(join(directory, folder))
  const numbers = `"${LINE}": { flow: house }, "${CASE_LINE}": { flow: case-house }`
  writeFileSync(join(directory, 'switchboard.yaml'), `numbers: { ${numbers} }\n`)
  const about = FLOW.replace('flow: house', 'flow: case-house\nactivity: { systemLookupCode: C-7 }')
  writeFileSync(join(directory, 'flows/case-house.yaml'), about)
  writeFileSync(join(directory, 'flows/house.yaml'), FLOW)
  env = {
    DATA_DIR: join(directory, 'data'),
    SETUP_FILE: join(directory, 'switchboard.yaml'),
    FLOWS_DIR: join(directory, 'flows'),
    PBX: 'simulated',
    ENVIRONMENT: 'development',
    HTTP_PORT: String(port),
    SSO_PORT: String(await freePort('tcp', '127.0.0.1')),
    LOG_LEVEL: 'silent',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: TOKEN,
    TWILIO_FROM: '+4570001001',
    TWILIO_BASE_URL: `http://127.0.0.1:${providerPort}`,
    TWILIO_REPORTS_URL: `http://127.0.0.1:${port}`,
  }
  await start()
})

async function start() {
  const random = seededRandom(1)
  pbx = new SimPbx({ clock, random })
  const settings = readSettings(env).settings!
  const onLine = () => {}
  const started = await startService({ settings, env, clock, random, log: silentLog, onLine, pbx, speech: simSpeech() })
  if ('ok' in started) throw new Error(JSON.stringify(started))
  service = started
}

afterAll(async () => {
  await service?.stop()
  provider.close()
  provider.closeAllConnections()
  rmSync(directory, { recursive: true, force: true })
})

async function callIn() {
  const before = callbacks.length
  const caller = pbx.callIn({ called: LINE, caller: CALLER, person: { waitsMaxMs: 600_000 } })
  onTestFinished(() => caller.hangUp())
  await expect.poll(() => callbacks.length, SOON).toBe(before + 1)
  return { caller, callback: callbacks[before]! }
}

async function report(callback: string, status: string) {
  const fields = { MessageSid: `SM${callbacks.length}`, MessageStatus: status, To: CALLER }
  const signature = twilio.getExpectedTwilioSignature(TOKEN, callback, fields)
  const headers = { 'x-twilio-signature': signature }
  return (await fetch(callback, { method: 'POST', headers, body: new URLSearchParams(fields) })).status
}

test('the caller goes on when the text is on their phone', async () => {
  const { caller, callback } = await callIn()
  expect(await report(callback, 'sent')).toBe(204)
  expect(caller.ear.words).toBe('')
  expect(await report(callback, 'delivered')).toBe(204)
  await expect.poll(() => caller.ear.words, SOON).toBe('It is on your phone.')
})

test('a text that the network cannot deliver leads another way, and a forged report nowhere', async () => {
  const { caller, callback } = await callIn()
  const forged = new URLSearchParams({ MessageSid: 'SM1', MessageStatus: 'delivered' })
  expect((await fetch(callback, { method: 'POST', body: forged })).status).toBe(403)
  expect(await report(callback, 'undelivered')).toBe(204)
  await expect.poll(() => caller.ear.words, SOON).toBe('It could not be delivered.')
})

test.each([
  ['+881612345678', 'a satellite'],
  ['+4690012345', 'a premium number'],
  ['+447911123456', 'a foreign mobile'],
])('no text goes to %s, %s', async (number) => {
  const before = callbacks.length
  const caller = pbx.callIn({ called: LINE, caller: number, person: { waitsMaxMs: 600_000 } })
  onTestFinished(() => caller.hangUp())
  await expect.poll(() => caller.ear.words, SOON).toBe('It is on its way.')
  expect(callbacks.length).toBe(before)
})

test('a number gets five texts in a day, from however many calls', async () => {
  const before = callbacks.length
  const from = () => pbx.callIn({ called: LINE, caller: '+4551000099', person: { waitsMaxMs: 600_000 } })
  for (let text = 1; text <= 5; text++) {
    const caller = from()
    await expect.poll(() => callbacks.length, SOON).toBe(before + text)
    caller.hangUp()
  }
  const sixth = from()
  onTestFinished(() => sixth.hangUp())
  await expect.poll(() => sixth.ear.words, SOON).toBe('It is on its way.')
  expect(callbacks.length).toBe(before + 5)
})

test('a restart gives the number no sixth text', async () => {
  await service.stop()
  await start()
  const before = callbacks.length
  const caller = pbx.callIn({ called: LINE, caller: '+4551000099', person: { waitsMaxMs: 600_000 } })
  onTestFinished(() => caller.hangUp())
  await expect.poll(() => caller.ear.words, SOON).toBe('It is on its way.')
  expect(callbacks.length).toBe(before)
})

test('a case gets the text of one call in an hour, from whatever number', async () => {
  const before = callbacks.length
  const from = (caller: string) => pbx.callIn({ called: CASE_LINE, caller, person: { waitsMaxMs: 600_000 } })
  const first = from('+4551000071')
  onTestFinished(() => first.hangUp())
  await expect.poll(() => callbacks.length, SOON).toBe(before + 1)
  const second = from('+4551000072')
  onTestFinished(() => second.hangUp())
  await expect.poll(() => second.ear.words, SOON).toBe('It is on its way.')
  expect(callbacks.length).toBe(before + 1)
})
