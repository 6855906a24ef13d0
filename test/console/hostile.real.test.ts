/** A thousand hostile texts, put in over REST as an integrator does, and read on every page in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { stateOf } from './desk/desk-place.ts'
import { type HostilePlace, OUTCOMES, openHostilePlace, PREVIEWS } from './hostile-place.ts'
import { picture, watched } from './page-checks.ts'

const SOON = { interval: 50, timeout: 60_000 }
let place: HostilePlace
let anna: Page
let vera: Page
const faults: string[] = []

beforeAll(async () => {
  place = await openHostilePlace()
  vera = await place.page()
  anna = await place.page()
  watched(vera, faults)
  watched(anna, faults)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

/** The numbers of the texts that somebody has read. */
const read = new Set<string>()

/** What is wrong with what is shown now: empty, if nothing. */
async function wrongOn(page: Page): Promise<string[]> {
  const { numbers, wrong } = (await page.evaluate(LOOK)) as { readonly numbers: string[]; readonly wrong: string[] }
  for (const number of numbers) read.add(number)
  return wrong
}

/**
 * Everything that is shown or said, and that a name may have changed: scripts that ran, letters that hide or turn
 * others, a page that is wider than its window, buttons that something lies over, an element that no name may make.
 */
const LOOK = `(() => {
  const wrong = [...globalThis.ran]
  scrollTo(0, 0)
  const texts = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const { parentElement, data } = walk.currentNode
    if (!parentElement.closest('script, style, textarea')) texts.push(data)
  }
  for (const one of document.querySelectorAll('*')) {
    for (const { name, value } of one.attributes) {
      const leads = /^(href|src|action|formaction|srcdoc|data)$/.test(name) &&
        /^\\W*(javascript|data|vbscript):/i.test(value)
      if (name.startsWith('on') || leads) wrong.push('attribute ' + name + '=' + value)
      if (/^(aria-|title|alt|placeholder)/.test(name)) texts.push(value)
    }
  }
  for (const text of texts) {
    const hidden =
      /(?![\\n\\t\\ufe00-\\ufe0f\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]/u
    if (hidden.test(text))
      wrong.push('hidden letters in ' + JSON.stringify(text.slice(0, 200)))
    if (/\\p{M}{7}/u.test(text)) wrong.push('a tower of marks in ' + JSON.stringify(text.slice(0, 60)))
  }
  for (const one of document
    .querySelectorAll('img:not([alt=""]), iframe, object, embed, base, meta[http-equiv], math, marquee'))
    wrong.push('an element ' + one.outerHTML)
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    const last = wide.slice(-3).map((one) => one.outerHTML.slice(0, 200)).join(' and ')
    wrong.push('the page is ' + document.documentElement.scrollWidth + ' wide, by ' + last)
  }
  const isClipped = (one, x, y) => {
    for (let box = one.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflowY === 'visible') continue
      const { left, top, right, bottom } = box.getBoundingClientRect()
      if (x < left || x > right || y < top || y > bottom) return true
    }
    return false
  }
  // What is below an open dialog is not for use.
  const top = document.querySelector('dialog[open], [role=dialog]') ?? document
  for (const button of top.querySelectorAll('button, a[href], select, input')) {
    const { left, top, width, height } = button.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    if (width < 2 || y < 0 || y >= innerHeight || button.closest('[class*=skip], [class*=hidden]')) continue
    // What scrolls in a box of its own, or below the rail of a small window, is reached by scrolling.
    const found = document.elementFromPoint(x, y)
    if (isClipped(button, x, y) || (!button.closest('nav') && found?.closest('nav'))) continue
    const isLabel = found?.closest('label')?.contains(button)
    const isFree = found && (button.contains(found) || isLabel || found.contains(button))
    const name = (button.textContent || button.ariaLabel || button.type || '').slice(0, 60)
    if (x >= innerWidth || !isFree) wrong.push('covered: ' + name + ' by ' + found?.outerHTML.slice(0, 200))
  }
  const values = [...document.querySelectorAll('textarea')].map(({ value }) => value)
  const numbers = [...texts, ...values].flatMap((text) => [...text.matchAll(/#(\\d+);/g)].map(([, number]) => number))
  return { numbers, wrong: [...new Set(wrong)] }
})()`

/** Nothing is wrong with it, from the width of a telephone to a large one. */
async function looksRight(page: Page, name: string): Promise<void> {
  for (const width of [390, 1440]) {
    await picture(page, `hostile-${name}-${width}`, width)
    await expect.poll(() => wrongOn(page), { ...SOON, timeout: 5_000, message: `${name} at ${width}` }).toEqual([])
  }
}
const becomes = (state: string) => expect.poll(() => stateOf(anna), SOON).toBe(state)

test('the desk shows call tasks, a script and outcomes that want to be something else', async () => {
  await place.at(anna, '/desk', 'anna')
  await anna.getByRole('button', { name: 'Start' }).press('Enter')
  for (let count = 0; count < PREVIEWS; count++) {
    const contact = anna.getByRole('region', { name: 'Contact' })
    await expect.poll(() => contact.getByRole('term').count(), SOON).toBeGreaterThan(40)
    await anna.getByRole('region', { name: 'Script' }).waitFor(SOON)
    await looksRight(anna, `preview-${count}`)
    const before = await contact.innerText()
    await anna.getByRole('button', { name: count < PREVIEWS - 1 ? 'Skip' : 'Call now' }).press('Enter')
    if (count < PREVIEWS - 1) await expect.poll(() => contact.innerText(), SOON).not.toBe(before)
  }
  await becomes('talking')
  await anna.getByRole('radio').first().waitFor(SOON)
  await anna.getByRole('button', { name: /^Transfer/ }).press('Enter')
  await anna.getByText('Ready now').waitFor(SOON)
  await looksRight(anna, 'talking')
  await anna.keyboard.press('Escape')
})

test('each outcome asks for its fields, the note is kept, and a break says its reason', async () => {
  await anna.keyboard.press('F8')
  await becomes('wrap-up')
  const outcomes = anna.getByRole('radio')
  await expect.poll(() => outcomes.count(), SOON).toBe(OUTCOMES)
  for (let count = OUTCOMES - 1; count >= 0; count--) {
    await outcomes.nth(count).press(' ')
    await looksRight(anna, `outcome-${count}`)
  }
  const note = place.texts.next(900)
  await anna.getByRole('textbox', { name: 'Note' }).fill(note)
  await anna
    .getByRole('textbox', { name: /[Cc]all back/ })
    .first()
    .fill('tomorrow 9:30')
  await anna.keyboard.press('Shift+Enter')
  await becomes('paused')
  await place.asAnna.ask('POST /svcpbx/agents/me/orders', { body: { type: 'ready' } })
  await becomes('ready')
  for (const agent of [place.asAnna, place.asBen]) {
    await agent.ask('POST /svcpbx/agents/me/orders', { body: { type: 'pause', reason: place.texts.next(200) } })
  }
  await becomes('paused')
  await looksRight(anna, 'paused')
  // A campaign dials for somebody who is ready.
  await place.asAnna.ask('POST /svcpbx/agents/me/orders', { body: { type: 'ready' } })
})

test('board and wall show agents and campaigns that want to be something else', async () => {
  await place.at(vera, '/board', 'vera')
  await expect.poll(() => vera.getByRole('article').count(), SOON).toBeGreaterThan(20)
  await expect.poll(() => vera.getByRole('grid').getByRole('row').count(), SOON).toBe(3)
  await looksRight(vera, 'board')
  await vera.getByRole('button', { name: /^Why/ }).first().press('Enter')
  await vera.getByRole('dialog').first().waitFor()
  await looksRight(vera, 'why')
  await vera.goto(`${place.url}/board/wall`)
  await expect.poll(() => vera.getByRole('article').count(), SOON).toBeGreaterThan(20)
  await looksRight(vera, 'wall')
})

test('the calls, one call, the own page and the palette do', async () => {
  const { calls } = await place.client.ask('GET /svcems/calls', { query: {} })
  const { eactId } = calls[0]!
  for (const [version, text] of [place.texts.list(60, 120).join('\n'), '=1+1'].entries()) {
    const body = { text, version }
    await place.client.ask('PUT /rest/svcems/activity-summary/{eactId}', { params: { eactId: eactId! }, body })
    await vera.goto(`${place.url}/calls/${eactId}`)
    await vera.getByRole('region', { name: 'Summary' }).getByText(text.slice(-4)).waitFor(SOON)
    await looksRight(vera, `call-${text.length}`)
  }
  await vera.goto(`${place.url}/calls`)
  await expect.poll(() => vera.getByRole('table').getByRole('link').count(), SOON).toBe(1)
  await expect.poll(() => vera.getByLabel('Campaign').innerText(), SOON).toContain('#')
  await looksRight(vera, 'calls')
  await vera.goto(`${place.url}/me`)
  await vera.getByRole('heading', { level: 1 }).waitFor()
  await looksRight(vera, 'me')
  await vera.keyboard.press('Control+k')
  for (const text of place.texts.list(30, 60)) {
    await vera.getByRole('combobox').fill(text)
    expect(await wrongOn(vera)).toEqual([])
  }
})

test('a thousand of them were read; nobody else was asked, and no page has failed', () => {
  expect(read.size).toBeGreaterThan(1_000)
  expect(faults).toEqual([])
  expect(place.browser.asked.filter((line) => !line.includes('debt.example'))).toEqual([])
})
