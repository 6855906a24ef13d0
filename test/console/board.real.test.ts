/** The live board of a started service in a real browser: what a supervisor sees, does, and is told. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { type BoardPlace, HOSTILE, openBoardPlace } from './board-place.ts'
import { auditOf, picture, watched } from './page-checks.ts'

const SOON = { interval: 100, timeout: 60_000 }
let board: BoardPlace

beforeAll(async () => {
  board = await openBoardPlace()
}, BROWSER_PATIENCE_MS)
afterAll(() => board?.close())

const agents = (page: Page) => page.getByRole('grid', { name: /Agents/ })
const rowOf = (page: Page, name: string) => agents(page).getByRole('row').filter({ hasText: name })
const stateOf = async (page: Page, name: string) => (await rowOf(page, name).innerText()).replaceAll(/\s+/g, ' ')

async function pictures(page: Page, name: string, widths: readonly number[] = [390, 1024, 1440]): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of widths) await picture(page, `board-${name}-${colorScheme}-${width}`, width)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

async function auditBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await auditOf(page)).toEqual([])
  }
}

test('an empty board says that all is well and teaches what will be there', async () => {
  const page = await board.atBoard('/board')
  const faults = watched(page)
  await page.getByText('All well: nothing needs you.').waitFor()
  await page.getByText(/Nobody is logged in/).waitFor()
  await page.getByText(/No campaign dials now/).waitFor()
  await auditBoth(page)
  await pictures(page, 'empty')
  expect(faults).toEqual([])
}, 120_000)

test('agents and calls appear, move and go; names are names and nothing else', async () => {
  const page = await board.atBoard('/board')
  const faults = watched(page)
  for (const name of ['anna', 'bo', 'cilla']) await board.order(name, 'logIn')
  await expect.poll(() => stateOf(page, 'Anna Berg'), SOON).toContain('Ready')
  await expect.poll(() => stateOf(page, '<img src=x'), SOON).toContain('Ready')
  await expect.poll(() => stateOf(page, 'Karl ␣egnirts'), SOON).toContain('Ready')
  await board.order('cilla', 'pause', { reason: 'lunch' })
  await expect.poll(() => stateOf(page, 'Karl'), SOON).toMatch(/Break lunch/)

  const callCode = await board.campaign(HOSTILE.long.slice(0, 200), { wrapUpSeconds: 3_600 })
  await page.getByRole('article').waitFor({ timeout: 60_000 })
  await board.tasks(callCode, ['+4520123401', '+4520123509'])
  await expect.poll(() => stateOf(page, 'Anna Berg'), SOON).toMatch(/Talking|Wrap-up/)
  const calls = page.getByRole('table', { name: /Conversations/ })
  await expect.poll(() => calls.getByRole('row').count(), SOON).toBe(2)
  await page.getByText(/1 talking, 0 ready, 1 in wrap-up, 1 on a break/).waitFor({ timeout: 60_000 })
  await auditBoth(page)
  await pictures(page, 'full')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(faults).toEqual([])
  expect(board.place.browser.asked).toEqual([])
}, 240_000)
