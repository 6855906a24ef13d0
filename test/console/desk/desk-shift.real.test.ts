/** A whole shift of three calls by the keyboard alone, and what a screen reader finds at its moments. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { documentPicture, picture } from '../page-checks.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'
import { type KeyboardWalk, keyboardWalk } from './keyboard-walk.ts'

const OUTCOMES = [
  { name: 'Promised to pay', key: '1', final: true },
  { name: 'Call again', key: '2', needsCallBackDate: true },
  { name: 'Paid', key: '3', fields: [{ name: 'Amount', kind: 'number', required: true }] },
]
const SCRIPT = `Good day, is this {name}?

This is Anna Holm of Nordlys. I am calling about your case {externalCaseNumber}. Is this a good moment to talk?`
const PAGE = new URL('../../../docs/desk.md', import.meta.url)

let place: DeskPlace
let page: Page
let walk: KeyboardWalk
let callCode: number

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  walk = await keyboardWalk(page)
  callCode = await place.campaign({ name: 'Reminders', script: SCRIPT }, OUTCOMES)
  await place.desk(page)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const { becomes } = atDesk(
  () => page,
  () => place,
)
const heading = (text: string) => page.getByRole('heading', { name: text, level: 2 }).waitFor(SOON)
const isTalking = async (name: string) => {
  await becomes('talking')
  await heading(name)
  await page.getByText(/^Attempt 1 of/).waitFor(SOON)
  await page.getByRole('radio', { name: /Promised/ }).waitFor(SOON)
}
const focused = (what: string) =>
  expect
    .poll(() => page.evaluate("document.activeElement.closest('form, section, button')?.innerText ?? ''"), SOON)
    .toContain(what)

/**
 * The tree of accessibility of the page, as it is held beside this test: roles, names, live texts. Figures that
 * follow the clock or a sequence are the same each time.
 */
async function moment(what: string): Promise<void> {
  // The figures of the day come after the page.
  await expect.poll(() => page.getByRole('definition').getByText('–', { exact: true }).count(), SOON).toBe(0)
  const tree = await page.getByRole('main').ariaSnapshot()
  const steady = tree
    .replaceAll(/\d{1,2}:\d\d(:\d\d)?( [AP]M)?/g, '0:00')
    .replaceAll(/definition: "\d+"/g, 'definition: N')
    .replaceAll(/\w{3} \d{1,2}, \d{4}/g, 'DATE')
    .replaceAll(/\w+day, \d{1,2} \w+ \d{4}/g, 'DATE')
  expect(steady).toMatchSnapshot(what)
  await picture(page, `shift-${what.replaceAll(' ', '-')}`, 1440)
}

test('start, three calls with their outcomes, a pause, and the end of the shift', async () => {
  await focused('Start')
  await moment('01 start')
  await walk.task('Begin the shift', 'Enter')
  await becomes('ready')
  await moment('02 ready')
  await documentPicture(page, 'desk-ready')

  await place.people(callCode, ['+4520141101'])
  await walk.task('Take a call')
  await isTalking('Debtor case-1101')
  await moment('03 talking')
  await walk.press('"wants to pay in two parts"')
  await documentPicture(page, 'desk-talking')
  await walk.task('End the call', 'F8')
  await becomes('wrap-up')
  await walk.task('Go from the note to the outcomes', 'Escape')
  await moment('04 wrap-up')
  await walk.task('Save the outcome, and be ready for the next call', '1', 'Enter')
  await becomes('ready')

  await place.people(callCode, ['+4520141209'])
  await isTalking('Debtor case-1209')
  await becomes('wrap-up')
  await focused('Promised to pay')
  await walk.press('2', 'Enter')
  await moment('05 callback asked for')
  await walk.press('"someday"', 'Enter')
  await moment('06 callback not understood')
  await walk.press('Control+a', '"mon 14"')
  await moment('07 callback understood')
  await documentPicture(page, 'desk-callback')
  await walk.press('Enter')
  await becomes('ready')

  await place.people(callCode, ['+4520141301'])
  await isTalking('Debtor case-1301')
  await walk.press('Escape', '3', 'Enter')
  await moment('08 a field is missing')
  await walk.press('"60"', 'Enter')
  await page.getByText('You are ready when the call has ended.').waitFor(SOON)
  await moment('09 saved while talking')
  await walk.press('F8')
  await becomes('ready')

  await place.people(callCode, ['+4520141409'])
  await isTalking('Debtor case-1409')
  await becomes('wrap-up')
  await focused('Promised to pay')
  await walk.task('Promise a callback', '2', 'Enter', '"tomorrow 10"', 'Enter')
  await becomes('ready')
})

test('pauses, and the end of the shift', async () => {
  await place.people(callCode, ['+4520141501'])
  await isTalking('Debtor case-1501')
  await walk.press('F8')
  await becomes('wrap-up')
  await focused('Promised to pay')
  await walk.task('Save the outcome, and begin a short break', '1', 'Shift+Enter')
  await becomes('paused')
  await walk.task('Be ready again', 'F9')
  await becomes('ready')
  await walk.press('F9')
  await page.getByRole('button', { name: 'Lunch' }).waitFor(SOON)
  await moment('10 reasons to pause')
  await walk.press('Escape')
  await walk.task('Begin a pause, for a reason', 'F9', '2')
  await becomes('paused')
  await expect.poll(() => page.getByRole('dialog').count(), SOON).toBe(0)
  await moment('11 paused')
  await walk.press('F9')
  await becomes('ready')
  await walk.task('Log out', 'Control+k', '"log out"', 'Enter')
  await becomes('off')
  // The stream says so before the answer to the order, until which the buttons are off.
  await expect.poll(() => page.getByRole('button', { name: 'Start' }).isEnabled(), SOON).toBe(true)
  await moment('12 logged out')
})

test('nothing was touched, the focus was always seen, and the page of the desk has the table of keys', () => {
  const table = ['| Task | Keys | Number |', '|---|---|---:|', ...walk.rows].join('\n')
  process.stdout.write(`${table}\n`)
  expect(walk.faults).toEqual([])
  expect(readFileSync(PAGE, 'utf8')).toContain(table)
})

test('no mouse and no finger was used', async () => {
  expect(await walk.touched()).toBeNull()
})
