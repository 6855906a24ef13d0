/** The room of the console in a real browser: sign in, stay, sign out; what other pages cannot do with the cookie. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'
import { type ConsolePlace, openConsolePlace, signIn } from './console-place.ts'
import { auditOf, picture, watched } from './page-checks.ts'

let place: ConsolePlace
let vera: Awaited<ReturnType<ConsolePlace['person']>>

beforeAll(async () => {
  place = await openConsolePlace()
  vera = await place.person('vera', 'Vera Lund', 'supervisor')
}, BROWSER_PATIENCE_MS)

afterAll(() => place?.close())

test('a person signs in with the keyboard alone, stays through a reload and a restart, and signs out', async () => {
  const page = await place.browser.page()
  const faults = watched(page)
  await signIn(page, `${place.url}/`, vera)
  await expect.poll(() => new URL(page.url()).pathname, SOON).toBe('/board')
  expect(await page.getByRole('banner').innerText()).toContain('Vera Lund')
  // A page that asks nothing while the service is away.
  await page.goto(`${place.url}/me`)
  await page.reload()
  await page.getByRole('heading', { name: 'You', level: 1 }).waitFor()
  await place.restart()
  await page.reload()
  await page.getByRole('heading', { name: 'You', level: 1 }).waitFor()

  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: 'sb', httpOnly: true, sameSite: 'Strict', path: '/' })
  await page.getByRole('button', { name: 'Your account: Vera Lund' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign out' }).press('Enter')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await page.context().cookies()).toEqual([])
  expect(await statusWith({ cookie: `sb=${cookie!.value}` })).toBe(401)
  expect(faults).toEqual([])
})

test('a wrong password says so, and the caret is back in its field', async () => {
  const page = await place.browser.page()
  await page.goto(place.url)
  await page.getByLabel('User name').fill('vera')
  await page.getByLabel('Password').fill('not her password')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('alert').innerText()).toContain('The user name or the password is wrong')
  await expect.poll(() => page.evaluate('document.activeElement.name'), SOON).toBe('password')
})

test('the cookie alone is nothing: other origins, other ports and forms are refused', async () => {
  const page = await place.browser.page()
  await signIn(page, place.url, vera)
  const [cookie] = await page.context().cookies()
  const held = { cookie: `sb=${cookie!.value}` }
  expect(await statusWith(held, {})).toBe(200)
  expect(await statusWith(held, { 'svc-console': '' })).toBe(401)
  expect(await statusWith(held, { 'sec-fetch-site': 'same-site' })).toBe(401)
  expect(await statusWith(held, { 'sec-fetch-site': 'cross-site' })).toBe(401)
  expect(await statusWith(held, { origin: 'http://127.0.0.1:1' })).toBe(401)
  const [rcntrl = '', secret = '', ccntrl = ''] = cookie!.value.split('.')
  expect(await statusWith({ tokenv2: `tv2_${secret}`, rcntrl, ccntrl })).toBe(401)
  expect(await statusWith({ tokenv2: `sbs_${secret}`, rcntrl, ccntrl })).toBe(401)
  const { status } = await fetch(`${place.url}/rest/core/session/logout`, {
    method: 'POST',
    headers: { ...held, 'svc-console': '1' },
  })
  expect(status).toBe(401)
  await page.reload()
  await page.getByRole('navigation').waitFor()
})

test('every page follows its policy, has no fault of accessibility, and asks nobody else', {
  tags: 'pictures',
}, async () => {
  const page = await place.browser.page()
  const faults = watched(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${place.url}/login`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await auditOf(page)).toEqual([])
    await pictures(page, `login-${colorScheme}`)
    await signIn(page, `${place.url}/me`, vera)
    await page.getByRole('heading', { name: 'You', level: 1 }).waitFor()
    expect(await auditOf(page)).toEqual([])
    await pictures(page, `me-${colorScheme}`)
    await page.getByRole('button', { name: 'Your account: Vera Lund' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(await auditOf(page)).toEqual([])
    await pictures(page, `menu-${colorScheme}`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  }
  expect(faults).toEqual([])
  expect(place.browser.asked).toEqual([])
})

async function pictures(page: Page, name: string): Promise<void> {
  for (const width of [390, 1024, 1440]) await picture(page, `${name}-${width}`, width)
}

/** Of asking who is signed in, as a program may send it: `more` replaces what the console sends. */
async function statusWith(held: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) {
  const headers = { ...held, 'svc-console': '1', ...more }
  return (await fetch(`${place.url}/rest/core/session`, { headers })).status
}
