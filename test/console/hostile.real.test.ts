/** A thousand hostile texts, put in over REST as an integrator does, and read on every page in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'
import { stateOf } from './desk/desk-place.ts'
import { LOOK } from './hostile-look.ts'
import { type HostilePlace, OUTCOMES, openHostilePlace, PREVIEWS } from './hostile-place.ts'
import { picture, watched } from './page-checks.ts'

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
