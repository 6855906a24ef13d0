/** The pages of calls: filters that are no filters, a focus that is not lost, and what is fetched again or kept. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'
import { type CallsPlace, openCallsPlace } from './calls-place.ts'
import { signIn } from './console-place.ts'
import { auditOf, picture } from './page-checks.ts'

let place: CallsPlace
let page: Page

beforeAll(async () => {
  place = await openCallsPlace()
  page = await place.browser.page()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, `${place.url}/calls`, await place.person('vera', 'Vera Lund', 'supervisor'))
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const rows = () => page.getByRole('table').getByRole('link')
const focused = () => expect.poll(() => page.evaluate('document.activeElement.getAttribute("href")'), SOON)
const isListed = (count: number) => expect.poll(() => rows().count(), SOON).toBe(count)

test('a date that was begun stays to be seen, says what is wrong, and filters nothing', async () => {
  await isListed(2)
  const from = page.getByLabel('From', { exact: true })
  await from.fill('2099-01-01')
  await from.press('Enter')
  await page.getByText('No call matches all of these filters.').waitFor()
  // The year goes.
  await from.focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'Backspace']) await page.keyboard.press(key)
  await page.getByLabel('Number').focus()
  await page.getByText('Not a whole date: write day, month and year.').waitFor()
  expect(await page.evaluate('getComputedStyle(document.querySelector("input[type=date]")).color')).not.toBe(
    'rgba(0, 0, 0, 0)',
  )
  await isListed(2)
  expect(new URL(page.url()).search).toBe('')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await auditOf(page)).toEqual([])
    await picture(page, `calls-half-date-${colorScheme}-1440`, 1440)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await from.fill('2020-01-01')
  await from.press('Enter')
  await expect.poll(() => new URL(page.url()).search, SOON).toBe('?from=2020-01-01')
  expect(await page.getByText('Not a whole date').count()).toBe(0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => from.inputValue(), SOON).toBe('')
})

test('in forced colours a date is drawn once', async () => {
  await page.goto(`${place.url}/calls?from=2020-01-01`)
  await isListed(2)
  await page.emulateMedia({ forcedColors: 'active' })
  await picture(page, 'calls-forced-1440', 1440)
  // The browser draws its own, in a colour of its own, whatever the page asks for.
  const ours = `getComputedStyle(document.querySelector('[class*=written]')).display`
  expect(await page.evaluate(ours)).toBe('none')
  await page.emulateMedia({ forcedColors: 'none' })
})

test('seconds that are none stay to be mended, say so, and filter nothing', async () => {
  await page.goto(`${place.url}/calls`)
  const least = page.getByLabel('Talk from, seconds')
  for (const wrong of ['100000', '1.5', '-3']) {
    await least.fill(wrong)
    await least.press('Enter')
    await page.getByText('Write whole seconds, at most a day.').waitFor()
    expect(await least.inputValue()).toBe(wrong)
    expect(new URL(page.url()).search).toBe('')
  }
  await isListed(2)
  await least.fill('3')
  await least.press('Enter')
  await isListed(1)
  expect(await page.getByText('Write whole seconds').count()).toBe(0)
  await page.goto(`${place.url}/calls`)
  await isListed(2)
})

test('the first of the older calls has the focus when they come', async () => {
  await page.route('**/svcems/calls**', (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '1')
    return route.continue({ url: url.href })
  })
  await page.goto(`${place.url}/calls`)
  await page.getByRole('button', { name: 'Show older calls' }).press('Enter')
  await isListed(2)
  await focused().toBe(`/calls/${place.busy}`)
  await page.unroute('**/svcems/calls**')
})

test('after an error was mended with a key, the keys of the page work', async () => {
  await page.route('**/svcems/calls**', (route) => route.fulfill({ status: 403, json: { title: 'forbidden' } }))
  await page.goto(`${place.url}/calls`)
  await page.getByText('You may not see calls.').waitFor()
  await page.unroute('**/svcems/calls**')
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await isListed(2)
  await page.keyboard.press('j')
  await focused().toBe(`/calls/${place.talk.eactId}`)
})

test('what is typed while a summary is being saved stays, and is saved with the next key', async () => {
  await page.goto(`${place.url}/calls/${place.talk.eactId}`)
  const summary = page.getByRole('region', { name: 'Summary' })
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/activity-summary/*', async (route) => {
    if (route.request().method() === 'PUT') await promise
    await route.continue()
  })
  await summary.getByRole('button', { name: 'Edit' }).press('Enter')
  const text = summary.getByRole('textbox')
  await text.fill('Pays on Friday')
  await text.press('Control+Enter')
  await page.keyboard.type(', in two parts')
  const answer = page.waitForResponse('**/activity-summary/*')
  resolve()
  expect((await answer).status()).toBe(200)
  await expect.poll(async () => (await place.summary()).text, SOON).toBe('Pays on Friday')
  // The button is on again when the answer was read.
  const save = summary.getByRole('button', { name: 'Save' })
  await expect.poll(() => save.getAttribute('aria-disabled'), SOON).toBeNull()
  expect(await text.inputValue()).toBe('Pays on Friday, in two parts')
  await text.press('Control+Enter')
  await summary.getByText('Saved.').waitFor(SOON)
  expect((await place.summary()).text).toBe('Pays on Friday, in two parts')
  await page.unroute('**/activity-summary/*')
})

test('a summary that somebody else changed is said not to be saved, also where theirs cannot be fetched', async () => {
  await page.goto(`${place.url}/calls/${place.talk.eactId}`)
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.getByRole('button', { name: 'Edit' }).press('Enter')
  await summary.getByRole('textbox').fill('Pays on Monday')
  await page.route('**/activity-summary/*', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 412, json: {} }) : route.abort(),
  )
  await page.keyboard.press('Control+Enter')
  await summary.getByText('It was not saved. What you wrote is still here; try again.').waitFor(SOON)
  await page.unroute('**/activity-summary/*')
  await page.keyboard.press('Control+Enter')
  await summary.getByText('Saved.').waitFor(SOON)
  expect((await place.summary()).text).toBe('Pays on Monday')
})

test('a summary that is saved or thrown away leaves the focus on the button that began it', async () => {
  await page.goto(`${place.url}/calls/${place.talk.eactId}`)
  const summary = page.getByRole('region', { name: 'Summary' })
  const edit = summary.getByRole('button', { name: 'Edit' })
  const isOnEdit = () => expect.poll(() => page.evaluate('document.activeElement.textContent'), SOON).toBe('Edit')
  await edit.press('Enter')
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Anna: ')
  await page.keyboard.press('Control+Enter')
  await summary.getByText('Saved.').waitFor()
  await isOnEdit()
  await edit.press('Enter')
  await summary.getByRole('button', { name: 'Throw away what I wrote' }).press('Enter')
  await isOnEdit()
})

test('a list that could not be fetched anew is fetched again, and so are older calls that did not come', async () => {
  await page.goto(`${place.url}/calls`)
  await isListed(2)
  // A minute later the list is old.
  await page.evaluate('{ const now = Date.now; Date.now = () => now() + 60_000 }')
  await page.route('**/svcems/calls**', (route) => route.fulfill({ status: 403, json: { title: 'forbidden' } }))
  await rows().first().click()
  await page.getByRole('link', { name: 'All calls' }).click()
  const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/svcems/calls**')
  const answer = page.waitForResponse('**/svcems/calls**')
  await again.press('Enter')
  expect((await answer).status()).toBe(200)
  await expect.poll(() => again.count(), SOON).toBe(0)

  let isAway = true
  await page.route('**/svcems/calls**', (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '1')
    const isOlder = url.searchParams.has('after')
    return isOlder && isAway ? route.fulfill({ status: 403, json: {} }) : route.continue({ url: url.href })
  })
  await page.goto(`${place.url}/calls`)
  await page.getByRole('button', { name: 'Show older calls' }).press('Enter')
  await again.waitFor()
  isAway = false
  await again.press('Enter')
  await isListed(2)
  await page.unroute('**/svcems/calls**')
})

test('a transcript that is opened again is read again, and the audit trail has both', async () => {
  const reads = async () =>
    (await place.system.ask('GET /rest/core/audit', { query: { action: 'read', object: 'transcript' } })).length
  const line = () => page.getByRole('button', { name: /I pay on Friday/ }).first()
  await page.goto(`${place.url}/calls/${place.talk.eactId}`)
  await line().waitFor()
  await page.getByRole('link', { name: 'All calls' }).click()
  await isListed(2)
  const before = await reads()
  await rows().first().click()
  await line().waitFor()
  await expect.poll(reads, SOON).toBe(before + 1)
})

test('a summary that is being written holds back a new version on the other pages of its tab', async () => {
  await page.goto(`${place.url}/calls/${place.talk.eactId}`)
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.getByRole('button', { name: 'Edit' }).press('Enter')
  await summary.getByRole('textbox').fill('Half a summary')
  await page.evaluate('void (globalThis.isSame = true)')
  const isSame = () => page.evaluate('globalThis.isSame === true')
  let looks = 0
  const board = await (await fetch(`${place.url}/board`)).text()
  await page.route('**/board', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    await route.fulfill({ contentType: 'text/html', body: board.replace(/[\w-]+\.js/, 'of-today.js') })
    looks++
  })
  const toBoard = () => page.getByRole('link', { name: 'Board', exact: true }).click()
  const isLive = () => page.getByText('Live', { exact: true }).waitFor()
  const toCalls = () => page.getByRole('link', { name: 'Calls', exact: true }).click()
  await toBoard()
  await isLive()
  place.proxy.cut()
  await expect.poll(() => looks, SOON).toBe(1)
  await toCalls()
  // The board that is opened now knows of the new version from the beginning.
  await toBoard()
  await isLive()
  await toCalls()
  await isListed(2)
  await rows().first().click()
  await expect.poll(() => summary.getByRole('textbox').inputValue(), SOON).toBe('Half a summary')
  expect(await isSame()).toBe(true)
  await summary.getByRole('button', { name: 'Throw away what I wrote' }).press('Enter')
  await toBoard()
  await expect.poll(() => isSame().catch(() => true), SOON).toBe(false)
  await page.unroute('**/board')
})

test('a page whose code does not arrive says so; other pages go on, and a new try asks for it again', async () => {
  await page.goto(`${place.url}/calls`)
  await isListed(2)
  let isCut = true
  await page.route('**/*.js', (route) => (isCut ? route.abort() : route.continue()))
  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByText('This page failed. Nothing that was saved is lost.').waitFor()
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await isListed(2)
  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByText('This page failed.').waitFor()
  isCut = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'You' }).waitFor()
})
