/** A browser that is the phone, and its media in the hands of bad luck: on a real switch. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CarrierContact } from '../../../demo/sip/sip-carrier.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { type MediaRelay, mediaRelay } from '../../support/media-relay.ts'
import { becomesTrue } from '../campaign-live.ts'
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
  page = await openPage()
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

const openPage = () => place.openPage(undefined, [relay.script()])

/** The music of the switch is neither silence nor anybody's tone. */
const hearsMusic = ({ ear }: CarrierContact) => ear.whenHeard('sound', ear.heard.soundMs + 600)

const fails = (failure: string | undefined) =>
  becomesTrue(place.it.kit.clock, async () => (await viewOf(page)).failure === failure)

test('nothing comes from the other side: the page says which way, until it comes again', async () => {
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

test('no media either way: the callee hears music, and the same two talk on by themselves', async () => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  relay.drop('both')
  await expect.poll(() => place.it.logged.some((one) => one.includes('waits with music'))).toBe(true)
  await hearsMusic(callee)
  relay.heal()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  callee.hangUp()
  expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
})

test('a tab is closed in a call and opened again: music, and the same two talk on', async () => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  await page.close()
  await hearsMusic(callee)
  page = await openPage()
  expect(await place.hears(callee.ear)).toBe(true)
  callee.hangUp()
  expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
})
