/** What belongs to one call does not act on the next one, and what is pressed twice is done once. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { signIn } from '../console-place.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'
import { heldOrders } from './held-orders.ts'
import { streamCutter } from './stream-cutter.ts'

const OUTCOMES = [{ name: 'Paid', key: '1', final: true }]
const COLLEAGUES = '**/agents/me/colleagues'
let place: DeskPlace
let cutter: Awaited<ReturnType<typeof streamCutter>>
let browser: TestBrowser
let page: Page
let callCode: number

beforeAll(async () => {
  place = await openDeskPlace()
  cutter = await streamCutter(place.url)
  browser = await testBrowser({ reaches: [new URL(cutter.url).host] })
  page = await browser.page()
  // No window of another page is opened without a key, as people's browsers have it.
  await page.addInitScript(`{
    globalThis.opened = []
    window.open = (url) => {
      if (!globalThis.mayOpen) return null
      opened.push(String(url))
      return window
    }
  }`)
  callCode = await place.campaign({ wrapUpSeconds: 0 }, OUTCOMES)
  await signIn(page, `${cutter.url}/desk`, { userName: 'anna', password: await place.passwordOf('anna') })
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await page.getByRole('heading', { name: 'Ready' }).waitFor(SOON)
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  cutter?.close()
  await place?.close()
})

const { becomes, button, caret, isOnNode, keys } = atDesk(
  () => page,
  () => place,
)
const isShown = (number: string) =>
  page.getByRole('heading', { name: `Debtor case-${number.slice(-4)}`, level: 2 }).waitFor(SOON)
const talksWith = async (number: string) => {
  await place.people(callCode, [number])
  await isShown(number)
  await becomes('talking')
}
const isOver = async () => {
  await keys('F8')
  await becomes('ready')
}

test('a transfer that was opened in one call is not there in the next, also where no end of it was told', async () => {
  await talksWith('+4520171101')
  await button(/^Transfer/).press('Enter')
  const to = page.getByRole('textbox', { name: 'Colleague or number' })
  await to.fill('+4520123401')
  cutter.hold()
  await keys('F8')
  await isOnNode('ready')
  await place.people(callCode, ['+4520171201'])
  await isOnNode('talking')
  cutter.heal()
  await isShown('+4520171201')
  expect(await to.count()).toBe(0)
  await isOver()
})

test('a browser whose storage is full opens the page of a call all the same', async () => {
  await page.evaluate(`{
    globalThis.mayOpen = true
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  }`)
  await talksWith('+4520170101')
  await expect.poll(() => page.evaluate('opened.length'), SOON).toBe(1)
  await isOver()
  await page.reload()
  await becomes('ready')
})

test('the page of a call that waits for a key is not offered in the next call', async () => {
  await talksWith('+4520172101')
  await expect.poll(() => button('Open case').isEnabled(), SOON).toBe(true)
  await isOver()
  expect(await button('Open case').isEnabled()).toBe(true)
  // A call without a page: its system has no template any more.
  const [system] = await place.client.ask('GET /rest/core/externalsystems', {})
  const params = { itsyId: String(system!.itsyId) }
  await place.client.ask('PATCH /rest/core/externalsystems/{itsyId}', { params, body: { popupUrlTemplate: null } })
  await talksWith('+4520172201')
  expect(await button('Open case').isEnabled()).toBe(false)
  await page.evaluate('globalThis.mayOpen = true')
  await keys('F10')
  expect(await page.evaluate('opened')).toEqual([])
  await isOver()
  expect(await button('Open case').isEnabled()).toBe(false)
})

test('a refusal is told as long as its call is there', async () => {
  // Hangs up by itself after 15 s.
  await talksWith('+4520173104')
  await button(/^Transfer/).press('Enter')
  await page.keyboard.type('+46 70 123 45 67')
  await keys('Enter')
  const refusal = page.getByText(/No line may transfer to the country of the number/)
  await refusal.waitFor(SOON)
  await keys('Escape')
  await refusal.waitFor(SOON)
  await becomes('ready')
  expect(await refusal.count()).toBe(0)
  await talksWith('+4520173201')
  expect(await refusal.count()).toBe(0)
})

test('digits that are typed fast reach the other side in their order', async () => {
  const held = await heldOrders(page, ({ digits }) => digits === '1')
  await page.getByRole('button', { name: 'Keys', exact: true }).press('Enter')
  await page.keyboard.type('12')
  await expect.poll(() => page.getByRole('textbox', { name: 'Keys' }).inputValue(), SOON).toBe('12')
  await held.all()
  expect(held.asked.map(({ digits }) => digits)).toEqual(['1'])
  held.letGo()
  await expect.poll(() => held.asked.map(({ digits }) => digits), SOON).toEqual(['1', '2'])
  await held.end()
  await keys('Escape')
})

test('nobody is asked who was not named, and of several who fit one is chosen', async () => {
  await page.route(COLLEAGUES, (route) =>
    route.fulfill({
      json: [
        { userName: 'ben', name: 'Ben Lund' },
        { userName: 'ben2', name: 'Ben Lundgren' },
      ],
    }),
  )
  const held = await heldOrders(page, () => true)
  await button(/^Transfer/).press('Enter')
  await button('Ben Lundgren').waitFor(SOON)
  await keys('Enter')
  await page.keyboard.type('lund')
  await page.getByText('Several fit: type on, or choose one.').waitFor(SOON)
  await keys('Enter')
  expect(await button('Transfer now').isDisabled()).toBe(true)
  await held.all()
  expect(held.asked).toEqual([])
  // A whole name is one of them.
  await keys('Control+a')
  await page.keyboard.type('ben lund')
  await keys('Enter', 'Enter')
  await held.all()
  expect(held.asked).toMatchObject([{ type: 'consult', userName: 'ben' }])
  // While it is asked, the caret is where it was.
  await button('Talk first').focus()
  await expect.poll(caret, SOON).toBe('Talk first')
  await page.unroute(COLLEAGUES)
  await held.end()
  await keys('Escape')
})

test('a stop that is asked for twice is one', async () => {
  await button('Do not call again …').press('Enter')
  await page.keyboard.type('never again')
  const held = await heldOrders(page, () => true)
  await keys('Enter', 'Enter')
  await held.all()
  expect(held.asked.map(({ type }) => type)).toEqual(['doNotCall'])
  await held.end()
  await page.getByText(/^Done: Do not call again/).waitFor(SOON)
  await isOver()
})

test('a pause that is asked for with the outcome is promised, and a key that is held saves once', async () => {
  await talksWith('+4520174101')
  await page.getByRole('radio', { name: /Paid/ }).focus()
  await keys('1')
  const held = await heldOrders(page, () => false)
  await page.keyboard.down('Shift')
  for (const _ of [1, 2, 3]) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.keyboard.up('Shift')
  await page.getByText('Saved. You pause when the call has ended.').waitFor(SOON)
  await keys('F8')
  await becomes('paused')
  await held.all()
  expect(held.asked.map(({ type }) => type)).toEqual(['outcome', 'pause', 'hangUp'])
  await held.end()
})

test('whoever waits for what they found or dialed goes on where they were', async () => {
  const manual = await place.campaign({ dialMode: 'manual', agentsDialNumbers: true, name: 'By hand' }, OUTCOMES)
  await place.people(manual, ['+4520175101'])
  await keys('F9')
  await becomes('ready')
  await page.reload()
  await becomes('ready')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/dialer/calltaskget', async (route) => {
    await promise
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Number or case' }).fill('no such case')
  await button('Find').press('Enter')
  await expect.poll(() => button('Find').isDisabled(), SOON).toBe(true)
  expect(await caret()).toBe('Find')
  resolve()
  await page.getByText('No open call task has this number or case.').waitFor(SOON)
  expect(await caret()).toBe('Find')

  const held = await heldOrders(page, () => true)
  await page.getByRole('textbox', { name: 'Number', exact: true }).fill('90 12 34 56')
  await button('Dial').press('Enter')
  await expect.poll(() => button('Dial').isDisabled(), SOON).toBe(true)
  expect(await caret()).toBe('Dial')
  await keys('Enter')
  await held.all()
  expect(held.asked.map(({ type }) => type)).toEqual(['dialNumber'])
  await held.end()
  await page.getByRole('alert').getByText('The number costs more than a call to a person.').waitFor(SOON)
  expect(await caret()).toBe('Dial')
})

test('a key that is held skips one task, and the next one is dialed only after it was seen', async () => {
  const preview = await place.campaign({ dialMode: 'preview', previewSeconds: 300 }, OUTCOMES)
  const [first] = await place.people(preview, ['+4520176101', '+4520176201'])
  await isShown('+4520176101')
  const held = await heldOrders(page, () => false)
  await button('Skip').focus()
  await page.keyboard.down('Enter')
  await isShown('+4520176201')
  await expect.poll(caret, SOON).toBe('Call now')
  for (const _ of [1, 2]) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await held.all()
  // By its name: a key that comes late skips no other one.
  expect(held.asked).toEqual([{ type: 'skip', itcaId: first }])
  await keys('Enter')
  await becomes('talking')
  await held.end()
  await isShown('+4520176201')
})

test('a wrap-up that is ended too late ends no other one', async () => {
  await keys('F8')
  await becomes('wrap-up')
  const held = await heldOrders(page, ({ type }) => type === 'endWrapUp')
  await page.getByRole('radio', { name: /Paid/ }).focus()
  await keys('1', 'Enter')
  await expect.poll(() => held.asked.map(({ type }) => type), SOON).toContain('endWrapUp')
  // It is ended in another way meanwhile, as by a supervisor.
  await page.evaluate(`fetch('/svcpbx/agents/me/orders', {
    method: 'POST',
    headers: { 'svc-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'ready' }),
  })`)
  await isOnNode('ready')
  await place.people(await place.campaign({ wrapUpSeconds: 900, name: 'Patient' }, OUTCOMES), ['+4520177201'])
  await isShown('+4520177201')
  await becomes('talking')
  await keys('F8')
  await becomes('wrap-up')
  const answer = page.waitForResponse((response) => response.request().postDataJSON()?.type === 'endWrapUp')
  held.letGo()
  expect((await answer).status()).toBe(409)
  await held.end()
  await isOnNode('wrapUp')
})

test('a search whose answer comes after another call dials nobody', async () => {
  await page.getByRole('radio', { name: /Paid/ }).focus()
  await keys('1', 'Enter')
  await becomes('ready')
  const { promise, resolve } = Promise.withResolvers<void>()
  const isSearch = (body: object | null) => body !== null && 'finishedList' in body
  await page.route('**/dialer/calltaskget', async (route) => {
    if (isSearch(route.request().postDataJSON())) await promise
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Number or case' }).fill('case-5101')
  await button('Find').press('Enter')
  await talksWith('+4520178101')
  await isOver()
  const held = await heldOrders(page, () => false)
  const answer = page.waitForResponse((response) => isSearch(response.request().postDataJSON()))
  resolve()
  await (await answer).finished()
  await held.all()
  expect(held.asked).toEqual([])
  await held.end()
  await page.unroute('**/dialer/calltaskget')
})
