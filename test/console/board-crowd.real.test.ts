/** The board of 500 agents in Chromium: what leads to a row far down, and that nothing moves by itself. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boardServer } from '../../bench/board/board-server.ts'
import { builtConsole } from '../../src/app/console-files.ts'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'

/** The mark of a change is painted once a second: so many are seen. */
const PAINTED = 15
let server: Awaited<ReturnType<typeof boardServer>>
let browser: TestBrowser
let built: string

beforeAll(async () => {
  const made = await builtConsole(mkdtempSync(join(tmpdir(), 'switchboard-crowd-')))
  if ('problem' in made) throw new Error(made.problem)
  built = made.directory
  server = await boardServer({ '/': built }, 500, 1)
  browser = await testBrowser({ reaches: [server.host] })
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function atBoard(): Promise<Page> {
  const page = await browser.page()
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.goto(`http://${server.host}/board`)
  await page
    .getByText(/Agent \d/)
    .first()
    .waitFor(SOON)
  return page
}

test('a sentence about one of more than a hundred conversations leads to its row, in sight', async () => {
  const page = await atBoard()
  const id = `call-call-${server.onHold}`
  expect(await page.locator(`[id="${id}"]`).count(), 'so far down that it is not drawn').toBe(0)
  await page.getByRole('button', { name: /is on hold with music for/ }).press('Enter', SOON)
  await expect.poll(() => page.evaluate('document.activeElement?.id'), SOON).toBe(id)
  const list = await page.getByRole('group', { name: /Conversations/ }).boundingBox()
  const row = await page.locator(`[id="${id}"]`).boundingBox()
  // Below the heads of its columns, which stay.
  const heads = await page.getByRole('columnheader', { name: 'Direction' }).boundingBox()
  expect(heads!.y).toBeGreaterThanOrEqual(list!.y)
  expect(row!.y).toBeGreaterThanOrEqual(heads!.y + heads!.height)
  expect(row!.y + row!.height).toBeLessThanOrEqual(list!.y + list!.height + 1)
  await page.close()
})

test('of more people than one answer has, all are in their team', async () => {
  const larger = await boardServer({ '/': built }, 600, 1)
  const other = await testBrowser({ reaches: [larger.host] })
  const page = await other.page()
  await page.goto(`http://${larger.host}/board?team=1`)
  const grid = page.getByRole('grid', { name: /Agents/ })
  await expect.poll(() => grid.getAttribute('aria-rowcount'), SOON).toBe('601')
  await other.close()
  await larger.close()
})

test('nothing moves by itself while 30 agents change in a second', async () => {
  const page = await atBoard()
  server.setRate(30)
  const marks = new Set<string>()
  const look = async () => {
    const mark = /sent-\d+/.exec(await page.getByRole('grid', { name: /Agents/ }).innerText())?.[0]
    if (mark) marks.add(mark)
    return marks.size
  }
  // The first order of the rows is not the board at work.
  await expect.poll(look, SOON).toBeGreaterThan(3)
  await page.evaluate(`
    window.moved = []
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries()) {
        moved.push(sources.map(({ node }) => node?.textContent.slice(0, 80) ?? 'gone').join(' | '))
      }
    }).observe({ type: 'layout-shift', buffered: false })
  `)
  marks.clear()
  await expect.poll(look, SOON).toBeGreaterThan(PAINTED)
  expect(await page.evaluate('moved')).toEqual([])
  await page.close()
})
