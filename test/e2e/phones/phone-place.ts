/** A real switch, a carrier of people, and a real browser whose page is an agent's phone. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import type { RtpEar } from '../../../demo/sip/rtp-ear.ts'
import { type CarrierContact, openCarrier } from '../../../demo/sip/sip-carrier.ts'
import type { PhoneView } from '../../../src/console/phone/phone-view.ts'
import type { PhoneNumber } from '../../../src/kernel/ids.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { newPassword, signIn } from '../../console/console-place.ts'
import { type TestBrowser, testBrowser } from '../../support/browser.ts'
import { faultProxy } from '../../support/fault-proxy.ts'
import {
  type AttemptOut,
  attemptsOf,
  becomesTrue,
  importTasks,
  leftOn,
  makeCampaign,
  makeSystem,
} from '../campaign-live.ts'
import { TEAM } from '../campaign-place.ts'
import { startCampaignService } from '../campaign-service.ts'

export const CALLEE_HZ = 440
export const AGENT_HZ = 620
/** Callers of this number come to the team. */
export const LINE = '+4570004000'
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: ${TEAM}, timeout: 30s }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`
const PAGE = fileURLToPath(new URL('../../console/phone-page.js', import.meta.url))

/** Counters of the page's present leg. */
export interface PageSound {
  readonly received: number
  readonly energy: number
  readonly sent: number
  /** Of any kind. */
  readonly arrivedBytes: number
}

export const soundOf = (page: Page) =>
  page.evaluate(() => (globalThis as never as { sound(): Promise<PageSound> }).sound())

/** The rows of `getStats` of the page's present leg. */
export const statsOf = (page: Page): Promise<readonly StatsRow[]> =>
  page.evaluate(async () => {
    const { phone } = globalThis as never as { phone: { stats(): Promise<Map<string, StatsRow> | undefined> } }
    return [...((await phone.stats()) ?? new Map<string, StatsRow>()).values()]
  })

type StatsRow = Readonly<Record<string, unknown>>

export const viewOf = (page: Page) =>
  page.evaluate(() => (globalThis as never as { phone: { view: PhoneView } }).phone.view)

export type PhonePlace = Awaited<ReturnType<typeof openPhonePlace>>

/** Of its configuration: what browsers are given, and how they are reached. */
interface PhoneOptions {
  readonly browserKeys?: string
  /** Lines of the configuration, and what they name in the environment. */
  readonly more?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Opens it, with agents at browsers. The page of `anna` reaches the node by `line`, which can be cut. */
export async function openPhonePlace(agents: readonly string[] = ['anna'], options: PhoneOptions = {}) {
  const { browserKeys = '', more = [], env = {} } = options
  const it = await startCampaignService({
    agents,
    inBrowsers: agents,
    browserKeys,
    numbers: [`"${LINE}": { flow: direct, language: en }`],
    flows: { direct: FLOW },
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none', ...env },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }', ...more],
  })
  const { clock, random } = it.kit
  const { endpoint } = it.place.settings
  const contacts = new Map<string, Contact>()
  const carrier = await openCarrier({
    clock,
    random,
    ...it.place.carrier,
    toneHz: CALLEE_HZ,
    listensFor: [AGENT_HZ],
    contactOf: (number) => contacts.get(number)!,
  })
  const itsyId = await makeSystem(it.client, undefined)
  const microphone = join(it.place.directory, 'microphone.wav')
  writeFileSync(microphone, toneFile(AGENT_HZ))
  const line = await faultProxy(new URL(endpoint))
  const script = await bundled(PAGE)
  const sip: string[] = []
  let lastNumber = 33_500_000

  /** Its microphone hears a file, and its pages may reach the node although the test puts them in the node's place. */
  const openBrowser = (more: readonly string[] = [], ears: 'file' | 'none' = 'file') => {
    const reaches = [endpoint, line.url, ...more].map((url) => new URL(url).host)
    const args = [
      // Without one the machine has no microphone, or none that Chromium finds.
      ...(ears === 'none' ? [] : ['--use-fake-device-for-media-stream']),
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${microphone}`,
      '--autoplay-policy=no-user-gesture-required',
      '--disable-features=LocalNetworkAccessChecks',
    ]
    return testBrowser({ reaches, args, permissions: ['microphone'] })
  }
  const browser = await openBrowser()
  return {
    it,
    browser,
    line,
    /** What pages received on their sockets: the method of a request, `200 INVITE` of an answer. */
    sip,
    openBrowser,
    /** The page comes from the address of the node, as the console does. `scripts` run before those of the page. */
    async openPage(from: TestBrowser = browser, scripts: readonly string[] = []): Promise<Page> {
      const made = await from.page()
      made.on('websocket', (socket) => {
        socket.on('framereceived', ({ payload }) => sip.push(wordOf(String(payload))))
      })
      const sipOrigin = line.url.replace('http', 'ws')
      const place = { headers: it.headersOf('anna'), userName: 'anna', sipOrigin }
      await made.addInitScript(`window.place = ${JSON.stringify(place)}`)
      for (const content of scripts) await made.addInitScript({ content })
      await made.route(`${endpoint}/phone-page`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<body><script type="module" src="/phone-page.js"></script>' }),
      )
      await made.route(`${endpoint}/phone-page.js`, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: script }),
      )
      await made.goto(`${endpoint}/phone-page`)
      return made
    },
    /** The page of `anna` is closed, and her shift over: the node has heard of both, and gives the phone again. */
    async leaves(page: Page | undefined): Promise<void> {
      await page?.close()
      await becomesTrue(clock, () => !line.isUsed())
      await it.order('anna', { type: 'logOut' })
      if (!(await it.becomes('anna', 'loggedOut'))) throw new Error('the shift of anna does not end')
    },
    /** An agent's own page of the desk, who begins their shift there. */
    async desk(userName: string): Promise<Page> {
      const made = await browser.page()
      await signIn(made, `${endpoint}/desk`, { userName, password: await newPassword(userName, it.place.env) })
      await made.getByRole('button', { name: 'Start' }).press('Enter')
      return made
    },
    /** Somebody who rings for a moment, and answers; the campaign has these settings. */
    async calls(
      settings: Readonly<Record<string, unknown>> = {},
    ): Promise<{ readonly itcaId: number; readonly callee: CarrierContact }> {
      const number = `+45${++lastNumber}` as PhoneNumber
      contacts.set(number, { does: 'answer', ringsAfterMs: 0, afterMs: 300 })
      const callCode = await makeCampaign(it.client, itsyId, settings)
      const [itcaId] = await importTasks(it.client, callCode, [{ numbers: [number], caseNumber: `C-${lastNumber}` }])
      return { itcaId: itcaId!, callee: await carrier.contact(number) }
    },
    /** A campaign with these settings. */
    campaign: (settings: Readonly<Record<string, unknown>>) => makeCampaign(it.client, itsyId, settings),
    /** Who will be reached under a number; resolves with the first call to it. */
    meets(number: PhoneNumber, contact: Contact): Promise<CarrierContact> {
      contacts.set(number, contact)
      return carrier.contact(number)
    },
    /** Every INVITE that the carrier got. */
    invites: () => carrier.invites(),
    /** The attempt of a task, once it has ended. */
    async endOf(itcaId: number): Promise<AttemptOut> {
      return (await this.endsOf([itcaId]))[0]!
    },
    /** The attempts of these tasks, one for each, once they have ended. One request asks for all: they are counted. */
    async endsOf(itcaIds: readonly number[]): Promise<readonly AttemptOut[]> {
      let ended: readonly AttemptOut[] = []
      const haveEnded = async () => {
        ended = (await attemptsOf(it.client, itcaIds)).filter(({ endTs }) => endTs !== null)
        return ended.length === itcaIds.length
      }
      if (await becomesTrue(clock, haveEnded, { everyMs: 200 })) return ended
      throw new Error(`of ${itcaIds.length} attempts these have ended: ${JSON.stringify(ended)}`)
    },
    /** Once more of the agent's microphone comes to an ear. Throws what the ear heard, and what the switch has. */
    async hears(ear: RtpEar, more = 300): Promise<true> {
      const before = ear.heard
      const isHeard = () => ear.heardTone(AGENT_HZ) >= before.tonesMs[AGENT_HZ]! + more
      if (await becomesTrue(clock, isHeard)) return true
      throw new Error(`no agent was heard: ${JSON.stringify([before, ear.heard, await leftOn(it.place)])}`)
    },
    /** Whether the callee's voice comes out of the speaker of the page. */
    async pageHears(page: Page): Promise<boolean> {
      const before = await soundOf(page)
      return becomesTrue(clock, async () => {
        const now = await soundOf(page)
        return now.received > before.received + 20 && now.energy > before.energy
      })
    },
    async close(): Promise<void> {
      await browser.close()
      await line.close()
      await it.close()
      await carrier.close()
    },
  }
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

/** The method of a request; status and method of an answer. */
function wordOf(message: string): string {
  const [first = '', status = ''] = message.split(' ', 2)
  return first === 'SIP/2.0' ? `${status} ${/^CSeq: *\d+ (\w+)/im.exec(message)?.[1]}` : first
}
