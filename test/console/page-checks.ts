/** What every page of the console is checked for: its policy, its log, accessibility; and pictures for people. */
import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { differenceFrom, isSameBrowser, KEPT, keep, NAMES, report } from './pictures/kept-pictures.ts'
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
export function watched(page: Page, faults: string[] = []): string[] {
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
 * Shows the page in a window of this size. A page of `NAMES` is compared with its kept picture: it gets time to become
 * the same, as what has just happened may not be drawn yet; then the test goes on, and fails at its end. With
 * `PICTURES=accept` a picture that differs is kept instead. Also writes the page as it is to SCREENSHOTS.
 */
export async function picture(page: Page, name: string, width: number, height = HEIGHT): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  await page.setViewportSize({ width, height })
  if (folder) {
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  }
  const isAccepted = process.env['PICTURES'] === 'accept'
  if (NAMES.has(name) && (isAccepted || existsSync(KEPT))) await compare(page, name, isAccepted)
}

async function compare(page: Page, name: string, isAccepted: boolean): Promise<void> {
  const chromium = page.context().browser()!.version()
  await whileStill(page, async (take) => {
    let now = await take()
    const differs = () => differenceFrom(name, now)
    const isSteady = async () => {
      const before = now
      now = await take()
      return !differs() || (isAccepted && before.equals(now))
    }
    if (!differs()) return
    const timeout = isRed ? AGAIN_MS : SOON_MS
    await expect
      .poll(isSteady, { timeout, interval: STILL_MS })
      .toBe(true)
      .catch(() => {})
    const words = differs()
    if (!words) return
    if (isAccepted) return keep(name, now, chromium)
    isRed = true
    const said = report(name, now, words)
    if (isSameBrowser(chromium)) expect.soft(said).toBe('')
    else process.stderr.write(`drawn by another Chromium (${chromium}), no fault: ${said}\n`)
  })
}

/** The same into `docs/pictures`, where KEEP_PICTURES is set: what the documents show is what a test has seen. */
export async function documentPicture(page: Page, name: string): Promise<void> {
  if (!process.env['KEEP_PICTURES']) return
  const before = page.viewportSize()
  await page.setViewportSize({ width: 1_280, height: 600 })
  await page.screenshot({ path: join(DOCUMENTS, `${name}.png`), animations: 'disabled' })
  if (before) await page.setViewportSize(before)
}
