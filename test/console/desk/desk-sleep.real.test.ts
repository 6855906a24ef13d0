/**
 * A desk whose computer sleeps: its page stands still at a statement, while the browser goes on to answer the pings of
 * its sockets, and goes on later. (`Page.setWebLifecycleState` freezes no page that has a socket; Chromium of Debian.)
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'

let place: DeskPlace
let page: Page

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  await place.desk(page)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const { becomes } = atDesk(
  () => page,
  () => place,
)
const stateAtNode = async () => {
  const agents = await place.client.ask('GET /svcpbx/agents')
  return agents.map(({ state, reason }) => ({ state, reason }))
}

test('an agent whose page sleeps is paused as away, reads so when it wakes, and must press Ready', async () => {
  await expect.poll(() => page.evaluate('document.activeElement.textContent'), SOON).toBe('Start')
  await page.keyboard.press('Enter')
  await becomes('ready')
  // A heartbeat has been answered.
  let heartbeats = 0
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  devtools.on('Network.webSocketFrameSent', ({ response }) => {
    if (response.payloadData.includes('"here"')) heartbeats++
  })
  await expect.poll(() => heartbeats, SOON).toBeGreaterThan(0)
  await devtools.send('Debugger.enable')
  await devtools.send('Debugger.pause')
  await expect.poll(stateAtNode, SOON).toEqual([{ state: 'paused', reason: 'was away' }])
  await devtools.send('Debugger.resume')
  await becomes('paused')
  await page.getByText('You were paused: was away. No calls come until you press F9.').waitFor()
  await page.getByText('live', { exact: true }).waitFor()
  expect(await stateAtNode()).toMatchObject([{ state: 'paused' }])
  await page.keyboard.press('F9')
  await becomes('ready')
})
