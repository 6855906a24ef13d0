/** The desk where something goes wrong: popups blocked, the stream cut, saving refused, a wrap-up too short. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { signIn } from '../console-place.ts'
import { auditOf, picture } from '../page-checks.ts'
import { atDesk, type DeskPlace, openDeskPlace, stateOf } from './desk-place.ts'
import { streamCutter } from './stream-cutter.ts'

let place: DeskPlace
let cutter: Awaited<ReturnType<typeof streamCutter>>
let browser: TestBrowser
let page: Page
const opened: string[] = []

beforeAll(async () => {
  place = await openDeskPlace()
  cutter = await streamCutter(place.url)
  browser = await testBrowser({ reaches: [new URL(cutter.url).host] })
  page = await browser.page()
  await page.addInitScript(POPUP_BLOCKER)
  page.context().on('request', (request) => {
    if (request.url().startsWith('https://debt.example/')) opened.push(request.url())
  })
  await signIn(page, `${cutter.url}/desk`, { userName: 'anna', password: await place.passwordOf('anna') })
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await page.getByRole('heading', { name: 'Ready' }).waitFor(SOON)
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  cutter?.close()
  await place?.close()
})

/**
 * As people's browsers have it: a window that no key has opened is not opened; one that is open goes to another
 * address. The windowless browser of the tests has none of its own.
 */
const POPUP_BLOCKER = `{
  const open = window.open.bind(window)
  const opened = new Map()
  let isPressed = false
  addEventListener('keydown', () => { isPressed = true }, true)
  addEventListener('keyup', () => { isPressed = false }, true)
  window.open = (url, name) => {
    if (!isPressed && (opened.get(name)?.closed ?? true)) return null
    opened.set(name, open(url, name))
    return opened.get(name)
  }
}`

const { becomes, isOnNode, keys, note } = atDesk(
  () => page,
  () => place,
)
const paid = [{ name: 'Paid', key: '1' }]
const again = [{ name: 'Call again', key: '1', needsCallBackDate: true }]

test('a blocked page of the debt system waits for one key; its window is used again without a key', async () => {
  const callCode = await place.campaign({}, paid)
  await place.people(callCode, ['+4520131109'])
  await isOnNode('wrapUp')
  const button = page.getByRole('button', { name: 'Open case' })
  await expect.poll(() => button.isEnabled(), SOON).toBe(true)
  expect(opened).toEqual([])
  await keys('F10')
  await expect.poll(() => opened, SOON).toEqual([expect.stringContaining('caseNumber=case-1109')])
  await expect.poll(() => button.isEnabled(), SOON).toBe(false)
  await page.bringToFront()
  await keys('1', 'Enter')
  await becomes('ready')
  await place.people(callCode, ['+4520131209'])
  await isOnNode('wrapUp')
  await expect.poll(() => opened.length, SOON).toBe(2)
  expect(await button.isEnabled()).toBe(false)
  await keys('1', 'Enter')
  await becomes('ready')
})

test('with the stream cut the desk says how old it is, and the keys still act', async () => {
  const callCode = await place.campaign({}, paid)
  await place.people(callCode, ['+4520132101'])
  await becomes('talking')
  cutter.hold()
  await page.getByText(/^as of /).waitFor(SOON)
  expect(await auditOf(page)).toEqual([])
  for (const width of [390, 1024, 1440]) await picture(page, `desk-stale-light-${width}`, width)
  await page.keyboard.type('said in the dark')
  await keys('F8')
  await isOnNode('wrapUp')
  expect(await stateOf(page)).toBe('talking')
  cutter.heal()
  await becomes('wrap-up')
  await page.getByText('live', { exact: true }).waitFor(SOON)
  expect(await note().inputValue()).toBe('said in the dark')
  await keys('Escape', '1', 'Enter')
  await becomes('ready')
  expect(await place.feedbackOf('case-2101')).toMatchObject([{ note: 'said in the dark' }])
})

test('what a wrap-up leaves unsaved is finished later, and a refusal keeps every word', async () => {
  const callCode = await place.campaign({ wrapUpSeconds: 1 }, [...paid, { name: 'Old', key: '2' }])
  await place.people(callCode, ['+4520133109'])
  await becomes('talking')
  await page.keyboard.type('half a word')
  await becomes('ready')
  await page.getByText('Not saved yet').waitFor(SOON)
  await page.getByRole('button', { name: /Finish later: Debtor case-3109/ }).press('Enter')
  expect(await auditOf(page)).toEqual([])
  for (const width of [390, 1024, 1440]) await picture(page, `desk-unsaved-light-${width}`, width)
  await page.getByRole('button', { name: /Finish: Debtor case-3109/ }).press('Enter')
  await expect.poll(() => note().inputValue(), SOON).toBe('half a word')
  const params = { callCode: String(callCode) }
  await page.getByRole('radio', { name: /Old/ }).waitFor()
  const [, old] = await place.client.ask('GET /dialer/callcode/{callCode}/outcomes', { params })
  await place.client.ask('PATCH /dialer/callcode/{callCode}/outcomes/{outcomeId}', {
    params: { callCode: String(callCode), outcomeId: String(old!.outcomeId) },
    body: { active: false },
  })
  await page.getByRole('radio', { name: /Paid/ }).focus()
  await keys('2', 'Enter')
  await page.getByText(/Not saved: /).waitFor(SOON)
  expect(await note().inputValue()).toBe('half a word')
  for (const width of [390, 1024, 1440]) await picture(page, `desk-refused-light-${width}`, width)
  await keys('1', 'Enter')
  await page.getByRole('heading', { name: 'Ready' }).waitFor(SOON)
  expect(await place.feedbackOf('case-3109')).toMatchObject([{ note: 'half a word', outcome: { name: 'Paid' } }])
})

test('no callback is promised before the zone is known, and nothing says that it is theirs', async () => {
  // Also a query that is tried again.
  await page.route('**/dialer/callcode?*', (route) => route.fulfill({ status: 503, json: {} }))
  const callCode = await place.campaign({}, again)
  await place.people(callCode, ['+4520135101'])
  await becomes('talking')
  await keys('F8')
  await becomes('wrap-up')
  await page.getByRole('radio').first().waitFor(SOON)
  await keys('Escape', '1', 'Enter')
  await page.getByText('Write when to call back.').first().waitFor(SOON)
  await page.keyboard.type('tomorrow 9:30')
  expect(await page.getByText('their time').count()).toBe(0)
  await page.getByRole('checkbox', { name: 'I call back myself' }).press('Space')
  await keys('Enter')
  await page.getByText('The zone of this time was not known yet. Press Enter again.').waitFor(SOON)
  const promised = async () => {
    const { callbacks } = await place.client.ask('GET /dialer/callbacks', { query: { callCode } })
    return callbacks.length
  }
  expect(await promised()).toBe(0)
  await page.unroute('**/dialer/callcode?*')
  await keys('Enter')
  await page.getByText(/their time/).waitFor(SOON)
  expect(await promised()).toBe(0)
  await keys('Enter')
  await becomes('ready')
  expect(await promised()).toBe(1)
  // And the desk tells at once of what was just promised.
  await expect.poll(() => page.getByText('You have promised no callback.').count(), SOON).toBe(0)
})

test('a previewed and a searched call task are dialed with Enter; free words save where no outcome is', async () => {
  const manual = await place.campaign({ dialMode: 'manual' })
  await place.people(manual, ['+4520134101'])
  await page.getByRole('textbox', { name: 'Number or case' }).focus()
  await page.keyboard.type('20 13 41 01')
  await keys('Enter')
  await becomes('talking')
  await keys('F8')
  await becomes('wrap-up')
  await page.getByRole('textbox', { name: 'Result' }).waitFor(SOON)
  await page.keyboard.type('hasPaid')
  await keys('Enter')
  await becomes('ready')
  expect(await place.feedbackOf('case-4101')).toMatchObject([{ feedbackType: 'hasPaid' }])
  const preview = await place.campaign({ dialMode: 'preview' }, paid)
  await place.people(preview, ['+4520134209'])
  await page.getByRole('heading', { name: 'Look first: your next call' }).waitFor(SOON)
  await page.getByRole('heading', { name: 'Debtor case-4209' }).waitFor(SOON)
  expect(await auditOf(page)).toEqual([])
  for (const width of [390, 1024, 1440]) await picture(page, `desk-preview-light-${width}`, width)
  await expect.poll(() => page.evaluate('document.activeElement.textContent'), SOON).toBe('Call now')
  await keys('Enter')
  await becomes('wrap-up')
})

test('a sign-out erases what was typed and not saved', async () => {
  const kept = () => page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('sb-own:')).length")
  await note().fill('not saved')
  await expect.poll(kept, SOON).toBeGreaterThan(0)
  await page.getByRole('button', { name: /Your account/ }).press('Enter')
  await page.getByRole('button', { name: 'Sign out' }).press('Enter')
  await page.getByRole('button', { name: 'Sign in' }).waitFor(SOON)
  // The login may be there before the answer to the sign-out: the stream says that the session is over.
  await expect.poll(kept, SOON).toBe(0)
})
