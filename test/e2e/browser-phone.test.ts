/** An agent whose phone is a real browser, on a real switch, with people who call and are called. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RtpEar } from '../../demo/sip/rtp-ear.ts'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import type { PhoneView } from '../../src/console/phone/phone-view.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import type { Contact } from '../../src/sim/person.ts'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../support/browser.ts'
import { type FaultProxy, faultProxy } from '../support/fault-proxy.ts'
import { type AttemptOut, attemptsOf, becomesTrue, importTasks, makeCampaign, makeSystem } from './campaign-live.ts'
import { TEAM } from './campaign-place.ts'
import { type CampaignService, startCampaignService } from './campaign-service.ts'

const CALLEE_HZ = 440
const AGENT_HZ = 620
const LINE = '+4570004000'
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: ${TEAM}, timeout: 30s }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`
const PAGE = fileURLToPath(new URL('../console/phone-page.js', import.meta.url))

let it: CampaignService
let carrier: SipCarrier
let browser: TestBrowser
let script: string
let line: FaultProxy
let page: Page
/** First words of what pages received on their sockets. */
const sip: string[] = []
let itsyId: number
let lastNumber = 33_500_000
const contacts = new Map<string, Contact>()

beforeAll(async () => {
  it = await startCampaignService({
    agents: ['anna'],
    inBrowsers: ['anna'],
    numbers: [`"${LINE}": { flow: direct, language: en }`],
    flows: { direct: FLOW },
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  const { clock, random } = it.kit
  carrier = await openCarrier({
    clock,
    random,
    ...it.place.carrier,
    toneHz: CALLEE_HZ,
    listensFor: [AGENT_HZ],
    contactOf: (number) => contacts.get(number)!,
  })
  itsyId = await makeSystem(it.client, undefined)
  const microphone = join(it.place.directory, 'microphone.wav')
  writeFileSync(microphone, toneFile(AGENT_HZ))
  line = await faultProxy(new URL(it.place.settings.endpoint))
  browser = await browserWith(microphone)
  script = await bundled(PAGE)
}, BROWSER_PATIENCE_MS)

beforeEach(async () => {
  page = await openPage()
  expect(await it.becomes('anna', 'ready')).toBe(true)
})

afterEach(async () => {
  await page?.close()
  await it.order('anna', { type: 'logOut' })
  expect(await it.becomes('anna', 'loggedOut')).toBe(true)
})

afterAll(async () => {
  await browser?.close()
  await line?.close()
  await it?.close()
  await carrier?.close()
})

/** Its microphone hears a file, and its pages may reach the node although the test puts them in the node's place. */
function browserWith(microphone: string): Promise<TestBrowser> {
  const reaches = [it.place.settings.endpoint, line.url].map((url) => new URL(url).host)
  const args = [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${microphone}`,
    '--autoplay-policy=no-user-gesture-required',
    '--disable-features=LocalNetworkAccessChecks',
  ]
  return testBrowser({ reaches, args })
}

/** Bursts of a tone, 16 bit, 48 kHz: Chromium takes a tone that never ends for noise. */
function toneFile(hz: number): Buffer {
  const rate = 48_000
  const samples = Int16Array.from({ length: 2 * rate }, (_, at) =>
    at % (rate / 2) < 0.35 * rate ? 12_000 * Math.sin((2 * Math.PI * hz * at) / rate) : 0,
  )
  const data = Buffer.from(samples.buffer)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data])
}

async function bundled(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, target: 'es2022', rollupOptions: { input: entry } },
  })
  const { output } = (Array.isArray(built) ? built[0] : built) as { output: { type: string; code: string }[] }
  return output.find(({ type }) => type === 'chunk')!.code
}

/** The page comes from the address of the node, as the console does. */
async function openPage(from = browser): Promise<Page> {
  const { endpoint } = it.place.settings
  const made = await from.page()
  made.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => sip.push(String(payload).split(' ', 1)[0]!))
  })
  const sipOrigin = line.url.replace('http', 'ws')
  const place = { headers: it.headersOf('anna'), userName: 'anna', sipOrigin }
  await made.addInitScript(`window.place = ${JSON.stringify(place)}`)
  await made.route(`${endpoint}/phone-page`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<body><script type="module" src="/phone-page.js"></script>' }),
  )
  await made.route(`${endpoint}/phone-page.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await made.goto(`${endpoint}/phone-page`)
  return made
}

/** Somebody who rings for a moment, and answers. */
async function calls() {
  const number = `+45${++lastNumber}` as PhoneNumber
  contacts.set(number, { does: 'answer', ringsAfterMs: 0, afterMs: 300 })
  const callCode = await makeCampaign(it.client, itsyId)
  const [itcaId] = await importTasks(it.client, callCode, [{ numbers: [number], caseNumber: `C-${lastNumber}` }])
  return { itcaId: itcaId!, callee: await carrier.contact(number) }
}

async function endOf(itcaId: number): Promise<AttemptOut> {
  const ended = async () => (await attemptsOf(it.client, [itcaId])).find(({ endTs }) => endTs !== null)
  await becomesTrue(it.kit.clock, async () => (await ended()) !== undefined)
  return (await ended())!
}

const hears = (ear: RtpEar, more = 300) => {
  const before = ear.heardTone(AGENT_HZ)
  return becomesTrue(it.kit.clock, () => ear.heardTone(AGENT_HZ) >= before + more)
}

interface PageSound {
  readonly received: number
  readonly energy: number
  readonly sent: number
}

const soundOf = (one: Page) => one.evaluate(() => (globalThis as never as { sound(): Promise<PageSound> }).sound())

const viewOf = (one: Page) => one.evaluate(() => (globalThis as never as { phone: { view: PhoneView } }).phone.view)

/** The callee's voice comes out of the speaker of the page. */
async function pageHears(): Promise<boolean> {
  const before = await soundOf(page)
  return becomesTrue(it.kit.clock, async () => {
    const now = await soundOf(page)
    return now.received > before.received + 20 && now.energy > before.energy
  })
}

test('a callee and an agent in a browser hear each other, and the agent hangs up', async () => {
  const { itcaId, callee } = await calls()
  expect(await hears(callee.ear)).toBe(true)
  expect(await pageHears()).toBe(true)
  await page.evaluate(() => (globalThis as never as { hangUp(): Promise<unknown> }).hangUp())
  expect(await callee.ended).toBe('switch')
  expect(await endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
  expect(await viewOf(page)).toMatchObject({ state: 'live' })
})

test('the callee hangs up, and the leg stays up for the next call', async () => {
  const { leg } = await viewOf(page)
  for (let call = 0; call < 2; call++) {
    const { itcaId, callee } = await calls()
    expect(await hears(callee.ear)).toBe(true)
    callee.hangUp()
    expect(await endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
  }
  expect(await viewOf(page)).toMatchObject({ state: 'live', leg })
})

test('a page that is loaded again in a call keeps the callee', async () => {
  const { itcaId, callee } = await calls()
  expect(await hears(callee.ear)).toBe(true)
  await page.reload()
  expect(await hears(callee.ear)).toBe(true)
  expect(await pageHears()).toBe(true)
  callee.hangUp()
  expect(await endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
  expect(it.logged.filter((one) => one.includes("agent's phone"))).toEqual([])
})

test('a cut SIP connection heals, and the end of the leg is heard after it', async () => {
  const { callee } = await calls()
  expect(await hears(callee.ear)).toBe(true)
  line.cut()
  await becomesTrue(it.kit.clock, async () => (await viewOf(page)).failure === 'deaf')
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).failure === undefined)).toBe(true)
  expect(await hears(callee.ear)).toBe(true)
  callee.hangUp()
  sip.length = 0
  await it.order('anna', { type: 'logOut' })
  // Without the renegotiation it goes to the connection of before.
  expect(await becomesTrue(it.kit.clock, () => sip.includes('BYE'))).toBe(true)
})

test('while SIP is away the engine ends the leg, and the phone comes back', async () => {
  line.refuse()
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).failure === 'deaf')).toBe(true)
  await it.order('anna', { type: 'logOut' })
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).state !== 'live')).toBe(true)
  line.heal()
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).state === 'live')).toBe(true)
})

test('a caller stays with an agent whose page is loaded again twice', async () => {
  const caller = await callIn({
    kit: it.kit,
    target: it.place.sip,
    from: it.place.carrier.host,
    called: LINE,
    caller: '+4556000002',
    person: { hangsUpAfterMs: 15_000 },
    toneHz: CALLEE_HZ,
    listensFor: [AGENT_HZ],
  })
  expect(await hears(caller.ear)).toBe(true)
  for (let time = 0; time < 2; time++) {
    await page.reload()
    expect(await hears(caller.ear)).toBe(true)
    expect(await pageHears()).toBe(true)
  }
  expect(it.logged.filter((one) => one.includes("agent's phone"))).toEqual([])
  await caller.result
})

test('a second browser takes the phone over in a call, and the first one is told', async () => {
  const { callee } = await calls()
  expect(await hears(callee.ear)).toBe(true)
  const other = await browserWith(join(it.place.directory, 'microphone.wav'))
  const first = page
  page = await openPage(other)
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).failure === 'elsewhere')).toBe(true)
  expect(await hears(callee.ear)).toBe(true)
  await page.evaluate(() =>
    (globalThis as never as { phone: { send(event: object): void } }).phone.send({ type: 'takeOver' }),
  )
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).state === 'live')).toBe(true)
  expect(await viewOf(first)).toMatchObject({ state: 'locked', failure: 'elsewhere' })
  expect(await hears(callee.ear)).toBe(true)
  callee.hangUp()
  await other.close()
  await first.close()
})
