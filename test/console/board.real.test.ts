/** The live board of a started service in a real browser: what a supervisor sees, does, and is told. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'
import { type BoardPlace, HOSTILE, openBoardPlace } from './board-place.ts'
import { auditOf, picture, watched } from './page-checks.ts'

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

async function wallPictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await picture(page, `board-${name}-${colorScheme}-1920`, 1920, 1080)
  }
}

async function auditBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await auditOf(page)).toEqual([])
  }
}

test('an empty board says that all is well and teaches what will be there', {
  tags: 'pictures',
}, async () => {
  const page = await board.atBoard('/board')
  const faults = watched(page)
  await page.getByText('All well: nothing needs you.').waitFor()
  await page.getByText(/Nobody is logged in/).waitFor()
  await page.getByText(/No campaign dials now/).waitFor()
  await auditBoth(page)
  await pictures(page, 'empty')
  expect(faults).toEqual([])
})

test('agents and calls appear, move and go; names are names and nothing else', {
  tags: 'pictures',
}, async () => {
  const page = await board.atBoard('/board')
  const faults = watched(page)
  for (const name of ['anna', 'bo', 'cilla']) await board.order(name, 'logIn')
  await expect.poll(() => stateOf(page, 'Anna Berg'), SOON).toContain('Ready')
  await expect.poll(() => stateOf(page, '<img src=x'), SOON).toContain('Ready')
  await expect.poll(() => stateOf(page, 'Karl ␣gnirts'), SOON).toContain('Ready')
  await board.order('cilla', 'pause', { reason: 'lunch' })
  await expect.poll(() => stateOf(page, 'Karl'), SOON).toMatch(/Break lunch/)

  const callCode = await board.campaign(HOSTILE.long.slice(0, 200), { wrapUpSeconds: 900 })
  await page.getByRole('article').waitFor(SOON)
  await page
    .getByText(/nobody is left to dial now/)
    .first()
    .waitFor(SOON)
  await page
    .getByText(/^\d+\.\d\s%$/)
    .first()
    .waitFor(SOON)
  await pictures(page, 'agents')
  await page.goto(`${board.place.url}/board/wall`)
  await page.setViewportSize({ width: 1920, height: 1080 })
  await expect.poll(() => stateOf(page, 'Anna Berg'), SOON).toContain('Ready')
  await wallPictures(page, 'wall')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${board.place.url}/board`)
  await board.tasks(callCode, ['+4520123401', '+4520123509'])
  await expect.poll(() => stateOf(page, 'Anna Berg'), SOON).toMatch(/Talking|Wrap-up/)
  const calls = page.getByRole('table', { name: /Conversations/ })
  await expect.poll(() => calls.getByRole('row').count(), SOON).toBe(2)
  await page.getByText(/1 talking, 0 ready, 1 in wrap-up, 1 on a break/).waitFor(SOON)
  await auditBoth(page)
  await pictures(page, 'full')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(faults).toEqual([])
  expect(board.place.browser.asked).toEqual([])
})

test('a supervisor ends a wrap-up, gives a break and listens by keyboard; each answer is a sentence', async () => {
  const page = await board.atBoard('/board')
  const answers = page.getByRole('status')
  await expect.poll(() => stateOf(page, '<img src=x'), SOON).toMatch(/Talking|Wrap-up/)
  const names = ['Anna Berg', '<img src=x']
  const states = await Promise.all(names.map((name) => stateOf(page, name)))
  const [inCall, wrapping] = /Talking/.test(states[0]!) ? names : names.toReversed()
  await rowOf(page, wrapping!).focus()
  await page.keyboard.press('e')
  await expect.poll(() => stateOf(page, wrapping!), SOON).toContain('Ready')
  await expect
    .poll(() => answers.allInnerTexts(), SOON)
    .toEqual(expect.arrayContaining([expect.stringMatching(/is ready\.$/)]))
  await page.keyboard.press('l')
  await expect
    .poll(() => answers.allInnerTexts(), SOON)
    .toEqual(expect.arrayContaining([expect.stringMatching(/is in no conversation/)]))

  await rowOf(page, inCall!).focus()
  await page.keyboard.press('l')
  await page.getByText(/^You listen to/).waitFor(SOON)
  await page.keyboard.press('w')
  await page.getByText(/^You whisper to/).waitFor(SOON)
  await auditBoth(page)
  await pictures(page, 'listen')
  await page.getByRole('button', { name: 'Leave' }).press('Enter')
  await page.getByText('You left the conversation. It goes on.').waitFor()
  await expect.poll(() => stateOf(page, inCall!), SOON).toContain('Talking')

  await rowOf(page, wrapping!).focus()
  await page.keyboard.press('p')
  await page.getByRole('dialog').waitFor()
  await pictures(page, 'break', [1440])
  await page.keyboard.press('Enter')
  await expect.poll(() => stateOf(page, wrapping!), SOON).toMatch(/Break talk with the team leader/)
})

test('a campaign shows what would happen before it is paused, and why nobody is dialed; the sum is right', async () => {
  const page = await board.atBoard('/board')
  const callCode = await board.campaign('Reminders DK')
  const card = page.getByRole('article', { name: 'Reminders DK' })
  await card.waitFor(SOON)
  await card.getByRole('button', { name: /Slow down/ }).click()
  await page.getByText(/each free agent gets at most one line/).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Slow down' }).press('Enter')
  await page.getByText('Reminders DK dials one line for each free agent.').waitFor()
  await card.getByText(/Slowed down/).waitFor(SOON)

  await card.getByRole('button', { name: /Pause/ }).click()
  await page.getByText(/It drains: 0 phones ring out, 0 conversations go on/).waitFor()
  await auditBoth(page)
  await pictures(page, 'effect', [390, 1440])
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).press('Enter')
  await card
    .getByText(/Paused/)
    .first()
    .waitFor(SOON)
  await page.getByRole('button', { name: 'Reminders DK is paused' }).first().waitFor(SOON)

  await board.tasks(callCode, ['+4520124401', '+4520124501', '+4520124601'])
  await card.getByRole('button', { name: /Why not dialed/ }).click()
  const why = page.getByRole('dialog')
  await why.getByText('3 call tasks = 0 finished + 0 under way + 3 not being dialed.', { exact: false }).waitFor()
  expect(await why.getByRole('row', { name: /the campaign is paused or over/ }).innerText()).toMatch(/3$/)
  expect(await why.getByRole('row', { name: 'Together' }).innerText()).toMatch(/3$/)
  await auditBoth(page)
  await pictures(page, 'why', [390, 1440])
  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: /Resume/ }).click()
  await page.getByText(/3 call tasks may be dialed at once/).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('combobox', { name: 'Campaign' }).selectOption({ label: 'Reminders DK' })
  expect(new URL(page.url()).searchParams.get('campaign')).toBe(String(callCode))
  await page.getByRole('combobox', { name: 'Team' }).selectOption({ index: 2 })
  await page.reload()
  await page.getByText('The filter leaves nobody.', { exact: false }).or(rowOf(page, '<img')).first().waitFor()
  await expect.poll(() => rowOf(page, 'Anna Berg').count(), SOON).toBe(0)
})

test('the wall shows the same, twice as large, dark, with nothing to press', async () => {
  const page = await board.atBoard('/board')
  await page.goto(`${board.place.url}/board/wall`)
  await page.setViewportSize({ width: 1920, height: 1080 })
  await expect.poll(() => stateOf(page, 'Anna Berg'), SOON).toMatch(/Talking|Ready|Wrap-up/)
  expect(await page.getByRole('button').count()).toBe(0)
  expect(await page.getByRole('navigation').count()).toBe(0)
  await auditBoth(page)
  await wallPictures(page, 'wall-busy')
  expect((await rowOf(page, 'Anna Berg').boundingBox())?.height).toBe(72)

  // Nobody can scroll it: what is drawn is seen whole, the worst first, and the others are counted.
  const rows = agents(page).getByRole('row')
  const drawn = async () => {
    const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()))
    const { y, height } = (await agents(page).locator('..').boundingBox())!
    return boxes.filter((box) => box && box.y + box.height <= y + height + 1).length - 1
  }
  await expect.poll(drawn, SOON).toBe(3)
  expect(await rows.count()).toBe(4)
  // What stands above them changes with the calls: how many fit is seen, and none is drawn where none does.
  for (const height of [900, 830, 780]) {
    await picture(page, `board-wall-low-${height}`, 1920, height)
    const facts = async () => {
      const count = (await rows.count()) - 1
      const list = (await agents(page).locator('..').boundingBox())!
      const group = (await agents(page).getByRole('rowgroup').last().boundingBox())!
      const fit = Math.max(0, Math.floor((list.y + list.height - group.y) / 72))
      const head = page.getByRole('heading', { name: /^Agents/ })
      const told = await head.getByText(`${3 - count} more`, { exact: true }).count()
      return count === Math.min(3, fit) && count === (await drawn()) && told === (count < 3 ? 1 : 0)
    }
    await expect.poll(facts, { ...SOON, message: `${height} px` }).toBe(true)
  }
})

test('before the first news board and wall say that they do not know, and not that nobody is there', async () => {
  const page = await board.atBoard('/me')
  await page.routeWebSocket(/stream/, () => {})
  for (const path of ['/board', '/board/wall']) {
    await page.goto(`${board.place.url}${path}`)
    await page.getByText('Not known yet.').first().waitFor()
    expect(await page.getByText(/Nobody is logged in|No campaign dials|No conversation|No team takes/).count()).toBe(0)
    await page.getByText('– ready', { exact: true }).waitFor()
  }
})

test('without news the board says as of when, then goes grey and takes no acts until it is back', async () => {
  const page = await board.atBoard('/board')
  await expect.poll(() => stateOf(page, 'Anna Berg'), SOON).toMatch(/\d:\d\d/)
  board.place.proxy.refuse()
  await page.getByText(/^As of \d\d:\d\d:\d\d$/).waitFor({ timeout: 12_000 })
  await page.getByText(/No news since \d\d:\d\d:\d\d/).waitFor({ timeout: 12_000 })
  expect(await agents(page).getByRole('button', { name: 'Break: Anna Berg' }).isDisabled()).toBe(true)
  await rowOf(page, 'Anna Berg').focus()
  await page.keyboard.press('l')
  await page.getByText('This needs live values.', { exact: false }).waitFor()
  await auditBoth(page)
  await pictures(page, 'grey')
  board.place.proxy.heal()
  await page.getByText('Live', { exact: true }).waitFor(SOON)
  expect(await agents(page).getByRole('button', { name: 'Break: Anna Berg' }).isEnabled()).toBe(true)
})

test('a node that does not answer is named: no names and filters, or no stream at all', async () => {
  const page = await board.atBoard('/me')
  const refuse = { status: 503, contentType: 'application/problem+json', body: '{"detail":"the database is away"}' }
  await page.route('**/rest/core/users*', (route) => route.fulfill(refuse))
  await page.route('**/rest/core/stream/ticket', (route) => route.fulfill(refuse))
  await page.goto(`${board.place.url}/board`)
  await page.getByText('Connecting …').waitFor()
  await page.getByText(/^No news since/).waitFor(SOON)
  await page.getByText(/^People and campaigns cannot be fetched now/).waitFor(SOON)
  await auditBoth(page)
  await pictures(page, 'error')
  await page.unroute('**/rest/core/stream/ticket')
  await page.getByText('Live', { exact: true }).waitFor(SOON)
})

test('the keyboard walks through the board in the order in which it is read', async () => {
  const page = await board.atBoard('/board')
  await expect.poll(() => stateOf(page, 'Anna Berg'), SOON).toMatch(/\d:\d\d/)
  await page.getByRole('combobox', { name: 'Team' }).focus()
  const walked: string[] = []
  for (let step = 0; step < 24; step++) {
    await page.keyboard.press('Tab')
    walked.push(await page.evaluate(WHERE))
  }
  const place = (what: RegExp) => walked.findIndex((one) => what.test(one))
  expect(walked.slice(0, 2)).toEqual(['select Campaign', 'link Big screen'])
  const order = [/Why not dialed: Ann/, /^row /, /Break: |End break: /, /^group Conversations/].map(place)
  expect(order, walked.join('\n')).toEqual(order.filter((at) => at > 0).toSorted((a, b) => a - b))
  expect(walked.filter((one) => one.startsWith('row '))).toHaveLength(1)
  await agents(page).getByRole('row').nth(1).focus()
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate('document.activeElement.getAttribute("aria-rowindex")')).toBe('3')
  await page.keyboard.press('k')
  expect(await page.evaluate('document.activeElement.getAttribute("aria-rowindex")')).toBe('2')
})

/** What has the focus, in one line. */
const WHERE = `(() => {
  const { tagName, role, id, ariaLabel, innerText } = document.activeElement
  const label = document.querySelector('label[for="' + id + '"]')?.innerText
  const by = document.getElementById(document.activeElement.getAttribute('aria-labelledby'))?.innerText
  const kind = document.activeElement.getAttribute('role') ?? { A: 'link' }[tagName] ?? tagName.toLowerCase()
  return kind + ' ' + (label ?? ariaLabel ?? by ?? innerText).replace(/\\s+/g, ' ').trim()
})()`
