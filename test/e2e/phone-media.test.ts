/** A browser that is the phone, and its media in the hands of bad luck: 5.4 of the console's design, on a real switch. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../support/browser.ts'
import { type MediaRelay, mediaRelay } from '../support/media-relay.ts'
import { becomesTrue } from './campaign-live.ts'
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
  page = await place.openPage(undefined, [relay.script])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
})

afterEach(async () => {
  relay.heal()
  await page?.close()
  await place.it.order('anna', { type: 'logOut' })
  expect(await place.it.becomes('anna', 'loggedOut')).toBe(true)
})

afterAll(async () => {
  relay?.close()
  await place?.close()
})

const fails = (failure: string | undefined) =>
  becomesTrue(place.it.kit.clock, async () => (await viewOf(page)).failure === failure)

test('nothing comes from the other side: the page says which way, and says it no more when it comes again', async () => {
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  relay.drop('toPage')
  expect(await becomesTrue(place.it.kit.clock, async () => (await viewOf(page)).failure !== undefined)).toBe(true)
  expect((await viewOf(page)).failure).toBe('silentIn')
  relay.heal()
  expect(await fails(undefined)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  expect(await place.hears(callee.ear)).toBe(true)
  callee.hangUp()
})
