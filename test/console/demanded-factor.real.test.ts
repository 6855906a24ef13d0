/** A role that needs a second factor, in a real browser: nothing but turning it on, then everything. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Credential, connect } from '../../src/client/client.ts'
import { codeAt } from '../../src/rest/access/one-time-code.ts'
import { tokenOf } from '../app/service-process.ts'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { SOON } from '../support/soon.ts'
import { type ConsolePlace, openConsolePlace, type Person } from './console-place.ts'
import { auditOf, picture, watched } from './page-checks.ts'

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

/** As a program signs on. */
async function signedOn({ userName, password }: Person): Promise<Credential> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ userName, password })
  const answer = await fetch(`http://127.0.0.1:${place.env['SSO_PORT']}/api/login`, { method: 'POST', headers, body })
  const { tokenv2, rcntrl, ccntrl } = (await answer.json()) as Credential
  return { tokenv2, rcntrl, ccntrl }
}

async function fillIn(path: string, { userName, password } = vera, at = page): Promise<void> {
  await at.goto(`${place.url}${path}`)
  await at.getByLabel('User name').fill(userName)
  await at.getByLabel('Password').fill(password)
  await at.keyboard.press('Enter')
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

test('who turned it on in another window goes on here, and is not asked to turn it off', async () => {
  const olga = await place.person('olga', 'Olga Lind', 'supervisor')
  const here = await place.browser.page()
  await fillIn('/board', olga, here)
  await here.getByRole('button', { name: 'Turn on …' }).waitFor(SOON)
  const there = connect({ ssoUrl: `http://127.0.0.1:${place.env['SSO_PORT']}`, credential: await signedOn(olga) })
  const { secret } = await there.ask('POST /rest/core/session/second-factor', { body: { password: olga.password } })
  const code = codeAt(secret, Math.floor(Date.now() / STEP_MS))
  await there.ask('PUT /rest/core/session/second-factor', { body: { code } })
  await here.getByRole('button', { name: 'Turn on …' }).press('Enter')
  await here.getByLabel('Password').fill(olga.password)
  await here.keyboard.press('Enter')
  await here.getByRole('alert').waitFor()
  await here.getByRole('button', { name: 'Cancel' }).press('Enter')
  await here.getByRole('heading', { name: 'Live board', level: 1 }).waitFor(SOON)
  await here.close()
})

test('a factor that an administrator takes away is owed again, by the page that is open', async () => {
  const ssoUrl = `http://127.0.0.1:${place.env['SSO_PORT']}`
  const system = connect({ ssoUrl, credential: await tokenOf(place.env, '--name', 'integrator') })
  await system.ask('DELETE /rest/core/users/{userName}/second-factor', { params: { userName: 'vera' } })
  // The live stream ends, and the page asks for another one.
  await heading('Turn on a second factor').waitFor(SOON)
  expect(faults.filter((fault) => !/status of 40[13]/.test(fault))).toEqual([])
})
