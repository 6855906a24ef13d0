/** What the board does for a supervisor beside showing: join, reload, leave, log out, resume, jump; and stays still. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'
import { type BoardPlace, openBoardPlace } from './board-place.ts'
import { signIn } from './console-place.ts'
import { streamCutter } from './desk/stream-cutter.ts'
import { auditOf, picture } from './page-checks.ts'

let board: BoardPlace
let cutter: Awaited<ReturnType<typeof streamCutter>>
let browser: TestBrowser
let callCode: number

beforeAll(async () => {
  board = await openBoardPlace()
  cutter = await streamCutter(board.place.url)
  browser = await testBrowser({ reaches: [new URL(cutter.url).host] })
  for (const name of ['anna', 'bo', 'cilla']) await board.order(name, 'logIn')
  callCode = await board.campaign('Reminders DK', { wrapUpSeconds: 900 })
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  cutter?.close()
  await board?.close()
})

const agents = (page: Page) => page.getByRole('grid', { name: /Agents/ })
const rowOf = (page: Page, name: string | RegExp) => agents(page).getByRole('row').filter({ hasText: name })
const supervisions = async () => {
  const talks = await board.client.ask('GET /rest/svcpbx/calls/live', {})
  return talks.flatMap(({ supervision }) => (supervision ? [supervision.mode] : []))
}
const names = async (page: Page) => (await agents(page).getByRole('rowheader').allInnerTexts()).map((one) => one[0])

async function auditBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await auditOf(page), colorScheme).toEqual([])
  }
}

test('a supervisor joins; a reload changes nothing; who closes the page takes part no more', async () => {
  const page = await board.atBoard('/board')
  await page.getByRole('article', { name: 'Reminders DK' }).waitFor(SOON)
  await board.tasks(callCode, ['+4520123401', '+4520123509'])
  const talking = rowOf(page, 'Talking')
  await expect.poll(() => talking.count(), SOON).toBe(1)
  await talking.focus()
  await page.keyboard.press('b')
  await page.getByText(/^You take part with/).waitFor(SOON)
  await expect.poll(supervisions, SOON).toEqual(['join'])
  await page.reload()
  const leave = page.getByRole('button', { name: 'Leave' })
  await leave.waitFor(SOON)
  expect(await supervisions()).toEqual(['join'])
  await page.getByText('your phone rings').waitFor({ ...SOON, state: 'detached' })
  await auditBoth(page)
  await page.getByRole('button', { name: 'Listen', exact: true }).press('Enter')
  await page.getByText(/^You listen to/).waitFor(SOON)
  await page.getByText('Changed at once.').waitFor()
  await page.close()
  await expect.poll(supervisions, SOON).toEqual([])
  const live = await board.client.ask('GET /rest/svcpbx/calls/live', {})
  expect(live).toHaveLength(1)
})

test('whoever listens sees it on each of her pages, also where the answer was lost', async () => {
  const page = await board.atBoard('/board')
  const [other] = await Promise.all([page.waitForEvent('popup'), page.evaluate("void open('/board')")])
  const leave = (one: Page) => one.getByRole('button', { name: 'Leave' })
  for (const one of [page, other]) await rowOf(one, 'Talking').waitFor(SOON)
  const order = async (key: string, words: RegExp) => {
    await rowOf(page, 'Talking').focus()
    await page.keyboard.press(key)
    await page.getByText(words).waitFor(SOON)
    for (const one of [page, other]) await leave(one).waitFor(SOON)
    await leave(other).press('Enter')
    for (const one of [page, other]) await leave(one).waitFor({ ...SOON, state: 'detached' })
    await expect.poll(supervisions, SOON).toEqual([])
  }
  await order('l', /^Your phone rings\. .* nobody hears you\.$/)
  await order('w', /^Your phone rings\. .* alone hears you\.$/)
  await page.evaluate(LOSE_ANSWERS)
  await order('l', /^No answer came/)
  await other.close()
})

test('a customer on hold is marked, with the time; after half a minute it stands among what to look at', async () => {
  const [talk] = await board.client.ask('GET /rest/svcpbx/calls/live', {})
  const page = await board.atBoard('/board')
  await board.order(talk!.userName, 'hold')
  const calls = page.getByRole('table', { name: /Conversations/ })
  for (const rows of [agents(page), calls]) await rows.getByText(/^♪ \d:\d\d on hold$/).waitFor(SOON)
  await page.getByRole('button', { name: /: the other side is on hold with music for / }).click(SOON)
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toMatch(/^call-/)
  await auditBoth(page)
  for (const width of [390, 1024, 1440]) {
    await picture(page, `board-hold-${width}`, width)
    // However narrow the column is, the time is seen.
    for (const rows of [agents(page), calls]) {
      const time = rows.getByText(/on hold$/).locator('[data-figures]')
      const [cell, shown] = await Promise.all([time.locator('../..').boundingBox(), time.boundingBox()])
      expect(shown!.x + shown!.width, `${width} px`).toBeLessThanOrEqual(cell!.x + cell!.width)
    }
  }
  await board.order(talk!.userName, 'resume')
  await page
    .getByText(/on hold/)
    .first()
    .waitFor({ ...SOON, state: 'detached' })
})

test('a conversation that is handed on stands with the agent who has it now, and is of their teams', async () => {
  const [talk] = await board.client.ask('GET /rest/svcpbx/calls/live', {})
  const from = talk!.userName
  const to = from === 'anna' ? 'bo' : 'anna'
  const shown = { anna: 'Anna Berg', bo: '<img src=x', cilla: 'Karl' } as Readonly<Record<string, string>>
  const listen = (userName: string) => rowOf(page, shown[userName]!).getByRole('button', { name: /^Listen/ })
  const page = await board.atBoard('/board')
  const talks = page.getByRole('table', { name: /Conversations/ }).getByRole('row')
  const team = page.getByRole('combobox', { name: 'Team' })
  // While Anna has it: she is in one team alone.
  const filtered = async () => {
    await team.selectOption({ label: 'other' })
    await expect.poll(() => talks.count(), SOON).toBe(1)
    await team.selectOption({ index: 0 })
    await expect.poll(() => talks.count(), SOON).toBe(2)
  }
  await listen(from).waitFor()
  if (from === 'anna') await filtered()
  await board.order(to, 'endWrapUp').catch(() => {})
  await expect.poll(() => rowOf(page, shown[to]!).innerText(), SOON).toContain('Ready')
  await board.order(from, 'consult', { userName: to })
  await expect.poll(() => board.order(from, 'connect').then(() => 'handed on', String), SOON).toBe('handed on')
  // The two rows are told one after the other.
  await expect.poll(async () => [await listen(to).count(), await listen(from).count()], SOON).toEqual([1, 0])
  if (to === 'anna') await filtered()
})

test('a supervisor logs an agent out, and hears first what that means', async () => {
  const page = await board.atBoard('/board')
  await board.order('cilla', 'pause', { reason: 'lunch' })
  await expect.poll(() => rowOf(page, 'Karl').innerText(), SOON).toContain('lunch')
  await rowOf(page, 'Karl')
    .getByRole('button', { name: /^Log out/ })
    .press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await auditBoth(page)
  await dialog.getByRole('button', { name: 'Log out' }).press('Enter')
  await expect.poll(() => rowOf(page, 'Karl').count(), SOON).toBe(0)
  await page.getByText(/Karl ␣gnirts is logged out/).waitFor()
  await board.order('cilla', 'logIn')
  await expect.poll(() => rowOf(page, 'Karl').innerText(), SOON).toContain('Ready')
})

test('a break of an agent for whom a phone rings is said to wait for that, not for a wrap-up', async () => {
  const page = await board.atBoard('/board')
  await rowOf(page, 'Karl').waitFor(SOON)
  const ready = await rowOf(page, 'Ready').count()
  // For each of them a phone that nobody answers; after 15 s it rings no more.
  await board.tasks(callCode, ['+4520123403', '+4520223403', '+4520323403'].slice(0, ready))
  const out = async () => (await board.client.ask('GET /dialer/board', {})).campaigns.map(({ live }) => live.inFlight)
  await expect.poll(out, SOON).toEqual([ready])
  await rowOf(page, 'Karl').focus()
  await page.keyboard.press('p')
  await page.getByRole('dialog').getByRole('textbox').press('Enter')
  await page.getByText('A call may need Karl ␣gnirts now: it follows when none does.').waitFor()
  await expect.poll(() => rowOf(page, 'Karl').innerText(), SOON).toContain('team leader')
  await board.order('cilla', 'ready')
  await expect.poll(() => rowOf(page, 'Karl').innerText(), SOON).toContain('Ready')
})

test('a card tells when its campaign would be through, and still does when it was paused and resumed', async () => {
  const page = await board.atBoard('/board')
  const card = page.getByRole('article', { name: 'Reminders DK' })
  const answer = card.getByRole('status')
  await card.getByRole('button', { name: /^Forecast/ }).press('Enter')
  const forecast = /^(Nothing is due|Every call task that is due tried once by (\w{3},? \d+ \w{3,4},? )?\d\d:\d\d)/
  await expect.poll(() => answer.innerText(), SOON).toMatch(forecast)
  expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('Forecast: Reminders DK')
  await card.getByRole('button', { name: /^Pause/ }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await card.getByRole('button', { name: /^Resume/ }).press('Enter', SOON)
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await card.getByText('Running', { exact: false }).waitFor(SOON)
  await expect.poll(() => answer.innerText(), SOON).toMatch(forecast)
})

test('a dialog takes the focus at once, holds the letters, and gives the focus back', async () => {
  const page = await board.atBoard('/board')
  const card = page.getByRole('article', { name: 'Reminders DK' })
  const focused = (script: string) => expect.poll(() => page.evaluate(`document.activeElement.${script}`), SOON)
  let count = () => {}
  const counted = new Promise<void>((resolve) => {
    count = resolve
  })
  await page.route('**/effect', (route) => counted.then(() => route.continue()))
  await card.getByRole('button', { name: /^Pause/ }).press('Enter')
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Pause' })
  await focused('closest("[role=dialog]") !== null').toBe(true)
  // What would happen is not known yet: the key does nothing.
  await page.keyboard.press('Enter')
  expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  await auditBoth(page)
  count()
  await expect.poll(() => confirm.getAttribute('aria-disabled'), SOON).toBeNull()
  for (const key of ['g', 'c']) await page.keyboard.press(key)
  expect(new URL(page.url()).pathname).toBe('/board')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await focused('ariaLabel').toBe('Pause: Reminders DK')
  const karl = rowOf(page, 'Karl')
  await karl
    .getByRole('button', { name: /^(Break|Log out)/ })
    .first()
    .focus()
  // A key that is held opens it, and does not send it off unseen.
  await page.keyboard.down('Enter')
  await dialog.getByRole('textbox').waitFor()
  await focused('tagName').toBe('INPUT')
  for (const _ of [1, 2]) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(await dialog.getByRole('textbox').count()).toBe(1)
  await page.keyboard.press('Escape')
  await focused('getAttribute("role")').toBe('row')
  await page.keyboard.press('p')
  await dialog.getByRole('textbox').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => karl.innerText(), SOON).toContain('Break')
  await karl.getByRole('button', { name: /^End break/ }).press('Enter')
  await expect.poll(() => karl.innerText(), SOON).toContain('Ready')
  await focused('getAttribute("role")').toBe('row')
})

test('a sentence of the attention line leads to its row, by the keyboard', async () => {
  const page = await board.atBoard('/board')
  await board.tasks(callCode, ['+4520125509'])
  const sentence = page.getByRole('button', { name: /in wrap-up for/ })
  await sentence.waitFor(SOON)
  await sentence.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")'), SOON).toBe('row')
  expect(await page.evaluate('document.activeElement.innerText')).toContain('Wrap-up')
  // Danish words are the longest: no button stands over the cell beside it.
  await page.evaluate("localStorage.setItem('sb-language', 'da')")
  await page.reload()
  await page
    .getByRole('button', { name: /^Afslut efterbehandling/ })
    .first()
    .waitFor()
  // Danes write a comma.
  expect(await page.getByRole('region', { name: 'Sidste 30 min' }).innerText()).toMatch(/\d,\d %$/)
  for (const width of [390, 1024, 1280, 1440]) {
    await picture(page, `board-danish-${width}`, width)
    expect(await page.evaluate(BESIDE), `${width} px`).toEqual([])
    expect(await page.evaluate(CUT), `${width} px`).toEqual([])
  }
  await page.evaluate("localStorage.setItem('sb-language', 'en')")
})

test('rows keep their places under the pointer, and change them when it has gone', async () => {
  const page = await board.atBoard('/board')
  for (const name of ['anna', 'bo']) {
    // Whatever they do: some of these are refused.
    for (const type of ['hangUp', 'endWrapUp']) await board.order(name, type).catch(() => {})
    await board.order(name, 'pause', { reason: 'lunch' })
  }
  await board.order('cilla', 'ready').catch(() => {})
  await expect.poll(() => rowOf(page, 'lunch').count(), SOON).toBe(2)
  await expect.poll(async () => (await names(page))[0], SOON).toBe('K')
  const before = await names(page)
  await rowOf(page, 'Karl').hover()
  await board.order('cilla', 'pause', { reason: 'tea' })
  await expect.poll(() => rowOf(page, 'tea').count(), SOON).toBe(1)
  // Her break has run for longer than rows keep their places without a pointer.
  await expect.poll(() => rowOf(page, 'tea').innerText(), SOON).toMatch(/0:0[789]|0:[1-5]/)
  expect(await names(page)).toEqual(before)
  await page.mouse.move(5, 5)
  await expect.poll(async () => (await names(page)).at(-1), SOON).toBe('K')
})

test('a black hole: as of when after 7 s, grey after 15 s; afterwards as a page that was just opened', async () => {
  const page = await browser.page()
  const password = await board.place.passwordOf('vera')
  await signIn(page, `${cutter.url}/board`, { userName: 'vera', password })
  await page.getByText('Live', { exact: true }).waitFor(SOON)
  // The line is live before there is anything to be old.
  await rowOf(page, 'Anna Berg').waitFor()
  cutter.hold()
  await page.getByText(/^As of \d\d:\d\d:\d\d$/).waitFor(SOON)
  expect(await page.getByText(/^No news since/).count()).toBe(0)
  for (let turn = 0; turn < 8; turn++) {
    await board.order('cilla', 'pause', { reason: `turn ${turn}` })
    await board.order('cilla', 'ready')
  }
  await board.order('cilla', 'pause', { reason: 'after the hole' })
  await page.getByText(/^No news since/).waitFor(SOON)
  expect(await rowOf(page, 'after the hole').count()).toBe(0)
  cutter.heal()
  await page.getByText('Live', { exact: true }).waitFor(SOON)
  await rowOf(page, 'after the hole').waitFor()
  const fresh = await browser.page()
  await signIn(fresh, `${cutter.url}/board`, { userName: 'vera', password })
  await rowOf(fresh, 'after the hole').waitFor()
  const shown = async (one: Page) =>
    (await agents(one).getByRole('row').allInnerTexts()).map((row) => row.replaceAll(/\d+:\d\d/g, '').trim()).sort()
  await expect
    .poll(async () => JSON.stringify(await shown(page)) === JSON.stringify(await shown(fresh)), SOON)
    .toBe(true)
  await page.close()
  await fresh.close()
})

test('board and wall: no fault of accessibility while old and while nothing is there, in both themes', async () => {
  const page = await board.atBoard('/board')
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.goto(`${board.place.url}/board/wall`)
  await rowOf(page, 'Anna Berg').waitFor()
  await auditBoth(page)
  board.place.proxy.refuse()
  await page.getByText(/^No news since/).waitFor(SOON)
  await auditBoth(page)
  await picture(page, 'board-wall-grey-1920', 1920, 1080)
  board.place.proxy.heal()
  await page.getByText('Live', { exact: true }).waitFor(SOON)
  await page.goto(`${board.place.url}/board/wall?team=999`)
  await page.getByText('The filter leaves nobody.', { exact: false }).waitFor()
  await auditBoth(page)
  // Who opens such an address sees what leaves nobody.
  await page.goto(`${board.place.url}/board?team=999`)
  await page.getByText('The filter leaves nobody.', { exact: false }).waitFor()
  const team = page.getByRole('combobox', { name: 'Team' })
  expect(await team.inputValue()).toBe('999')
  await team.selectOption({ index: 0 })
  await rowOf(page, 'Anna Berg').waitFor()
  await auditBoth(page)
})

test('a supervisor of a team has its agents on her board, and nobody and nothing of another one', async () => {
  const page = await board.atBoard('/board', 'ines')
  await rowOf(page, '<img src=x').waitFor()
  expect(await agents(page).getByRole('rowheader').count()).toBe(1)
  await page.getByText(/No campaign dials now/).waitFor()
  expect(await page.getByRole('article', { name: 'Reminders DK' }).count()).toBe(0)
  expect(await page.getByRole('heading', { name: 'Last 30 min' }).count()).toBe(0)
  await auditBoth(page)
  await picture(page, 'board-own-team-1440', 1440)
})

test('at 320 px, with 400 % zoom, forced colours and reduced motion nothing is cut and nothing moves', async () => {
  const page = await board.atBoard('/board')
  for (const path of ['/board', '/board/wall']) {
    await page.goto(`${board.place.url}${path}`)
    await rowOf(page, 'Anna Berg').waitFor()
    for (const forcedColors of ['none', 'active'] as const) {
      await page.emulateMedia({ forcedColors, reducedMotion: 'reduce' })
      // 1280 px at 400 %.
      await picture(page, `board-narrow${path.replaceAll('/', '-')}-${forcedColors}-320`, 320, 640)
      expect(await page.evaluate(WIDE), path).toEqual([])
      expect(await page.evaluate('document.getAnimations().length')).toBe(0)
      expect(await page.evaluate(CUT), `${path} ${forcedColors}`).toEqual([])
      // A figure and its word are in one line.
      expect((await page.getByText(/^\s*\d+ on a break$/).boundingBox())!.height).toBeLessThan(30)
      expect(await rowOf(page, 'Anna Berg').innerText()).toMatch(/Ready|Talking|Wrap-up|Break/)
    }
  }
})

/** What goes beyond the window, outside of what scrolls. */
const WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('[role=grid], [role=table]'))
  .map((one) => one.outerHTML.slice(0, 160))`

/** Buttons of rows that go beyond their cell. */
const BESIDE = `[...document.querySelectorAll('[role=grid] [role=cell] button')]
  .filter((one) => {
    const [own, cell] = [one, one.closest('[role=cell]')].map((each) => each.getBoundingClientRect())
    return own.left < cell.left - 1 || own.right > cell.right + 1
  })
  .map((one) => one.ariaLabel)`

/** Headings, sentences and buttons whose words go beyond what is drawn of them, outside of what scrolls. */
const CUT = `[...document.querySelectorAll('h2, button, dt, dd, label')]
  .filter((one) => one.offsetWidth > 0 && !one.closest('[role=grid], [role=table], [role=row]'))
  .filter((one) => getComputedStyle(one).textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).display !== 'inline')
  .map((one) => one.outerHTML.slice(0, 80))`

/** Orders to listen arrive, and their answers do not. */
const LOSE_ANSWERS = `{
  const ask = fetch
  window.fetch = (path, init) =>
    ask(path, init).then((answer) => (path.endsWith('/supervise') ? Promise.reject(TypeError('lost')) : answer))
}`
