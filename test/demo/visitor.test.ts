/** A kept demo on a real Asterisk, as its visitor has it: its address and its logins, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../console/console-place.ts'
import { stateOf } from '../console/desk/desk-place.ts'
import { picture, watched } from '../console/page-checks.ts'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'
import { startKeptDemo } from './kept-demo.ts'

const AGENTS = ['Hanna (desk)', 'Ivan (desk)', 'Jonas (desk)', 'You (desk)']
/** A tenth of a second of sound is five packets. */
const PACKETS_LEAST = 50
const HEARD_AS_VISITOR = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-features=LocalNetworkAccessChecks',
]

let demo: ReturnType<typeof startKeptDemo>
let browser: TestBrowser
let url: string

beforeAll(async () => {
  demo = startKeptDemo([], { inTerminal: true })
  url = await demo.ready()
  browser = await testBrowser({ reaches: [new URL(url).host], args: HEARD_AS_VISITOR, permissions: ['microphone'] })
}, BROWSER_PATIENCE_MS)

afterAll(async () => {
  await browser?.close()
  demo?.closeTerminal()
})

const login = (userName: string) => ({ userName, password: demo.found(new RegExp(`: ${userName} / (\\S+)`)) })

/** Packets of every connection of the page so far. */
async function packetsOf(page: Page): Promise<{ readonly received: number; readonly sent: number }> {
  return page.evaluate(`(async () => {
    const reports = await Promise.all(connections.map((one) => one.getStats()))
    const rows = reports.flatMap((report) => [...report.values()])
    const sum = (type, field) => rows.reduce((total, row) => total + (row.type === type ? row[field] : 0), 0)
    return { received: sum('inbound-rtp', 'packetsReceived'), sent: sum('outbound-rtp', 'packetsSent') }
  })()`)
}

test('the visitor sits down, a call comes, and sound flows both ways in the browser', async () => {
  const page = await browser.page()
  const faults = watched(page)
  await page.addInitScript(`globalThis.connections = []
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(...args) { super(...args); globalThis.connections.push(this) }
    }`)
  await signIn(page, url, login('you'))
  await page.getByRole('button', { name: 'Start' }).click()
  await expect.poll(() => stateOf(page), SOON).toBe('talking')
  await picture(page, 'kept-demo-talking', 1440)
  const before = await packetsOf(page)
  await expect
    .poll(async () => {
      const { received, sent } = await packetsOf(page)
      return Math.min(received - before.received, sent - before.sent)
    }, SOON)
    .toBeGreaterThan(PACKETS_LEAST)
  await page.getByText('This browser is your phone.').waitFor()
  expect(faults).toEqual([])
})

test('the supervisor sees four agents at work on the board', async () => {
  const page = await browser.page()
  await signIn(page, url, login('supervisor'))
  const agents = page.getByRole('grid', { name: /Agents/ })
  const atWork = async () =>
    (await agents.innerText())
      .split('\n')
      .filter((text) => AGENTS.includes(text))
      .sort()
  await expect.poll(atWork, SOON).toEqual(AGENTS)
  await page.getByText(/[1-9] talking/).waitFor(SOON)
  await picture(page, 'kept-demo-board', 1440)
})

test('a terminal that is closed ends the demo, its switch and its database', async () => {
  expect(demo.processes().some((command) => command.includes('asterisk-run'))).toBe(true)
  demo.closeTerminal()
  await expect.poll(() => demo.processes(), SOON).toEqual([])
})
