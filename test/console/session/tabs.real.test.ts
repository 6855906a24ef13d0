/** Signing out and in where more than one tab is open, where it fails, and where an address is locked. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { type ConsolePlace, openConsolePlace, type Person, signIn } from '../console-place.ts'
import { auditOf } from '../page-checks.ts'

let place: ConsolePlace
let vera: Person
let otto: Person

beforeAll(async () => {
  place = await openConsolePlace()
  vera = await place.person('vera', 'Vera Lund', 'supervisor')
  otto = await place.person('otto', 'Otto Dahl', 'supervisor')
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

/** A tab at `/me` in which Vera has signed in, and one beside it: neither shows a live stream. */
async function twoTabs(): Promise<{ page: Page; other: Page }> {
  const page = await place.browser.page()
  await signIn(page, `${place.url}/me`, vera)
  const opened = page.waitForEvent('popup')
  await page.evaluate('void open("/me")')
  const other = await opened
  await account(other, 'Vera Lund').waitFor()
  return { page, other }
}

const account = (page: Page, name: string) => page.getByRole('button', { name: `Your account: ${name}` })
const login = (page: Page) => page.getByRole('button', { name: 'Sign in' })

async function signOut(page: Page): Promise<void> {
  await account(page, 'Vera Lund').press('Enter')
  await page.getByRole('button', { name: 'Sign out' }).press('Enter')
}

test('a tab ends with the session of another tab, and is theirs who sign in there', async () => {
  const { page, other } = await twoTabs()
  await signOut(page)
  await login(other).waitFor()
  await signIn(page, `${place.url}/me`, otto)
  await account(other, 'Otto Dahl').waitFor()
  await other.close()
  await page.close()
})

test('a request that waits in a tab is given up when somebody signs out in another one', async () => {
  const { page, other } = await twoTabs()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/svcems/calls**', () => resolve())
  const givenUp = page.waitForEvent('requestfailed', (request) => request.url().includes('/svcems/calls'))
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await promise
  await signOut(other)
  await givenUp
  await login(page).waitFor()
  await other.close()
  await page.close()
})

test('whoever signs in again after the end of their session does not turn their other tabs over', async () => {
  const { page, other } = await twoTabs()
  await other.evaluate('void (globalThis.isSame = document.querySelector("#page"))')
  // Another tab of hers has lost the session and got a new one.
  await page.route('**/rest/core/session', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 401, json: {} }) : route.continue(),
  )
  const asked = other.waitForResponse('**/rest/core/session')
  await signIn(page, `${place.url}/me`, vera)
  expect((await asked).status()).toBe(200)
  expect(await other.evaluate('document.querySelector("#page") === globalThis.isSame')).toBe(true)
  await other.close()
  await page.close()
})

test('a sign-out that fails is said on every page, until one succeeds', async () => {
  const page = await place.browser.page()
  await signIn(page, `${place.url}/me`, vera)
  await page.route('**/session/logout', (route) => route.abort())
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Sign out')
  await page.keyboard.press('Enter')
  const said = page.getByRole('alert')
  await said.getByText('Signing out failed. Sign out again before you leave this computer.').waitFor()
  await page.getByRole('link', { name: 'Calls', exact: true }).click()
  await page.getByText('No calls yet.').waitFor()
  expect(await said.count()).toBe(1)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await auditOf(page)).toEqual([])
  }
  await page.unroute('**/session/logout')
  await page.reload()
  // A page that does not know yet who is signed in has no sign-out.
  await account(page, 'Vera Lund').waitFor()
  await page.context().setOffline(true)
  await signOut(page)
  await said.getByText('Signing out failed.').waitFor()
  await page.context().setOffline(false)
  await signOut(page)
  await login(page).waitFor()
  expect(await said.count()).toBe(0)
  await page.close()
})

/** The last one: nobody signs in from here for the next minute. */
test('behind an address that is locked the login is there, and says how long to wait', async () => {
  const ask = () => fetch(`${place.url}/rest/core/session`, { headers: { tokenv2: 'x', rcntrl: 'y', ccntrl: 'z' } })
  for (let count = 0; count < 10; count++) await ask()
  expect((await ask()).status).toBe(429)
  const page = await place.browser.page()
  await page.goto(place.url)
  await login(page).waitFor()
  await page.getByLabel('User name').fill(vera.userName)
  await page.getByLabel('Password').fill(vera.password)
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .getByText(/^Too many attempts. Try again in \d+ seconds.$/)
    .waitFor()
})
