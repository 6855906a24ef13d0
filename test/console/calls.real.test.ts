/** The pages of calls in a real browser: the list, one call, its sound, its transcript and its summary. */
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'
import { type CallsPlace, HOSTILE, LINES, openCallsPlace } from './calls-place.ts'
import { signIn } from './console-place.ts'
import { auditOf, picture, watched } from './page-checks.ts'

let place: CallsPlace
let vera: Awaited<ReturnType<CallsPlace['person']>>

beforeAll(async () => {
  place = await openCallsPlace()
  vera = await place.person('vera', 'Vera Lund', 'supervisor')
}, BROWSER_PATIENCE_MS)

afterAll(() => place?.close())

/** A page of somebody who has signed in at this address. */
async function opened(path: string, person = vera): Promise<{ page: Page; faults: string[] }> {
  const page = await place.browser.page()
  const faults = watched(page)
  await signIn(page, `${place.url}${path}`, person)
  return { page, faults }
}

const rows = (page: Page) => page.getByRole('table').getByRole('link')

test('no fault of accessibility in either theme and language', { tags: 'pictures' }, async () => {
  const { page, faults } = await opened('/calls')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${place.url}/calls`)
    await rows(page).first().waitFor()
    expect(await auditOf(page)).toEqual([])
    await pictures(page, `calls-${colorScheme}`)
    await page.goto(`${place.url}/calls/${place.talk.eactId}`)
    await page
      .getByRole('button', { name: /I pay on Friday/ })
      .first()
      .waitFor()
    expect(await auditOf(page)).toEqual([])
    await pictures(page, `call-${colorScheme}`)
    await page.goto(`${place.url}/calls/${place.busy}`)
    await page.getByText('This call was not recorded.').waitFor()
    expect(await auditOf(page)).toEqual([])
    await pictures(page, `call-busy-${colorScheme}`)
  }
  await page.evaluate('localStorage.setItem("sb-language", "da")')
  await page.goto(`${place.url}/calls`)
  await page.getByRole('heading', { level: 1, name: 'Opkald' }).waitFor()
  await rows(page).first().waitFor()
  expect(await auditOf(page)).toEqual([])
  await pictures(page, 'calls-danish')
  expect(faults).toEqual([])
})

test('a supervisor finds a call by filters, walks the list with the keyboard, and opens it', async () => {
  const { page, faults } = await opened('/calls')
  await expect.poll(() => rows(page).count(), SOON).toBe(2)
  expect(await page.getByRole('table').innerText()).toContain('Busy')

  await page.getByLabel('Result').selectOption('Busy')
  await expect.poll(() => rows(page).count(), SOON).toBe(1)
  expect(new URL(page.url()).search).toBe('?result=3')
  // The address is the filter: a colleague who gets it sees the same.
  await page.reload()
  await expect.poll(() => rows(page).count(), SOON).toBe(1)
  expect(await page.getByLabel('Result').inputValue()).toBe('3')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows(page).count(), SOON).toBe(2)

  await page.keyboard.press('/')
  await page.keyboard.type('+4520123401')
  await page.keyboard.press('Enter')
  await expect.poll(() => rows(page).count(), SOON).toBe(1)
  await page.getByLabel('Recording').selectOption('Without')
  await page.getByText('No call matches all of these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect.poll(() => rows(page).count(), SOON).toBe(2)

  await page.keyboard.press('j')
  await expect
    .poll(() => rows(page).first().evaluate('document.activeElement.getAttribute("href")'))
    .toContain(`/${place.talk.eactId}`)
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /^Call of/ }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/calls/${place.talk.eactId}`)
  expect(faults).toEqual([])
})

test('older calls come with a button, where the node says that there are more', async () => {
  const { page } = await opened('/me')
  // The node itself cuts the pages: shorter ones than the console asks for.
  await page.route('**/svcems/calls**', (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '1')
    return route.continue({ url: url.href })
  })
  await page.goto(`${place.url}/calls`)
  await page.getByRole('button', { name: 'Show older calls' }).click()
  await expect.poll(() => rows(page).count(), SOON).toBe(2)
  await page.getByText('These are all the calls.').waitFor()
  const hrefs = await Promise.all((await rows(page).all()).map((row) => row.getAttribute('href')))
  expect(hrefs).toEqual([`/calls/${place.talk.eactId}`, `/calls/${place.busy}`])
})

test('every filter reaches the node, and the list says which time zone it shows', async () => {
  const { page } = await opened('/calls')
  await expect.poll(() => rows(page).count(), SOON).toBe(2)
  const zone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone')
  expect(await page.getByRole('main').innerText()).toContain(`Times in ${zone}`)
  const has = async (search: string, count: number) => {
    await page.goto(`${place.url}/calls${search}`)
    if (count === 0) return page.getByText('No call matches all of these filters.').waitFor()
    await expect.poll(() => rows(page).count(), SOON).toBe(count)
  }
  const today = String(await page.evaluate('new Date().toLocaleDateString("sv")'))
  await has(`?from=${today}&to=${today}`, 2)
  await has('?to=2020-01-01', 0)
  await has('?direction=in', 0)
  await has('?direction=out&recorded=yes&min=3&max=60', 1)
  await has(`?campaign=${place.callCode}`, 2)
  await has('?agent=999999', 0)
  await has('?team=999999', 0)
  await has('?recorded=no', 1)
})

test('a recording is heard in the page, its spoken line is marked, and the audit trail has the hearing', async () => {
  const { page, faults } = await opened(`/calls/${place.talk.eactId}`)
  const recording = page.getByRole('region', { name: 'Recording' })
  const slider = recording.getByRole('slider', { name: 'Place in the recording' })
  await recording.getByRole('button', { name: 'I pay on Friday.' }).first().waitFor()
  expect(await hearings()).toBe(0)

  await page.keyboard.press(' ')
  await expect.poll(() => soundAt(page), SOON).toBeGreaterThan(1.2)
  expect(await hearings()).toBe(1)
  const marked = recording.getByRole('listitem').getByRole('button').and(page.locator('[aria-current=true]'))
  await expect.poll(() => marked.first().innerText(), SOON).toContain(LINES.second)
  await page.keyboard.press(' ')
  await expect.poll(() => page.evaluate('document.querySelector("audio").paused')).toBe(true)

  await pictures(page, 'call-heard-light')
  const before = await soundAt(page)
  await page.keyboard.press('ArrowLeft')
  expect(await soundAt(page)).toBeLessThan(Math.max(0.1, before - 1))
  await slider.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  expect(await slider.getAttribute('aria-valuenow')).toBe('0')
  await recording
    .getByRole('button', { name: /The end/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => soundAt(page), SOON).toBeGreaterThan(3)
  await expect.poll(() => marked.first().innerText(), SOON).toContain('The end.')
  await expect.poll(() => page.evaluate('document.querySelector("audio").ended'), SOON).toBe(true)
  // One person, one recording, within ten minutes: one hearing.
  expect(await hearings()).toBe(1)
  expect(faults).toEqual([])
})

test('no page but ours plays with the cookie, and the cookie plays nothing but files', async () => {
  const { page } = await opened('/me')
  const [cookie] = await page.context().cookies()
  const player = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'audio', cookie: `sb=${cookie!.value}` }
  const file = `/rest/core/corefile?cfreId=${place.talk.cfreId}`
  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${place.url}${path}`, { headers })).status
  expect(await status(file, player)).toBe(200)
  expect(await status(file, { ...player, 'sec-fetch-site': 'same-site' })).toBe(401)
  expect(await status(file, { ...player, 'sec-fetch-site': 'cross-site' })).toBe(401)
  expect(await status(file, { ...player, 'sec-fetch-dest': 'empty' })).toBe(401)
  expect(await status(file, { ...player, origin: 'http://127.0.0.1:1' })).toBe(401)
  expect(await status(file, { cookie: player.cookie })).toBe(401)
  expect(await status('/svcems/calls', player)).toBe(401)
  // The browser sends the cookie to the same host from a page of another port, too.
  const before = await hearings()
  await page.goto(place.strangerUrl)
  expect(await page.evaluate(play(place.url + file))).toBe('refused')
  expect(await hearings()).toBe(before)
  await page.goto(`${place.url}/me`)
  expect(await page.evaluate(play(file))).toBe('heard')
  expect(await hearings()).toBe(before + 1)
})

test('a summary is corrected, the system hears of it, and two who write at once lose nothing', async () => {
  const { page, faults } = await opened(`/calls/${place.talk.eactId}`)
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.getByRole('button', { name: 'Edit' }).click()
  const text = summary.getByRole('textbox', { name: 'Text of the summary' })
  await text.fill('pays on Friday. <b>Really</b>')
  // The caret stays where one types.
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Anna ')
  await page.keyboard.press('Control+Enter')
  await summary.getByText('Saved.').waitFor()
  expect(await summary.innerText()).toContain('Anna pays on Friday. <b>Really</b>')
  const first = await place.summary()
  expect(first).toMatchObject({
    text: 'Anna pays on Friday. <b>Really</b>',
    source: 'edited',
    updatedBy: { userId: expect.any(Number) },
  })
  await expect.poll(() => updates(), SOON).toBe(1)

  await summary.getByRole('button', { name: 'Edit' }).click()
  await text.fill('Mine: pays on Friday.')
  await put('Theirs: pays on Monday.', first.version)
  await page.keyboard.press('Control+Enter')
  await summary.getByRole('alert').waitFor()
  expect(await summary.innerText()).toContain('Theirs: pays on Monday.')
  const mine = summary.getByRole('textbox', { name: 'Your text' })
  expect(await mine.inputValue()).toBe('Mine: pays on Friday.')
  expect(await auditOf(page)).toEqual([])
  await pictures(page, 'call-conflict-light')
  // It outlives a walk to the list.
  await page.getByRole('link', { name: 'All calls' }).click()
  await rows(page).first().waitFor()
  await page.goBack()
  await page.getByRole('textbox', { name: 'Your text' }).waitFor()
  await page.getByRole('button', { name: 'Save mine in its place' }).click()
  await summary.getByText('Saved.').waitFor()
  expect((await place.summary()).text).toBe('Mine: pays on Friday.')
  await expect.poll(() => updates(), SOON).toBe(3)
  expect(faults.filter((fault) => !/status of 412/.test(fault))).toEqual([])
})

test('hostile names, transcripts and summaries are text, and the pages keep their width', async () => {
  const { version } = await place.summary()
  await put(`<script>hit()</script> \u202E ${'W'.repeat(9_000)}`, version)
  const { page, faults } = await opened('/calls')
  await rows(page).first().waitFor()
  await expect.poll(() => page.getByRole('table').innerText(), SOON).toContain('<img src=x')
  expect(await overflow(page)).toBe(0)
  await page.goto(`${place.url}/calls/${place.talk.eactId}`)
  await page.getByText('<script>hit()</script>').waitFor()
  await page
    .getByRole('button', { name: /<img src=x/ })
    .first()
    .waitFor()
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await overflow(page), String(width)).toBe(0)
  }
  expect(faults).toEqual([])
  expect(place.browser.asked).toEqual([])
})

test('an agent hears a call of their team, is told what is for supervisors, and sees no other team', async () => {
  const anna = await opened(`/calls/${place.talk.eactId}`, person('anna', await place.passwordOf('anna')))
  await anna.page.getByRole('button', { name: 'Play' }).waitFor()
  expect(await anna.page.getByText('What was said and typed is for supervisors.').count()).toBe(3)
  expect(await anna.page.getByRole('main').innerText()).not.toContain('Friday')
  await anna.page.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => soundAt(anna.page), SOON).toBeGreaterThan(0.2)
  expect(anna.faults).toEqual([])

  const bo = await opened(`/calls/${place.talk.eactId}`, person('bo', await place.passwordOf('bo')))
  await bo.page.getByText('There is no such call, it is not over yet, or you may not see it.').waitFor()
  await bo.page.goto(`${place.url}/calls`)
  await bo.page.getByText('No calls yet.').waitFor()
  expect(await bo.page.getByLabel('Agent').count()).toBe(0)
  expect(await auditOf(bo.page)).toEqual([])
  await pictures(bo.page, 'calls-empty-light')
})

test('a node that does not answer, and a recording that is elsewhere, are said in words', async () => {
  const { page } = await opened('/me')
  await page.route('**/svcems/calls**', (route) => route.fulfill({ status: 503, json: { title: 'away' } }))
  await page.goto(`${place.url}/calls`)
  await page.getByText('Switchboard does not answer. The calls are safe; try again.').waitFor()
  await pictures(page, 'calls-away-light')
  await page.unroute('**/svcems/calls**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rows(page).first().waitFor()

  await page.route('**/svcems/calls**', (route) => route.fulfill({ status: 403, json: { title: 'forbidden' } }))
  await page.goto(`${place.url}/calls`)
  await page.getByText('You may not see calls.').waitFor()
  await page.unroute('**/svcems/calls**')

  const folder = join(place.env['DATA_DIR']!, 'recordings')
  renameSync(folder, `${folder}-away`)
  await page.goto(`${place.url}/calls/${place.talk.eactId}`)
  await page.getByText('The file of this recording is not on this node').waitFor()
  rmSync(folder, { recursive: true, force: true })
  renameSync(`${folder}-away`, folder)
  expect(readdirSync(folder).length).toBeGreaterThan(0)
})

test('of a call that ran on another node the page says on which, and leads there', async () => {
  const { page, faults } = await opened('/me')
  let servedBy: object = { node: 'north', thisNode: false, endpoint: 'https://north.example.com/' }
  const told = await place.system.ask('GET /svcems/calls/{eactId}', { params: { eactId: place.talk.eactId } })
  expect(told.servedBy).toMatchObject({ thisNode: true })
  const ladder = { state: 'notHere', note: null, cut: false, rows: [] }
  await page.route(`**/svcems/calls/${place.talk.eactId}`, (route) =>
    route.fulfill({ json: { ...told, servedBy, ladder } }),
  )
  await page.route('**/corefile/peaks**', (route) => route.fulfill({ status: 404, json: { title: 'not here' } }))
  await page.goto(`${place.url}/calls/${place.talk.eactId}`)
  const there = page.getByRole('link', { name: 'Open the call on north' })
  await expect.poll(() => there.count(), SOON).toBe(2)
  expect(await there.first().getAttribute('href')).toBe(`https://north.example.com/calls/${place.talk.eactId}`)
  expect(await page.getByText('The call ran on the node north, and only that one has this.').count()).toBe(2)
  expect(await auditOf(page)).toEqual([])
  servedBy = { node: `${HOSTILE}${'n'.repeat(300)}`, thisNode: false, endpoint: 'javascript:hit()' }
  await page.reload()
  await page.getByText('It cannot be reached now: try again later.').first().waitFor()
  expect(await page.getByRole('link', { name: /Open the call/ }).count()).toBe(0)
  await page.setViewportSize({ width: 390, height: 900 })
  expect(await overflow(page)).toBe(0)
  servedBy = { node: 'node1', thisNode: true, endpoint: place.url }
  await page.reload()
  await page.getByText('This node served the call, and its journal of that time was deleted.').waitFor()
  expect(faults.filter((fault) => !/status of 404/.test(fault))).toEqual([])
})

test('of a call that was erased, the page says so and shows nothing else', async () => {
  const body = { number: '+4520123402', reason: 'request 7' }
  await place.system.ask('POST /rest/core/persons/erase', { body })
  const { page, faults } = await opened(`/calls/${place.busy}`)
  await page.getByText('The call was erased, and its recording, transcript and summary with it.').waitFor()
  await page.getByText('The call was erased, and what happened in it too.').waitFor()
  expect(await page.getByRole('region', { name: 'Summary' }).count()).toBe(0)
  expect(await page.getByRole('main').innerText()).not.toContain('20123402')
  expect(faults).toEqual([])
})

function person(userName: string, password: string) {
  return { userName, password }
}

/** What comes of an audio element with this address. */
function play(src: string): string {
  return `new Promise((done) => {
    const audio = document.createElement('audio')
    audio.onerror = () => done('refused')
    audio.oncanplay = () => done('heard')
    audio.src = ${JSON.stringify(src)}
    audio.load()
  })`
}

/** Where the sound is, in seconds. */
async function soundAt(page: Page): Promise<number> {
  return Number(await page.evaluate('document.querySelector("audio").currentTime'))
}

/** How often the recording was heard, by the audit trail. */
async function hearings(): Promise<number> {
  const query = { action: 'read', object: 'file', objectId: String(place.talk.cfreId) }
  return (await place.system.ask('GET /rest/core/audit', { query })).length
}

/** How many corrections of summaries systems are told of. */
async function updates(): Promise<number> {
  const { events } = await place.system.ask('GET /rest/core/events', {
    query: { types: ['phone-call-summary.update'] },
  })
  return events.filter(({ phoneCallSummaryId }) => phoneCallSummaryId === String(place.talk.eactId)).length
}

/** Changes the summary as somebody else. */
function put(text: string, version: number) {
  const params = { eactId: place.talk.eactId }
  return place.system.ask('PUT /rest/svcems/activity-summary/{eactId}', { params, body: { text, version } })
}

/** By how much the page is wider than its window. */
async function overflow(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
}

async function pictures(page: Page, name: string): Promise<void> {
  for (const width of [390, 1024, 1440]) await picture(page, `${name}-${width}`, width)
}
