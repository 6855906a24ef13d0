/** The node was started anew with another build of the console: pages are loaded again, and never in a call. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { signIn } from '../console-place.ts'
import { type DeskPlace, openDeskPlace, stateOf } from './desk-place.ts'
import { streamCutter } from './stream-cutter.ts'

const TALKS = '+4520123301'

let place: DeskPlace
let cutter: Awaited<ReturnType<typeof streamCutter>>
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  place = await openDeskPlace()
  cutter = await streamCutter(place.url)
  browser = await testBrowser({ reaches: [new URL(cutter.url).host] })
  page = await browser.page()
  await signIn(page, `${cutter.url}/desk`, { userName: 'anna', password: await place.passwordOf('anna') })
  await page.getByRole('button', { name: 'Start' }).press('Enter')
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  cutter?.close()
  await place?.close()
})

const becomes = (state: string) => expect.poll(() => stateOf(page).catch(() => ''), SOON).toBe(state)
const isSamePage = () => page.evaluate(() => (globalThis as { isSame?: true }).isSame === true)
/** How often the page asked which build is served. */
let looks = 0

/** Another build is there, and the page that is loaded again is of the same one as before. */
const serveAnother = () =>
  page.route('**/desk', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    const served = await (await fetch(`${place.url}/desk`)).text()
    await route.fulfill({ contentType: 'text/html', body: served.replace(/[\w-]+\.js/, 'of-today.js') })
    looks++
  })

test('the same build: the page stays', async () => {
  await becomes('ready')
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
  await page.route('**/desk', async (route) => {
    if (route.request().resourceType() === 'fetch') looks++
    await route.continue()
  })
  cutter.cut('stream')
  await expect.poll(() => looks, SOON).toBe(1)
  await page.getByText('live', { exact: true }).waitFor(SOON)
  expect(await isSamePage()).toBe(true)
})

test('another build in a call: the page is loaded again when the call is finished', async () => {
  await page.unroute('**/desk')
  await serveAnother()
  const callCode = await place.campaign({}, [{ name: 'Paid', key: '1' }])
  await place.people(callCode, [TALKS])
  await becomes('talking')
  cutter.cut('stream')
  await expect.poll(() => looks, SOON).toBe(2)
  await page.keyboard.type('said')
  expect(await isSamePage()).toBe(true)
  await page.keyboard.press('F8')
  await becomes('wrap-up')
  expect(await isSamePage()).toBe(true)
  await page.getByRole('radio', { name: /Paid/ }).press('1')
  await page.keyboard.press('Enter')
  await expect.poll(() => isSamePage().catch(() => true), SOON).toBe(false)
  await becomes('ready')
})

test('a number that is half typed stays, and the page is loaded again when it is gone', async () => {
  const hand = { dialMode: 'manual', agentsDialNumbers: true, name: 'Own numbers' }
  await place.campaign(hand, [{ name: 'Paid', key: '1' }])
  await page.unroute('**/desk')
  await page.reload()
  await becomes('ready')
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
  const number = page.getByRole('textbox', { name: 'Number', exact: true })
  await number.fill('20 15 11')
  await serveAnother()
  cutter.cut('stream')
  await expect.poll(() => looks, SOON).toBe(3)
  await page.getByText('live', { exact: true }).waitFor(SOON)
  expect(await isSamePage()).toBe(true)
  await number.fill('')
  await expect.poll(() => isSamePage().catch(() => true), SOON).toBe(false)
  await becomes('ready')
})
