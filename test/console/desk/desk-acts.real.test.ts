/** What is said and done about a call beside its outcome; the desk on small screens and in forced colours. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { auditOf, picture, watched } from '../page-checks.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'

const OUTCOMES = [
  { name: 'Promised to pay', key: '1', final: true },
  { name: 'Call again', key: '2', needsCallBackDate: true },
]
let place: DeskPlace
let page: Page
let faults: string[]
let callCode: number

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  // Nothing fades in while it is looked at, and nothing may move at all.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const recording = { mode: 'consent', announcement: 'This call is recorded.' }
  callCode = await place.campaign({ recording, script: `Is this {name}? ${'word '.repeat(400)}` }, OUTCOMES)
  await place.desk(page)
  faults = watched(page)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const { becomes, keys } = atDesk(
  () => page,
  () => place,
)
const press = (name: string | RegExp) => page.getByRole('button', { name }).press('Enter')
const tasksOf = async (caseNumber: string) =>
  (await place.client.ask('POST /dialer/calltaskget', { body: { systemLookupCodes: [caseNumber] } })).callTasks
const talksWith = async (number: string) => {
  await place.people(callCode, [number])
  await becomes('talking')
  await page.getByRole('radio', { name: /Promised/ }).waitFor(SOON)
}

/** Nothing is cut at the sides, nothing is broken for a screen reader, in both themes. */
async function looksRight(what: string, on = page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await on.emulateMedia({ colorScheme })
    // What lies half below the strip is no smaller for it.
    await on.evaluate('scrollTo(0, 0)')
    expect(await auditOf(on), `${what} ${colorScheme}`).toEqual([])
    await picture(on, `acts-${what}-${colorScheme}`, 1440)
  }
  await on.emulateMedia({ colorScheme: 'light' })
  await isWhole(what, on)
}

/** At 320 px, which is 1,280 px at 400 % (WCAG 1.4.10), without motion, and in forced colours. */
async function isWhole(what: string, on = page): Promise<void> {
  const before = on.viewportSize()!
  await on.emulateMedia({ forcedColors: 'active' })
  await picture(on, `acts-${what}-320`, 320, 256)
  // A popover finds its place a moment after the page is narrower.
  await expect.poll(() => on.evaluate(CUT), { interval: 50, timeout: 10_000, message: `${what} at 320 px` }).toEqual([])
  expect(await on.evaluate(MOVES), `${what} without motion`).toEqual([])
  // What stays in a window so low leaves nothing to read.
  const strips = `[...document.querySelectorAll('section[data-freshness]')]
    .map((one) => getComputedStyle(one).position)`
  for (const position of (await on.evaluate(strips)) as string[]) expect(position, what).toBe('static')
  await on.emulateMedia({ forcedColors: 'none' })
  await on.setViewportSize(before)
}

/** Everything that people read or press, and that is cut: outside the page at its sides, or hidden in its own box. */
const CUT = `[
  ...(document.documentElement.scrollWidth > innerWidth ? ['the page is ' + document.documentElement.scrollWidth] : []),
  ...[...document.querySelectorAll('button, a, input, textarea, select, h1, h2, h3, p, dt, dd, label')]
    .filter((one) => {
      const { left, right, width, height } = one.getBoundingClientRect()
      // Hidden for the eye alone, or skipped to with the keyboard.
      if (width < 2 || height < 2 || one.closest('[class*=hidden], [class*=skip]')) return false
      const { overflowX, textOverflow } = getComputedStyle(one)
      const isClipped = overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1 && textOverflow !== 'ellipsis'
      return left < -1 || right > innerWidth + 1 || (isClipped && !one.matches('input, textarea, select'))
    })
    .map((one) => one.tagName + ' ' + (one.textContent || one.getAttribute('aria-label') || '').slice(0, 40)),
]`

/** What moves for longer than a blink. */
const MOVES = `document.getAnimations()
  .filter((one) => one.playState === 'running' && one.effect.getComputedTiming().endTime > 10)
  .map((one) => one.effect.target.className)`

test('the desk is whole at 320 px before and between calls, and the reasons of a pause are', async () => {
  await page.getByRole('button', { name: 'Start' }).waitFor(SOON)
  await looksRight('start')
  await press('Start')
  await becomes('ready')
  await looksRight('ready')
  await keys('F9')
  await page.getByRole('button', { name: 'Training' }).waitFor(SOON)
  await looksRight('reasons')
  await keys('4')
  await becomes('paused')
  const said = () => page.getByRole('region', { name: 'Your phone' }).innerText()
  expect(await said()).toContain('Training')
  expect(await place.client.ask('GET /svcpbx/agents')).toMatchObject([{ state: 'paused', reason: 'Training' }])
  await looksRight('paused')
  await keys('F9')
  await becomes('ready')
})

test('consent begins the recording; a machine is corrected; both are done by the keyboard', async () => {
  await talksWith('+4520151101')
  await looksRight('talking')
  await keys('Control+k')
  expect(await page.getByRole('option').allInnerTexts()).toEqual(
    expect.arrayContaining(['Hold\nF4', 'Transfer …', 'End call\nF8']),
  )
  await page.keyboard.type('hold')
  await keys('Enter')
  await page.getByRole('button', { name: 'Take back' }).waitFor(SOON)
  await keys('F4')
  await press('Start recording: they agree')
  await page.getByText('Done: Start recording: they agree').waitFor(SOON)
  await keys('F8')
  await becomes('wrap-up')
  expect(await page.getByRole('button', { name: /Start recording/ }).isDisabled()).toBe(true)
  await press('It was a machine')
  await page.getByText('Done: It was a machine').waitFor(SOON)
  await looksRight('wrap-up')
  // Who was not reached is called again: by a task that follows the one that the talk has ended.
  await expect.poll(async () => (await tasksOf('case-1101')).length, SOON).toBe(2)
  await page.getByRole('radio', { name: /Promised/ }).focus()
  await keys('1', 'Enter')
  await becomes('ready')
})

test('nobody has asked for the time of a callback where it was a machine, unless the agent says so', async () => {
  await talksWith('+4520151501')
  await keys('F8')
  await becomes('wrap-up')
  await page.getByRole('radio', { name: /Promised/ }).focus()
  await keys('2')
  const asked = page.getByRole('checkbox', { name: 'They asked for this time' })
  expect(await asked.isChecked()).toBe(true)
  await press('It was a machine')
  await page.getByText('We call when the minimum time between two calls is over, even if that is later.').waitFor(SOON)
  expect(await asked.isChecked()).toBe(false)
  await page.getByText('Done: It was a machine').waitFor(SOON)
  await page.getByRole('textbox', { name: /^Call back/ }).focus()
  await page.keyboard.type('tomorrow 9:30')
  await looksRight('asked')
  await keys('Tab', 'Space')
  expect(await asked.isChecked()).toBe(true)
  await keys('Space', 'Enter')
  await becomes('ready')
  const { callbacks } = await place.client.ask('GET /dialer/callbacks', { query: { callCode } })
  expect(callbacks).toMatchObject([{ askedByContact: false }])
})

test('"do not call again" asks what was said, and puts the person on the stop list', async () => {
  await talksWith('+4520152201')
  await press('Do not call again …')
  await page.keyboard.type('never again')
  await looksRight('stop')
  await page.getByRole('textbox', { name: 'What did they say?' }).press('Enter')
  await page.getByText(/^Done: Do not call again/).waitFor(SOON)
  const { numbers } = await place.client.ask('GET /dialer/stoplist/numbers')
  expect(numbers).toMatchObject([{ number: '+4520152201', reason: 'never again' }])
  const second = await place.browser.page()
  await second.emulateMedia({ reducedMotion: 'reduce' })
  await place.desk(second)
  await becomes('talking', second)
  await second.getByRole('heading', { name: 'Debtor case-2201', level: 2 }).waitFor(SOON)
  await second.close()
  await keys('F8')
  await becomes('wrap-up')
  await page.getByRole('radio', { name: /Promised/ }).focus()
  await keys('1', 'Enter')
  await becomes('ready')
})

test('a stop that is being written when the call ends is there, and nothing goes on before it is given', async () => {
  await talksWith('+4520152301')
  await page.getByRole('radio', { name: /Promised/ }).focus()
  await keys('1', 'Enter')
  await page.getByText('Saved. You are ready when the call has ended.').waitFor(SOON)
  await press('Do not call again …')
  await page.keyboard.type('never')
  await keys('F8')
  await becomes('wrap-up')
  const field = page.getByRole('textbox', { name: 'What did they say?' })
  expect(await field.inputValue()).toBe('never')
  await page.getByRole('textbox', { name: 'Note' }).press('Control+Enter')
  await page.getByText('Give what they said to the stop list, or clear the field.').waitFor(SOON)
  await becomes('wrap-up')
  await field.press('Enter')
  await becomes('ready')
  const { numbers } = await place.client.ask('GET /dialer/stoplist/numbers')
  expect(numbers).toContainEqual(expect.objectContaining({ number: '+4520152301', reason: 'never' }))
})

test('what the page has asked for is whole as well: an error, the login, the page about me', async () => {
  await talksWith('+4520153301')
  await keys('Escape', '2', 'Enter')
  await page.getByText('Write when to call back.').first().waitFor(SOON)
  await looksRight('error')
  await page.goto(`${place.url}/me`)
  await page.getByRole('heading', { name: 'You', level: 1 }).waitFor(SOON)
  await looksRight('me')
  const other = await place.browser.page()
  await other.emulateMedia({ reducedMotion: 'reduce' })
  await other.goto(place.url)
  await other.getByRole('button', { name: 'Sign in' }).waitFor(SOON)
  await looksRight('login', other)
  expect(faults).toEqual([])
})
