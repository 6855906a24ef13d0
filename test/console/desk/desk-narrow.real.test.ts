/** The desk on a small screen: what an outcome asks for is seen, a date that was begun stays, the caret is not lost. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { auditOf, picture, watched } from '../page-checks.ts'
import { atDesk, type DeskPlace, openDeskPlace, stateOf } from './desk-place.ts'

const OUTCOMES = [
  { name: 'Promised to pay', key: '1', final: true },
  { name: 'Call again', key: '2', needsCallBackDate: true },
  { name: 'Paid', key: '3', final: true, fields: [{ name: 'Paid on', kind: 'date' }] },
  { name: 'Wrong person', key: '4', final: true },
  { name: 'Refuses', key: '5', final: true },
  { name: 'Moved', key: '6', final: true },
  { name: 'Deceased', key: '7', final: true },
]
let place: DeskPlace
let page: Page
let faults: string[]
let callCode: number

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  callCode = await place.campaign({ wrapUpSeconds: 900, script: 'Is this {name}?' }, OUTCOMES)
  await place.desk(page)
  faults = watched(page)
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await page.getByRole('heading', { name: 'Ready' }).waitFor(SOON)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const { becomes, keys, note } = atDesk(
  () => page,
  () => place,
)
const outcomes = () => page.getByRole('radio')
const talksWith = async (number: string) => {
  await place.people(callCode, [number])
  await becomes('talking')
  await outcomes().first().waitFor(SOON)
}
const isOver = async () => {
  await keys('F8')
  await becomes('wrap-up')
  await expect.poll(() => page.evaluate('document.activeElement.type'), SOON).toBe('radio')
}
const fieldsOf = async (caseNumber: string) => {
  const body = { systemLookupCodes: [caseNumber], detail: true }
  const { callTasks } = await place.client.ask('POST /dialer/calltaskget', { body })
  return callTasks[0]?.callAttempts?.at(-1)?.feedback.at(-1)?.fields
}

/** As much of an element as is needed here: these tests know no page. */
interface Drawn {
  getBoundingClientRect(): {
    readonly left: number
    readonly top: number
    readonly right: number
    readonly bottom: number
  }
  contains(other: unknown): boolean
  readonly ownerDocument: { elementFromPoint(x: number, y: number): unknown }
}

/** All of it is in the window, and nothing lies over its corners. */
const isSeen = (of: Locator, what: string) =>
  expect.poll(() => of.evaluate(seenCorners), { ...SOON, message: what }).toBe(4)

function seenCorners(one: Drawn): number {
  const { left, top, right, bottom } = one.getBoundingClientRect()
  const [x, y] = [
    [left + 8, right - 8],
    [top + 4, bottom - 4],
  ] as const
  const corners = x.flatMap((at) => y.map((down) => one.ownerDocument.elementFromPoint(at, down)))
  return corners.filter((found) => one.contains(found)).length
}

test('Start that was refused has the caret still: the same key tries again', async () => {
  const ben = await place.desk(undefined, 'ben')
  await ben.getByRole('button', { name: 'Start' }).waitFor(SOON)
  await ben.route('**/agents/me/orders', (route) =>
    route.fulfill({ status: 409, json: { title: 'conflict', status: 409, detail: 'your phone is busy' } }),
  )
  await ben.keyboard.press('Enter')
  await ben.getByRole('alert').getByText('your phone is busy').waitFor(SOON)
  await ben.unroute('**/agents/me/orders')
  await ben.keyboard.press('Enter')
  await expect.poll(() => stateOf(ben), SOON).toBe('ready')
  await ben.close()
})

test('callbacks that could not be read are no empty list', async () => {
  await page.route('**/dialer/callbacks**', (route) => route.fulfill({ status: 403, json: { title: 'forbidden' } }))
  await page.reload()
  await page.getByText('Your callbacks could not be read now.').waitFor(SOON)
  await page.unroute('**/dialer/callbacks**')
  await page.reload()
  await page.getByText('You have promised no callback.').waitFor(SOON)
})

test.each([
  [390, 844, '+4520151101'],
  [390, 664, '+4520151201'],
  [320, 640, '+4520151301'],
])(
  'at %d × %d px what an outcome asks for is seen with the button that saves it',
  async (width, height, number) => {
    await page.setViewportSize({ width, height })
    await talksWith(number)
    await isOver()
    await keys('2')
    const asked = page.getByRole('textbox', { name: /^Call back/ })
    await isSeen(asked, 'the field')
    await isSeen(page.getByRole('button', { name: /^Save and ready/ }), 'the button')
    // The outcome itself may be above what is seen: the question says whose it is.
    await isSeen(page.locator('form').getByText('Call again', { exact: true }).last(), 'whose question it is')
    await picture(page, `desk-narrow-asked-${width}-${height}`, width, height)
    // Who steps through the list sees where they are.
    await keys('ArrowUp')
    const radio = page.getByRole('radio', { name: /Promised/ })
    await isSeen(page.locator('label').filter({ has: radio }), 'the outcome')
    // What is missing is seen as well.
    await keys('2', 'Enter')
    await isSeen(page.getByRole('alert').getByText('Write when to call back.'), 'what is missing')
    await isSeen(asked, 'the field')
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    await outcomes().first().focus()
    await keys('1', 'Enter')
    await becomes('ready')
  },
  120_000,
)

test('a date that was begun stays to be seen, and is not saved as if there were none', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await talksWith('+4520152201')
  await isOver()
  await keys('3')
  const date = page.getByLabel(/^Paid on/)
  await date.focus()
  await page.keyboard.type('11')
  await page.getByRole('radio', { name: /Paid/ }).focus()
  await page.getByText('Not a whole date: write day, month and year.').waitFor(SOON)
  expect(await page.evaluate('getComputedStyle(document.querySelector("input[type=date]")).color')).not.toBe(
    'rgba(0, 0, 0, 0)',
  )
  expect(await auditOf(page)).toEqual([])
  await picture(page, 'desk-half-date-390', 390, 844)
  await keys('Enter')
  await page.getByRole('alert').getByText('The date is not whole: write day, month and year.').waitFor(SOON)
  expect(await page.evaluate('document.activeElement.type')).toBe('date')
  expect(await stateOf(page)).toBe('wrap-up')
  await page.keyboard.type('11282026')
  await expect.poll(() => date.inputValue(), SOON).toBe('2026-11-28')
  await keys('Enter')
  await becomes('ready')
  expect(await fieldsOf('case-2201')).toEqual([{ name: 'Paid on', value: '2026-11-28' }])
})

test('whoever asks for a pause, transfers, presses keys or stops calls has the caret where it was', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await talksWith('+4520153301')
  const caret = (is: string) => expect.poll(() => page.evaluate('document.activeElement.tagName'), SOON).toBe(is)
  await caret('TEXTAREA')
  await page.keyboard.type('pays ')
  for (const word of ['transfer', 'keys']) {
    await keys('Control+k')
    await page.keyboard.type(word)
    await keys('Enter')
    await caret('INPUT')
    await keys('Escape')
    await caret('TEXTAREA')
  }
  await keys('F9')
  await page.getByRole('button', { name: 'Short break' }).waitFor(SOON)
  await keys('1')
  await caret('TEXTAREA')
  await page.keyboard.type('on Friday')
  expect(await note().inputValue()).toBe('pays on Friday')
  const stop = page.getByRole('button', { name: 'Do not call again …' })
  await stop.press('Enter')
  await page.getByRole('textbox', { name: 'What did they say?' }).fill('never again')
  await keys('Enter')
  await page.getByText(/^Done: Do not call again/).waitFor(SOON)
  await expect.poll(() => page.evaluate('document.activeElement.textContent'), SOON).toBe('Do not call again …')
})

test('outcomes that could not be read are said to be, and come with the key that saves', async () => {
  await page.route('**/outcomes**', (route) => route.fulfill({ status: 403, json: { title: 'forbidden' } }))
  await page.reload()
  await becomes('talking')
  await page.getByText('The outcomes could not be read. Enter asks for them again').waitFor(SOON)
  await page.unroute('**/outcomes**')
  await note().focus()
  await keys('Control+Enter')
  await outcomes().first().waitFor(SOON)
  expect(await note().inputValue()).toBe('pays on Friday')
  expect(faults.filter((fault) => !/status of 4\d\d/.test(fault))).toEqual([])
})
