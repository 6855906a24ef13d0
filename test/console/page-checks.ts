/** What every page of the console is checked for: its policy, its log, accessibility; and pictures for people. */
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { differenceFrom, keep, pixelsOf, report } from './pictures/kept-pictures.ts'
import { whileStill } from './pictures/still-page.ts'

/** WCAG 2.0 to 2.2, A and AA, and the good practices of axe. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const HEIGHT = 900
/** A page is drawn by then, also on a busy machine; once one differed, the others of its file get less. */
const SOON_MS = 10_000
const AGAIN_MS = 1_000
/** A picture to keep is the same for this long. */
const STILL_MS = 400
let isRed = false
const DOCUMENTS = join(import.meta.dirname, '../../docs/pictures')

/** Fills with what goes wrong on a page from now on: what its policy refuses, what it throws, what it logs as error. */
export function watched(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`threw ${error.message}`))
  page.on('console', (line) => {
    // A refused sign-in, and asking who is signed in before it, are answers and no faults.
    const isAnswer = /status of 401/.test(line.text())
    if (line.type() === 'error' && !isAnswer) faults.push(line.text())
  })
  return faults
}

/** The faults that axe-core finds, one line each. It is put in past the policy of the page, as a debugger is. */
export async function auditOf(page: Page): Promise<string[]> {
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))')
  await page.evaluate(await readFile(AXE, 'utf8'))
  const run = `axe.run(document, ${JSON.stringify({ runOnly: { type: 'tag', values: RULES } })})`
  const { violations } = (await page.evaluate(run)) as { readonly violations: readonly Violation[] }
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

/** What axe-core answers about one rule. */
interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * Compares the page with the picture that is kept under this name, in a window of this size; the test goes on where it
 * differs, and fails at its end. The page gets time to become as it was: what has just happened may not be drawn yet.
 * With `PICTURES=accept` a picture that differs is kept instead. Also writes the page as it is to SCREENSHOTS.
 */
export async function picture(page: Page, name: string, width: number, height = HEIGHT): Promise<void> {
  await shown(page, name, width, height)
  const take = async () => pixelsOf(await page.screenshot({ animations: 'disabled' }))
  const isAccepted = process.env['PICTURES'] === 'accept'
  await whileStill(page, async () => {
    let now = await take()
    const differs = () => differenceFrom(name, now)
    const again = async () => {
      const before = now
      now = await take()
      return isAccepted ? !differs() || Buffer.compare(before.data, now.data) === 0 : !differs()
    }
    if (!differs()) return
    const timeout = isRed ? AGAIN_MS : SOON_MS
    await expect
      .poll(again, { timeout, interval: STILL_MS })
      .toBe(true)
      .catch(() => {})
    const words = differs()
    if (!words) return
    if (isAccepted) return keep(name, now)
    isRed = true
    expect.soft(report(name, now, words, page.context().browser()!.version())).toBe('')
  })
}

/** Takes a picture into the folder of SCREENSHOTS, where it is set: for people to look at. */
export async function shown(page: Page, name: string, width: number, height = HEIGHT): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  await page.setViewportSize({ width, height })
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

/** The same into `docs/pictures`, where KEEP_PICTURES is set: what the documents show is what a test has seen. */
export async function documentPicture(page: Page, name: string): Promise<void> {
  if (!process.env['KEEP_PICTURES']) return
  const before = page.viewportSize()
  await page.setViewportSize({ width: 1_280, height: 600 })
  await page.screenshot({ path: join(DOCUMENTS, `${name}.png`), animations: 'disabled' })
  if (before) await page.setViewportSize(before)
}
