/** A role that needs a second factor, in a real browser: nothing but turning it on, then everything. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/client/client.ts'
import { codeAt } from '../../src/rest/access/one-time-code.ts'
import { tokenOf } from '../app/service-process.ts'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { type ConsolePlace, openConsolePlace } from './console-place.ts'
import { auditOf, picture, watched } from './page-checks.ts'

const SOON = { interval: 50, timeout: 30_000 }
const STEP_MS = 30_000

let place: ConsolePlace
let vera: Awaited<ReturnType<ConsolePlace['person']>>
let page: Page
let faults: string[]

beforeAll(async () => {
  place = await openConsolePlace({ settings: { SECOND_FACTOR_ROLES: 'admin, supervisor' } })
  vera = await place.person('vera', 'Vera Lund', 'supervisor')
  page = await place.browser.page()
  faults = watched(page)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const heading = (name: string) => page.getByRole('heading', { name, level: 1 })

async function fillIn(path: string): Promise<void> {
  await page.goto(`${place.url}${path}`)
  await page.getByLabel('User name').fill('vera')
  await page.getByLabel('Password').fill(vera.password)
  await page.keyboard.press('Enter')
}

test('after the password only the second factor is shown, at every address, by keyboard', async () => {
  await fillIn('/board')
  await heading('Turn on a second factor').waitFor()
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    expect(await auditOf(page)).toEqual([])
    for (const width of [390, 1024, 1440]) await picture(page, `enrol-${theme}-${width}`, width)
  }
  for (const path of ['/', '/calls', '/me', '/desk']) {
    await page.goto(`${place.url}${path}`)
    await heading('Turn on a second factor').waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
  }
})

test('who signs out there comes back to the sign-in', async () => {
  await page.getByRole('button', { name: 'Sign out' }).press('Enter')
  await heading('Sign in').waitFor()
  await fillIn('/board')
  await heading('Turn on a second factor').waitFor()
})

test('with password, key, first code and kept recovery codes the page that was asked for is shown', async () => {
  await page.getByRole('button', { name: 'Turn on …' }).press('Enter')
  await page.getByLabel('Password').fill(vera.password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'Picture of the key for the app' }).waitFor()
  await picture(page, 'enrol-scan', 390)
  expect(await auditOf(page)).toEqual([])
  const key = (await page.locator('code').innerText()).replaceAll(' ', '')
  await page.getByLabel('Code that the app shows').fill(codeAt(key, Math.floor(Date.now() / STEP_MS)))
  await page.keyboard.press('Enter')
  await page.getByText('Keep these recovery codes').waitFor()
  expect(await auditOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').first().waitFor(SOON)
  expect(new URL(page.url()).pathname).toBe('/board')
  await heading('Live board').waitFor(SOON)
})

test('a factor that an administrator takes away is owed again, by the page that is open', async () => {
  const ssoUrl = `http://127.0.0.1:${place.env['SSO_PORT']}`
  const system = connect({ ssoUrl, credential: await tokenOf(place.env, '--name', 'integrator') })
  await system.ask('DELETE /rest/core/users/{userName}/second-factor', { params: { userName: 'vera' } })
  // The live stream ends, and the page asks for another one.
  await heading('Turn on a second factor').waitFor(SOON)
  expect(faults.filter((fault) => !/status of 40[13]/.test(fault))).toEqual([])
})
