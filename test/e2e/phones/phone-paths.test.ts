/** A browser that is the phone, and takes another way to the switch while a leg is up: on a real switch. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { newPassword, signIn } from '../../console/console-place.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { type MediaRelay, mediaRelay } from '../../support/media-relay.ts'
import { openPhonePlace, type PhonePlace, viewOf } from './phone-place.ts'

let place: PhonePlace
let relay: MediaRelay
let page: Page

beforeAll(async () => {
  place = await openPhonePlace()
  relay = await mediaRelay()
}, BROWSER_PATIENCE_MS)

beforeEach(async () => {
  relay.heal()
  page = await place.openPage(undefined, [relay.script()])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
})

afterEach(async () => {
  await place.leaves(page)
})

afterAll(async () => {
  relay?.close()
  await place?.close()
})

/** Longer than Asterisk learns from where the sound of a leg comes (`strictrtp`, 5 s): it takes no other then. */
const LEARNED_MS = 5_000

test('in a call: the callee hears the agent again, and the same two talk on', async () => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear, LEARNED_MS)).toBe(true)
  const { leg } = await viewOf(page)
  await relay.move(page)
  expect(await place.hears(callee.ear, 2_000)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  expect((await viewOf(page)).leg).not.toBe(leg)
  callee.hangUp()
  expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
})

test('at the desk, where the network swallows the order to listen: it is given again', async () => {
  const { settings, env } = place.it.place
  await place.leaves(page)
  page = await place.browser.page()
  await page.addInitScript({ content: relay.script() })
  await signIn(page, `${settings.endpoint}/desk`, { userName: 'anna', password: await newPassword('anna', env) })
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear, LEARNED_MS)).toBe(true)
  let given = 0
  await page.route('**/agents/me/orders', (route) =>
    route.request().postDataJSON().type === 'doubtPhone' && ++given === 1 ? route.abort() : route.continue(),
  )
  await relay.move(page)
  expect(await place.hears(callee.ear, 2_000)).toBe(true)
  expect(given).toBeGreaterThan(1)
  callee.hangUp()
})

test('while an agent waits: the next callee hears her', async () => {
  const before = await place.calls()
  expect(await place.hears(before.callee.ear, LEARNED_MS)).toBe(true)
  before.callee.hangUp()
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  await relay.move(page)
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  callee.hangUp()
})
