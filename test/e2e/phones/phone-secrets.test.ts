/** What only the node and its owner may know, looked for wherever a page can leave it, through a whole shift. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wallMs } from '../../../src/kernel/clock.ts'
import { codeAt } from '../../../src/rest/access/one-time-code.ts'
import { newPassword, signIn } from '../../console/console-place.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { openPhonePlace, type PhonePlace } from './phone-place.ts'

const STEP_MS = 30_000
/** Fields of answers that hold something secret. */
const SECRET = /password|ticket|secret|token|credential|^key$/i
const LETTERS_MIN = 8
const TURN_SECRET = crypto.randomUUID()

let place: PhonePlace
let page: Page
let password: string
/** What it is → its value. */
const secrets = new Map<string, string>()
const left: string[] = []
const pending: Promise<void>[] = []

beforeAll(async () => {
  place = await openPhonePlace(['anna'], {
    more: ['phones: { ice: ["turn:127.0.0.1:9"], turnSecretFrom: TURN_SECRET }'],
    env: { TURN_SECRET },
  })
  secrets.set('the secret of TURN', TURN_SECRET)
  password = await newPassword('anna', place.it.place.env)
  secrets.set('the password', password)
  page = await place.browser.page()
  page.on('console', (line) => left.push(`console ${line.text()}`))
  page.on('request', (request) => left.push(`address ${request.url()}`))
  page.on('websocket', (socket) => left.push(`address ${socket.url()}`))
  page.on('response', (response) => {
    if (!response.headers()['content-type']?.includes('json')) return
    pending.push(
      response.json().then(
        (answer) => note(new URL(response.url()).pathname, answer),
        () => undefined,
      ),
    )
  })
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

function note(path: string, answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return
  for (const [name, value] of Object.entries(answer)) {
    const isSecret = SECRET.test(name) && typeof value === 'string' && value.length >= LETTERS_MIN
    if (isSecret) secrets.set(`${name} of ${path}`, value)
    else note(path, value)
  }
}

/** Where a secret is found now: in what the page keeps and shows, in addresses, in its log, in the log of the node. */
async function found(step: string): Promise<string[]> {
  await Promise.all(pending)
  for (const { name, value } of await page.context().cookies()) secrets.set(`the cookie ${name}`, value)
  const kept = (await page.evaluate(KEPT)) as Record<string, string>
  const places = Object.assign(kept, {
    'page log and addresses': left.join('\n'),
    'node log': place.it.logged.join('\n'),
  })
  return [...secrets].flatMap(([what, value]) =>
    Object.entries(places).flatMap(([where, text]) => (text.includes(value) ? [`${step}: ${what} in ${where}`] : [])),
  )
}

/** Everything that a page can keep or show. A form field of a password is no part of the document's text. */
const KEPT = `(async () => ({
  localStorage: JSON.stringify(Object.entries(localStorage)),
  sessionStorage: JSON.stringify(Object.entries(sessionStorage)),
  'IndexedDB and caches': JSON.stringify([await indexedDB.databases(), await caches.keys()]),
  cookie: document.cookie,
  document: document.documentElement.outerHTML,
  address: location.href + history.state,
}))()`

const button = (name: string | RegExp) => page.getByRole('button', { name })

test('no secret is left anywhere from the sign-in with a second factor to the sign-out', async () => {
  const { endpoint } = place.it.place.settings
  await signIn(page, `${endpoint}/me`, { userName: 'anna', password })
  expect(await found('signed in')).toEqual([])

  await button('Turn on …').press('Enter')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'Picture of the key for the app' }).waitFor()
  const key = (await page.getByRole('code').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code that the app shows').fill(codeAt(key, Math.floor(wallMs() / STEP_MS)))
  await page.keyboard.press('Enter')
  await page.getByText('Keep these recovery codes').waitFor()
  const [recovery] = await page
    .getByRole('listitem')
    .filter({ hasText: /^([a-z2-7]{6}-){3}[a-z2-7]{6}$/ })
    .allInnerTexts()
  await page.keyboard.press('Enter')
  await page.getByText('10 recovery codes are left').waitFor()
  secrets.set('the key of the app', key)
  secrets.set('a recovery code', recovery!)
  expect(await found('second factor')).toEqual([])

  await page.goto(`${endpoint}/desk`)
  await button('Start').press('Enter')
  const isGiven = (name: string) => [...secrets.keys()].some((what) => what.startsWith(`${name} of`))
  await expect.poll(() => ['sipPassword', 'credential'].every(isGiven), SOON).toBe(true)
  expect(await found('desk')).toEqual([])
  for (const path of ['/calls', '/me']) {
    await page.goto(`${endpoint}${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await found(path)).toEqual([])
  }
  await button(/Your account/).press('Enter')
  await button('Sign out').press('Enter')
  await page.getByLabel('User name').fill('anna')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByLabel('Code').fill(recovery!)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').first().waitFor()
  expect(await found('signed in again')).toEqual([])
  await button(/Your account/).press('Enter')
  await button('Sign out').press('Enter')
  await page.getByLabel('User name').waitFor()
  expect(await found('signed out')).toEqual([])
  expect([...secrets.keys()].filter((what) => /cookie|^the |ticket|sipPassword of/.test(what)).length).toBeGreaterThan(
    3,
  )
  expect(place.browser.asked).toEqual([])
})
