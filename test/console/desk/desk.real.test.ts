/** A shift at the desk in a real browser, on a started service: by the keyboard alone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { auditOf, picture, watched } from '../page-checks.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'

const OUTCOMES = [
  { name: 'Promised to pay', key: '1', final: true },
  { name: 'Call again', key: '2', needsCallBackDate: true },
  { name: 'Paid', key: '3', fields: [{ name: 'Amount', kind: 'number', required: true }] },
  { name: '<img src=x onerror="globalThis.ran = true"> \u202Egnp.exe' },
]

const SCRIPT = `Good day, is this {name}?
I am calling about case {externalCaseNumber}: {Amount owed} is due.
<img src=x onerror="globalThis.ran = true"> \u202Egnp.exe`

let place: DeskPlace
let page: Page
let faults: string[]
let callCode: number
/** Where the strip and its buttons were, in each state that was looked at. */
const slots = new Set<string>()
const SLOTS = `[...document.querySelectorAll('section[data-state], section[data-state] :is(p, div, button)')]
  .map((one) => Object.values(one.getBoundingClientRect().toJSON()).join(' ')).join('; ')`

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  // Kept through reloads: whether a mouse or a finger was ever used.
  await page.addInitScript(`for (const what of ['mousedown', 'pointerdown', 'touchstart'])
    addEventListener(what, () => sessionStorage.setItem('touched', what), true)`)
  await place.desk(page)
  faults = watched(page)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const { becomes, keys } = atDesk(
  () => page,
  () => place,
)
const name = (text: string, on = page) => on.getByRole('heading', { name: text, level: 2 }).waitFor(SOON)
const taskOf = async (caseNumber: string) =>
  (await place.client.ask('POST /dialer/calltaskget', { body: { systemLookupCodes: [caseNumber], detail: true } }))
    .callTasks[0]!
const noteOf = async (caseNumber: string) => (await taskOf(caseNumber)).callAttempts?.at(-1)?.feedback.at(-1)

test('one key starts the shift', { tags: 'pictures' }, async () => {
  await expect.poll(() => page.evaluate('document.activeElement.textContent'), SOON).toBe('Start')
  await pictures('start')
  await keys('Enter')
  await becomes('ready')
  await pictures('ready')
})

test('the call comes, its case is there, two keys finish it, and the next one comes', {
  tags: 'pictures',
}, async () => {
  callCode = await place.campaign({ name: 'Reminders', script: SCRIPT }, OUTCOMES)
  await place.people(callCode, ['+4520121101', '+4520122209'])
  await becomes('talking')
  await name('Debtor case-1101')
  await expect.poll(() => page.getByRole('region', { name: 'Contact' }).innerText(), SOON).toContain('Attempt 1 of 3')
  expect(await page.getByRole('region', { name: 'Contact' }).innerText()).toContain('case-1101')
  const said = page.getByRole('region', { name: 'Script' })
  expect(await said.innerText()).toMatch(
    /is this Debtor case-1101\?\s+I am .* case case-1101: \{Amount owed\} is due.\s+<img/,
  )
  expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
  // A talk of less than a second is not counted as one.
  await page
    .getByText(/^00:(0[2-9]|[1-9]\d)$/)
    .first()
    .waitFor(SOON)
  await keys('F8')
  await becomes('wrap-up')
  await expect.poll(() => page.evaluate('document.activeElement.type'), SOON).toBe('radio')
  await keys('1', 'Enter')
  await name('Debtor case-2209')
  await becomes('wrap-up')
  expect(await noteOf('case-1101')).toMatchObject({
    outcome: { name: 'Promised to pay' },
    agent: { name: 'Anna Holm' },
  })
})

test('a callback in plain words is shown before it is saved, and what is missing is asked for', {
  tags: 'pictures',
}, async () => {
  await keys('2', 'Enter')
  await page.getByText('Write when to call back.').first().waitFor()
  await page.keyboard.type('tomorrow 9:30')
  await page
    .getByText(/9:30|09:30/)
    .first()
    .waitFor()
  await pictures('callback')
  // Also on the button that saves, which the keys of a browser would press.
  await page.getByRole('button', { name: /^Save( and ready)?( Enter)?$/ }).focus()
  await keys('Shift+Enter')
  await becomes('paused')
  const { callbacks } = await place.client.ask('GET /dialer/callbacks', { query: { callCode } })
  expect(new Date(callbacks[0]!.callBackTs!).toISOString()).toMatch(/T0[78]:30:00/)
  await pictures('paused')
})

test('a reload in mid-call keeps call, note and outcome; another tab shows the same', {
  tags: 'pictures',
}, async () => {
  await place.people(callCode, ['+4520123301'])
  await keys('F9')
  await becomes('talking')
  await name('Debtor case-3301')
  await page.keyboard.type('wants to pay in two parts')
  await keys('Escape', '3', 'Tab')
  await page.keyboard.type('much')
  await page.reload()
  await becomes('talking')
  await name('Debtor case-3301')
  const note = page.getByRole('textbox', { name: 'Note' })
  expect(await note.inputValue()).toBe('wants to pay in two parts')
  expect(await page.getByRole('radio', { name: /Paid/ }).isChecked()).toBe(true)
  const opened = page.waitForEvent('popup')
  await page.evaluate("void open('/desk')")
  const other = await opened
  watched(other, faults)
  await name('Debtor case-3301', other)
  await expect.poll(() => other.getByRole('textbox', { name: 'Note' }).inputValue(), SOON).toContain('two parts')
  await page.bringToFront()
  await note.press('End')
  await page.keyboard.type(', from May')
  await expect.poll(() => other.getByRole('textbox', { name: 'Note' }).inputValue(), SOON).toContain('from May')
  await pictures('talking')

  await keys('Control+Enter')
  await page.getByText(/^Write a number/).waitFor()
  expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('much')
  await page.getByRole('textbox', { name: 'Amount' }).press('Control+a')
  await page.keyboard.type('60,5')
  await keys('Enter')
  const isSaved = 'Saved. You are ready when the call has ended.'
  await page.getByText(isSaved).waitFor(SOON)
  await page.reload()
  await name('Debtor case-3301')
  for (const each of [page, other]) {
    await each.getByText(isSaved).waitFor(SOON)
    expect(await each.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('wants to pay in two parts, from May')
  }
  expect(await page.getByRole('radio', { name: /Paid/ }).isChecked()).toBe(true)
  const keysOfNext = new Set<string | undefined>()
  page.context().on('request', (request) => {
    if (request.postData()?.includes('endWrapUp')) keysOfNext.add(request.headers()['idempotency-key'])
  })
  await keys('F8')
  await becomes('ready')
  await becomes('ready', other)
  await other.close()
  expect(keysOfNext.size).toBe(1)
  expect((await taskOf('case-3301')).callAttempts?.at(-1)?.feedback).toHaveLength(1)
  expect(await noteOf('case-3301')).toMatchObject({
    note: 'wants to pay in two parts, from May',
    fields: [{ name: 'Amount', value: 60.5 }],
  })
})

test('between calls the day is counted, also in Danish', async () => {
  const day = page.getByRole('region', { name: /Today|I dag/ })
  await expect.poll(() => day.innerText(), SOON).toMatch(/Talks\s+3\s+Talked\s+00:\d\d\s+Outcomes saved\s+3/)
  await page.evaluate("localStorage.setItem('sb-language', 'da')")
  await page.reload()
  await becomes('klar')
  await pictures('danish')
  await page.evaluate("localStorage.setItem('sb-language', 'en')")
  await page.reload()
  await becomes('ready')
})

test('a day of more talks than one answer has is counted in full', async () => {
  await page.route('**/svcems/calls?*', async (route) => {
    const after = new URL(route.request().url()).searchParams.get('after')
    const [calls, next] = after ? [25, null] : [100, 'older']
    const json = { calls: Array(calls).fill({ talkSeconds: 60, feedback: [{}] }), next, more: next !== null }
    await route.fulfill({ json })
  })
  await page.reload()
  const day = page.getByRole('region', { name: 'Today' })
  await expect.poll(() => day.innerText(), SOON).toMatch(/Talks\s+125\s+Talked\s+2:05:00\s+Outcomes saved\s+125/)
  await page.unroute('**/svcems/calls?*')
})

test('a talk that is in the records only after the figures were shown is counted too', async () => {
  let asked = 0
  await page.route('**/svcems/calls?*', (route) => {
    const calls = Array(asked++ === 0 ? 6 : 7).fill({ talkSeconds: 60, feedback: [{}] })
    return route.fulfill({ json: { calls, next: null, more: false } })
  })
  await page.reload()
  const day = page.getByRole('region', { name: 'Today' })
  await expect.poll(() => day.innerText(), SOON).toMatch(/Talks\s+7\s+Talked\s+07:00\s+Outcomes saved\s+7/)
  await page.unroute('**/svcems/calls?*')
})

test('names from outside run nothing, and break nothing', async () => {
  const names = ['<img src=x onerror="globalThis.ran = true">', `\u202Egnp.exe ${'w'.repeat(150)}`]
  const callTasks = names.map((callReceiverName, at) => ({
    callReceiverName,
    callNumberList: [`+4520124${at}01`],
    extCustId: `H-${at}`,
    systemLookupCode: `hostile-${at}`,
  }))
  await place.client.ask('POST /svcdialer/calltaskimport', {
    body: { systemCode: 'DEBT', callCode, maxCallAttempts: 1, minCallIntervalHours: 4, callTasks },
  })
  for (const [at, shown] of [/<img src=x/, /gnp\.exe/].entries()) {
    await becomes('talking')
    await page.getByRole('heading', { name: shown, level: 2 }).waitFor(SOON)
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), SOON).toBeLessThan(1)
    expect(await page.getByRole('main').innerText()).not.toContain('\u202E')
    await pictures(`hostile-${at + 1}`)
    await keys('F8')
    await becomes('wrap-up')
    await keys('Escape', '1', 'Enter')
  }
  await becomes('ready')
  expect(await page.evaluate('globalThis.ran')).toBeUndefined()
})

test('nothing was touched, nothing moved on the strip, no policy was broken, nobody else was asked', async () => {
  expect(await page.evaluate("sessionStorage.getItem('touched')")).toBeNull()
  expect(slots.size).toBe(1)
  expect(faults).toEqual([])
  expect(place.browser.asked.filter((line) => !line.includes('debt.example'))).toEqual([])
})

/** Audits what is shown in both themes, and takes its pictures. */
async function pictures(what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await auditOf(page), `${what} ${colorScheme}`).toEqual([])
    for (const width of [390, 1024, 1440]) await picture(page, `desk-${what}-${colorScheme}-${width}`, width)
    slots.add(String(await page.evaluate(SLOTS)))
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
