/** A shift that has ended stays so, also at a desk that was not told. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPassword, signIn } from '../../console/console-place.ts'
import { streamCutter } from '../../console/desk/stream-cutter.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { openPhonePlace, type PhonePlace } from './phone-place.ts'

let place: PhonePlace
let cutter: Awaited<ReturnType<typeof streamCutter>>

beforeAll(async () => {
  place = await openPhonePlace()
  cutter = await streamCutter(place.it.place.settings.endpoint)
}, BROWSER_PATIENCE_MS)

afterAll(async () => {
  await place?.close()
  cutter?.close()
})

test('an agent who is logged out while the stream is cut is not logged in by the desk', async () => {
  const { it, openBrowser } = place
  const browser = await openBrowser([cutter.url])
  const page = await browser.page()
  const orders: string[] = []
  page.on('response', async (response) => {
    if (!response.url().endsWith('/agents/me/orders')) return
    orders.push(`${response.request().postDataJSON().type} ${response.status()}`)
  })
  await signIn(page, `${cutter.url}/desk`, { userName: 'anna', password: await newPassword('anna', it.place.env) })
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  expect(await it.becomes('anna', 'ready')).toBe(true)
  expect(orders).toEqual(['logIn 200'])

  cutter.hold()
  await it.order('anna', { type: 'logOut' })
  expect(await it.becomes('anna', 'loggedOut')).toBe(true)
  // The desk learns of the leg's end alone, and asks for a fresh one until it hears more.
  await expect.poll(() => orders.slice(1, 3), SOON).toEqual(['renewLeg 409', 'renewLeg 409'])
  expect(await it.stateOf('anna')).toBe('loggedOut')
  cutter.heal()
  await page.getByRole('button', { name: 'Start' }).waitFor()
  expect(new Set(orders.slice(1))).toEqual(new Set(['renewLeg 409']))

  await page.getByRole('button', { name: 'Start' }).press('Enter')
  expect(await it.becomes('anna', 'ready')).toBe(true)
  await browser.close()
})
