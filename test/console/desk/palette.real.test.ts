/** Ctrl+K and the letters of pages, in a real browser, by the keyboard alone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { auditOf, picture, watched } from '../page-checks.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'
import { type KeyboardWalk, keyboardWalk } from './keyboard-walk.ts'

let place: DeskPlace
let page: Page
let walk: KeyboardWalk
let faults: string[]

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  walk = await keyboardWalk(page)
  await place.desk(page)
  faults = watched(page)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const { becomes } = atDesk(
  () => page,
  () => place,
)
const field = () => page.getByRole('combobox', { name: 'Search or command' })
const offered = () => page.getByRole('option').allInnerTexts()
const isAt = (path: string) => expect.poll(() => new URL(page.url()).pathname, SOON).toBe(path)
const account = () => page.getByRole('heading', { name: 'You', level: 1 })

test('acts of the desk are found by a few letters, in both languages, and done with Enter', {
  tags: 'pictures',
}, async () => {
  await expect.poll(() => page.evaluate('document.activeElement.textContent'), SOON).toBe('Start')
  await walk.press('Control+k', '"start"', 'Enter')
  await becomes('ready')
  await walk.press('Control+k')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await auditOf(page), colorScheme).toEqual([])
    for (const width of [390, 1024, 1440]) await picture(page, `palette-${colorScheme}-${width}`, width)
  }
  expect(await offered()).toContain('Pause: Lunch\nF9 2')
  expect(await offered()).not.toContain('End call\nF8')
  await walk.press('"frok"')
  expect(await offered()).toEqual(['Pause: Lunch\nF9 2'])
  await walk.press('Enter')
  await becomes('paused')
  expect(await page.getByRole('region', { name: 'Your phone' }).innerText()).toContain('Lunch')
})

test('arrows choose, Esc closes and gives the focus back, and what is not there says so', async () => {
  const before = () => page.evaluate('document.activeElement.outerHTML')
  await walk.press('Tab')
  const focused = await before()
  await walk.press('Control+k', '"zzz"')
  await page.getByText('Nothing has this name.').waitFor(SOON)
  expect(await auditOf(page)).toEqual([])
  await walk.press('Enter', 'Escape')
  await expect.poll(() => field().count(), SOON).toBe(0)
  expect(await before()).toBe(focused)
  await walk.press('Control+k', '"go to"', 'ArrowDown', 'ArrowUp', 'ArrowUp')
  const chosen = await page.getByRole('option', { selected: true }).innerText()
  expect(chosen).toBe((await offered()).at(-1))
  await walk.press('Control+k')
  await expect.poll(() => field().count(), SOON).toBe(0)
})

test('g and a letter go to a page, but not in a field; the letter can be changed, and all switched off', async () => {
  await walk.press('g', 'm')
  await account().waitFor(SOON)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await auditOf(page), colorScheme).toEqual([])
    for (const width of [390, 1024, 1440]) await picture(page, `me-keys-${colorScheme}-${width}`, width)
  }
  const desk = page.getByRole('textbox', { name: 'g, then – Desk' })
  await desk.focus()
  await walk.press('b')
  await page.getByText('Take one small letter that no other page has, and not g.').waitFor(SOON)
  expect(await auditOf(page)).toEqual([])
  expect(await desk.inputValue()).toBe('d')
  await walk.press('x', 'g', 'x')
  expect(await desk.inputValue()).toBe('x')
  await isAt('/me')
  const letters = page.getByRole('switch', { name: 'Letters go to pages' })
  await letters.focus()
  await walk.press('g', 'x')
  await isAt('/desk')
  await walk.press('Control+k', '"go you"', 'Enter')
  await account().waitFor(SOON)
  await letters.focus()
  await walk.press('Space', 'g', 'x')
  await page.reload()
  await account().waitFor(SOON)
  await walk.press('g', 'x')
  expect(await letters.isChecked()).toBe(false)
  await isAt('/me')
})

test('how loud the beep of a call is, is chosen with an arrow, heard, and kept', async () => {
  const beeps = () => page.evaluate('beeps')
  await page.addInitScript(`globalThis.beeps = 0
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (when) { globalThis.beeps++; start.call(this, when) }`)
  await page.reload()
  const choice = (name: string) => page.getByRole('radio', { name })
  await choice('Normal').focus()
  await walk.press('ArrowRight')
  await expect.poll(beeps, SOON).toBe(1)
  expect(await choice('Loud').isChecked()).toBe(true)
  await walk.press('ArrowRight')
  await page.reload()
  await expect.poll(() => choice('Off').isChecked(), SOON).toBe(true)
})

test('the language is changed by its name, and the way out is found in it', async () => {
  await walk.press('Control+k', '"dansk"', 'Enter')
  await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor(SOON)
  await walk.press('Control+k', '"sign"', 'Enter')
  await page.getByRole('button', { name: 'Log ind' }).waitFor(SOON)
  expect(await walk.touched()).toBeNull()
  expect(walk.faults).toEqual([])
  expect(faults).toEqual([])
})
