/** What two agents do in a call in real browsers, on a started service: hold, mute, keys, consult, connect. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { auditOf, picture, watched } from '../page-checks.ts'
import { type DeskPlace, openDeskPlace, stateOf } from './desk-place.ts'

let place: DeskPlace
let anna: Page
let ben: Page
let faults: string[]
let callCode: number

beforeAll(async () => {
  place = await openDeskPlace()
  anna = await place.browser.page()
  ben = await place.browser.page()
  await place.desk(anna)
  await place.desk(ben, 'ben')
  faults = watched(anna)
  callCode = await place.campaign({ name: 'Reminders' }, [{ name: 'Paid', key: '1' }])
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const becomes = (state: string, on = anna) => expect.poll(() => stateOf(on), SOON).toBe(state)
const act = (name: string | RegExp, on = anna) => on.getByRole('button', { name })
const isPressed = (name: RegExp, on = anna) => expect.poll(() => act(name, on).getAttribute('aria-pressed'), SOON)

async function pictures(name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await anna.emulateMedia({ colorScheme: theme })
    expect(await auditOf(anna)).toEqual([])
    for (const width of [390, 1024, 1440]) await picture(anna, `desk-${name}-${theme}-${width}`, width)
  }
}

test('one key lets the other side wait, and takes it back', async () => {
  for (const page of [ben, anna]) {
    await page.bringToFront()
    await expect.poll(() => page.evaluate('document.activeElement.textContent'), SOON).toBe('Start')
    await page.keyboard.press('Enter')
    await becomes('ready', page)
  }
  await place.people(callCode, ['+4520123301'])
  await becomes('talking')
  await anna.keyboard.press('F4')
  await becomes('on hold')
  await isPressed(/Take back/).toBe('true')
  expect(await act('Keys').isDisabled()).toBe(true)
  await pictures('held')
  await anna.keyboard.press('F4')
  await becomes('talking')
})

test('one key mutes, a page that is loaded again knows it, and one key ends it', async () => {
  await anna.keyboard.press('F2')
  await isPressed(/Muted: unmute/).toBe('true')
  await anna.reload()
  await isPressed(/Muted: unmute/).toBe('true')
  for (const language of ['da', 'en']) {
    await anna.evaluate(`localStorage.setItem('sb-language', '${language}')`)
    await anna.reload()
    await isPressed(language === 'da' ? /^Lyd fra/ : /^Muted/).toBe('true')
    await anna.setViewportSize({ width: 390, height: 844 })
    expect(await anna.evaluate(CUT_LABELS), language).toEqual([])
    await picture(anna, `desk-muted-${language}-390`, 390, 844)
    await anna.setViewportSize({ width: 1440, height: 900 })
  }
  await anna.keyboard.press('F2')
  await isPressed(/^Mute/).toBe('false')
})

/** What the buttons of a call say, and have no room for. */
const CUT_LABELS = `[...document.querySelectorAll('section button .mantine-Button-label')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent)`

test('each digit is pressed at once, and stays pressed', async () => {
  await act('Keys').press('Enter')
  await anna.keyboard.type('12#x')
  const field = anna.getByRole('textbox', { name: 'Keys' })
  await expect.poll(() => field.inputValue(), SOON).toBe('12#')
  await anna.keyboard.press('Backspace')
  expect(await field.inputValue()).toBe('12#')
  await anna.keyboard.press('Escape')
  await expect.poll(() => field.count(), SOON).toBe(0)
})

test('a colleague is asked by a part of the name, and the call comes back', async () => {
  await act(/^Transfer/).press('Enter')
  await anna.getByRole('button', { name: 'Ben Lund' }).waitFor()
  await anna.keyboard.type('lund')
  await pictures('transfer')
  await anna.keyboard.press('Enter')
  await anna.getByText('You talk with Ben Lund. The other side hears music.').waitFor()
  await ben.getByText('Anna Holm asks you about a call, and hears you. The other side waits.').waitFor()
  await becomes('reserved', ben)
  await pictures('consulting')
  await anna.reload()
  await anna.getByText('You talk with Ben Lund. The other side hears music.').waitFor()
  await anna.keyboard.press('F4')
  await becomes('talking')
  await becomes('ready', ben)
})

test('the focus stays in the row of the call: on hold, when a consultation begins, and when it ends', async () => {
  const focus = () => anna.evaluate('document.activeElement.textContent')
  const isOnRow = () => anna.evaluate("document.activeElement.matches('[data-in-call]')")
  await act('Keys').focus()
  await anna.keyboard.press('F4')
  await becomes('on hold')
  // Off, and nothing that keys could reach.
  await expect.poll(isOnRow, SOON).toBe(true)
  await anna.keyboard.press('F4')
  await becomes('talking')
  for (const end of ['Back to the call', 'All three']) {
    await act(/^Transfer/).press('Enter')
    await anna.getByRole('button', { name: 'Ben Lund' }).waitFor()
    await anna.keyboard.type('lund')
    await anna.keyboard.press('Enter')
    await anna.getByText('You talk with Ben Lund. The other side hears music.').waitFor()
    await expect.poll(isOnRow, SOON).toBe(true)
    await act(end).focus()
    if (end === 'All three') {
      await ben.bringToFront()
      await ben.keyboard.press('F8')
      await anna.bringToFront()
    } else await anna.keyboard.press('Enter')
    await act(end).waitFor({ state: 'detached' })
    await expect.poll(focus, SOON).toMatch(/^Transfer|^Mute/)
    await becomes('ready', ben)
  }
  await act('Close').press('Enter')
})

test('a consultation that the colleague ends: the message goes when the other side is taken back', async () => {
  const message = anna.getByText(/The other side waits: take them back/)
  await act(/^Transfer/).press('Enter')
  await anna.getByRole('button', { name: 'Ben Lund' }).waitFor()
  await anna.keyboard.type('lund')
  await anna.keyboard.press('Enter')
  await anna.getByText('You talk with Ben Lund. The other side hears music.').waitFor()
  await ben.bringToFront()
  await ben.keyboard.press('F8')
  await anna.bringToFront()
  await message.waitFor()
  await anna.keyboard.press('F4')
  await becomes('talking')
  await expect.poll(() => message.count(), SOON).toBe(0)
  await becomes('ready', ben)
})

test('whoever leaves a talk of three leaves the two others in it, and the desk says so', async () => {
  await act(/^Transfer/).press('Enter')
  // Hangs up by itself after 15 s.
  await anna.keyboard.type('+4520123404')
  await anna.keyboard.press('Enter')
  await anna.getByText(/You talk with .*3404. The other side hears music/).waitFor()
  await act('All three').press('Enter')
  await anna.getByText(/You talk with .*3404 and the other side/).waitFor()
  await anna.getByText(/You no longer talk with .*3404. .*The other side is still in the call/).waitFor()
  expect(await anna.getByText('The other side waits', { exact: false }).allInnerTexts()).toEqual([])
  await becomes('talking')
  await act('Close').press('Enter')
})

test('whoever cannot be called is named with the reason, and nothing typed is lost', async () => {
  await act(/^Transfer/).press('Enter')
  await anna.keyboard.type('+46 70 123 45 67')
  await anna.keyboard.press('Enter')
  await anna.getByText(/No line may transfer to the country of the number/).waitFor()
  expect(await anna.getByRole('textbox', { name: 'Colleague or number' }).inputValue()).toBe('+46 70 123 45 67')
  await anna.keyboard.press('Escape')
})

test('the call goes to the colleague with its case; the first agent saves the outcome', async () => {
  await act(/^Transfer/).press('Enter')
  await anna.keyboard.type('ben')
  await anna.keyboard.press('Enter')
  await act('Connect the two').press('Enter')
  await becomes('wrap-up')
  await becomes('talking', ben)
  await ben.getByRole('heading', { name: 'Debtor case-3301', level: 2 }).waitFor()
  await anna.keyboard.press('1')
  await anna.keyboard.press('Enter')
  await becomes('ready')
  await ben.bringToFront()
  await ben.keyboard.press('F2')
  await isPressed(/Muted: unmute/, ben).toBe('true')
  await ben.keyboard.press('F8')
  await becomes('wrap-up', ben)
  // Else the next person hears nobody.
  await ben.keyboard.press('F2')
  await isPressed(/^Mute/, ben).toBe('false')
  // The number that was refused.
  expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
})
