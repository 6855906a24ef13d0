/** The caret of the desk: what is typed goes where it was begun, and lists that come late move nobody. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'
import { heldOrders } from './held-orders.ts'

const OUTCOMES = [
  { name: 'Paid', key: '1', final: true },
  { name: 'Call again', key: '2', needsCallBackDate: true },
]
let place: DeskPlace
let page: Page
/** Whose wrap-up ends after a second, and whose lasts. */
let [hasty, patient]: number[] = []

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  // The time between two keys is the test's, however busy the machine is.
  await page.addInitScript(`{
    const real = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp').get
    Object.defineProperty(Event.prototype, 'timeStamp', { get() { return globalThis.keyMs ?? real.call(this) } })
  }`)
  hasty = await place.campaign({ wrapUpSeconds: 1, name: 'Hasty' }, OUTCOMES)
  patient = await place.campaign({ wrapUpSeconds: 900, name: 'Patient' }, OUTCOMES)
  await place.desk(page)
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await page.getByRole('heading', { name: 'Ready' }).waitFor(SOON)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const { becomes, button, caret, keys, note } = atDesk(
  () => page,
  () => place,
)
const isShown = (number: string) =>
  page.getByRole('heading', { name: `Debtor case-${number.slice(-4)}`, level: 2 }).waitFor(SOON)
const talksWith = async (callCode: number | undefined, number: string) => {
  await place.people(callCode!, [number])
  await isShown(number)
  await becomes('talking')
}
/** Every key from now on is pressed in this moment. */
const timeIs = (ms: number) => page.evaluate(`globalThis.keyMs = ${ms}`)

test('the rest of a word goes to the note that it was begun in, and not to that of the next call', async () => {
  await talksWith(hasty, '+4520181101')
  await page.keyboard.type('pays on')
  await keys('F8')
  await becomes('ready')
  await timeIs(1_000)
  await page.keyboard.type(' Fri')
  await talksWith(patient, '+4520181201')
  await page.keyboard.type('day')
  expect(await note().inputValue()).toBe('')
  await timeIs(9_000)
  await page.keyboard.type('Is it you?')
  expect(await note().inputValue()).toBe('Is it you?')
  await keys('F8')
  await becomes('wrap-up')
  await keys('Escape', '1', 'Enter')
  await becomes('ready')
  await button('Finish: Debtor case-1101').press('Enter')
  await expect.poll(() => note().inputValue(), SOON).toBe('pays on Friday')
})

test('a space in a note dials no task that is offered in that moment, and Enter does not', async () => {
  await note().focus()
  await keys('End')
  await timeIs(20_000)
  await page.keyboard.type(', he')
  const held = await heldOrders(page, () => false)
  const preview = await place.campaign({ dialMode: 'preview', previewSeconds: 480 }, OUTCOMES)
  await place.people(preview, ['+4520182101'])
  await isShown('+4520182101')
  await expect.poll(caret, SOON).toBe('Call now')
  await page.keyboard.type(' said')
  await keys('Enter')
  await held.all()
  expect(held.asked).toEqual([])
  await timeIs(30_000)
  await keys('Enter')
  await becomes('talking')
  await keys('F8')
  await becomes('wrap-up')
  await keys('Escape', '1', 'Enter')
  await becomes('ready')
  await held.end()
  await button('Finish: Debtor case-1101').press('Enter')
  await expect.poll(() => note().inputValue(), SOON).toBe('pays on Friday, he said\n')
  await button('Finish later: Debtor case-1101').press('Enter')
})

test('whoever writes when to call back goes on writing when the call ends', async () => {
  await timeIs(40_000)
  await talksWith(patient, '+4520183101')
  await page.getByRole('radio').first().waitFor(SOON)
  // What Ctrl+K has opened takes the next key at once.
  await keys('Control+k')
  await page.keyboard.type('keys')
  await keys('Enter')
  await page.keyboard.type('12')
  expect(await page.getByRole('textbox', { name: 'Keys' }).inputValue()).toBe('12')
  await keys('Escape')
  await note().focus()
  await keys('Escape', '2')
  const when = page.getByRole('textbox', { name: /^Call back/ })
  await when.focus()
  await page.keyboard.type('in 1')
  await keys('F8')
  await becomes('wrap-up')
  await page.keyboard.type('2 h')
  expect(await when.inputValue()).toBe('in 12 h')
  expect(await page.getByRole('radio', { name: /Call again/ }).isChecked()).toBe(true)
  await keys('Enter')
  await becomes('ready')
})

test('outcomes that come late leave the caret where somebody has put it meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/dialer/callcode/*/outcomes', async (route) => {
    await promise
    await route.continue()
  })
  await talksWith(await place.campaign({ wrapUpSeconds: 900, name: 'Slow' }, OUTCOMES), '+4520184101')
  await keys('F8')
  await becomes('wrap-up')
  await button('Save and pause').focus()
  resolve()
  await page.getByRole('radio').first().waitFor(SOON)
  expect(await caret()).toMatch(/^Save and pause/)
  await page.unroute('**/dialer/callcode/*/outcomes')
})

test('a call that comes while the reasons of a pause are open has the caret when they are gone', async () => {
  await timeIs(50_000)
  await page.getByRole('radio').first().focus()
  await keys('1', 'Enter')
  await becomes('ready')
  await keys('F9')
  const reasons = page.getByRole('dialog')
  await reasons.waitFor(SOON)
  await talksWith(patient, '+4520185101')
  expect(await reasons.isVisible()).toBe(true)
  await timeIs(60_000)
  await keys('Escape')
  await expect.poll(() => page.evaluate(`document.activeElement.matches('[data-note-of]')`), SOON).toBe(true)
  await page.keyboard.type('asks for a bill')
  expect(await note().inputValue()).toBe('asks for a bill')
})

test('a call that comes while the palette is open has the caret when it is closed', async () => {
  await keys('F8')
  await becomes('wrap-up')
  await keys('Escape', '1', 'Enter')
  await becomes('ready')
  await keys('Control+k')
  const palette = page.getByRole('dialog')
  await palette.waitFor(SOON)
  await talksWith(patient, '+4520186101')
  expect(await palette.isVisible()).toBe(true)
  await keys('Escape')
  await expect.poll(() => page.evaluate(`document.activeElement.matches('[data-note-of]')`), SOON).toBe(true)
  await page.keyboard.type('asks why')
  expect(await note().inputValue()).toBe('asks why')
})
