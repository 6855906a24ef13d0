/** A second factor in a real browser: turned on at the own page, asked for at the sign-in, turned off. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../src/rest/access/one-time-code.ts'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'
import { type ConsolePlace, openConsolePlace, signIn } from './console-place.ts'
import { auditOf, picture, watched } from './page-checks.ts'

const STEP_MS = 30_000

let place: ConsolePlace
let vera: Awaited<ReturnType<ConsolePlace['person']>>
let page: Page
let faults: string[]
let recovery: string[]

beforeAll(async () => {
  place = await openConsolePlace()
  vera = await place.person('vera', 'Vera Lund', 'supervisor')
  page = await place.browser.page()
  faults = watched(page)
  await signIn(page, `${place.url}/me`, vera)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const button = (name: string | RegExp) => page.getByRole('button', { name })

async function pictures(name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    expect(await auditOf(page)).toEqual([])
    for (const width of [390, 1024, 1440]) await picture(page, `${name}-${theme}-${width}`, width)
  }
}

test('it is turned on with the password, the picture or the key, and a first code', async () => {
  await button('Turn on …').press('Enter')
  await page.getByLabel('Password').fill('not hers')
  await page.keyboard.press('Enter')
  await page.getByText('user name or password is wrong').waitFor()
  await page.getByLabel('Password').fill(vera.password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'Picture of the key for the app' }).waitFor()
  await pictures('me-factor')
  const key = (await page.locator('code').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code that the app shows').fill(codeAt(key, Math.floor(Date.now() / STEP_MS)))
  await page.keyboard.press('Enter')
  await page.getByText('Keep these recovery codes').waitFor()
  recovery = await page
    .getByRole('listitem')
    .filter({ hasText: /^([a-z2-7]{6}-){3}[a-z2-7]{6}$/ })
    .allInnerTexts()
  expect(recovery).toHaveLength(10)
  await pictures('me-recovery')
  await page.keyboard.press('Enter')
  await page.getByText('10 recovery codes are left').waitFor()
  // The key is nowhere any more.
  expect(await page.content()).not.toContain(key)
})

test('the sign-in asks for a code, keeps what was typed, and takes a pasted one', async () => {
  await button('Your account: Vera Lund').press('Enter')
  await button('Sign out').press('Enter')
  await page.getByLabel('User name').fill('vera')
  await page.getByLabel('Password').fill(vera.password)
  await page.keyboard.press('Enter')
  const code = page.getByLabel('Code')
  await code.waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name'), SOON).toBe('code')
  await pictures('login-code')
  await page.keyboard.type('123456')
  await page.keyboard.press('Enter')
  await page.getByText('This code is wrong, or was used before.').waitFor()
  expect(await page.getByLabel('Password').inputValue()).toBe(vera.password)
  await page.keyboard.insertText(recovery[0]!)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').first().waitFor()
})

test('it is turned off with the password and a recovery code', async () => {
  await page.goto(`${place.url}/me`)
  await page.getByText('9 recovery codes are left').waitFor()
  await button('Turn off …').press('Enter')
  await page.getByLabel('Password').fill(vera.password)
  await page.getByLabel('Code of the app, or a recovery code').fill(recovery[1]!)
  await page.keyboard.press('Enter')
  await page.getByText('your password is enough').waitFor()
  // Refused passwords and codes are answers.
  expect(faults.filter((fault) => !/status of 40[03]/.test(fault))).toEqual([])
})
