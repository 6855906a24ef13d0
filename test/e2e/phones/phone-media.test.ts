/** A browser that is the phone, and its media in the hands of bad luck: on a real switch. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CarrierContact } from '../../../demo/sip/sip-carrier.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { type MediaRelay, mediaRelay } from '../../support/media-relay.ts'
import { becomesTrue } from '../campaign-live.ts'
import { longestSilence } from './longest-silence.ts'
import { openPhonePlace, type PhonePlace, viewOf } from './phone-place.ts'

let place: PhonePlace
let relay: MediaRelay
let page: Page
/** Lines of the log before the test. */
let before: number

beforeAll(async () => {
  place = await openPhonePlace()
  relay = await mediaRelay()
}, BROWSER_PATIENCE_MS)

beforeEach(async () => {
  relay.heal()
  before = place.it.logged.length
  page = await openPage()
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
})

afterEach(async () => {
  relay.heal()
  await place.leaves(page)
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

const logged = (words: string) => place.it.logged.slice(before).some((one) => one.includes(words))
const hasMusic = () => logged('waits with music')

test('media is away for 2 s: a gap, and nothing else', async () => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  const { leg } = await viewOf(page)
  relay.drop('both')
  // 50 packets of sound a second.
  expect(await becomesTrue(place.it.kit.clock, () => relay.droppedToSwitch() >= 100)).toBe(true)
  relay.heal()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  expect(await viewOf(page)).toMatchObject({ state: 'live', leg })
  expect(hasMusic()).toBe(false)
  callee.hangUp()
  expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
})

test.each([
  [9, 2],
  [16, 3],
])('media is away for %i s and more: music, and the same two talk on at call %i of the phone', async (_, calls) => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  place.sip.length = 0
  relay.drop('both')
  await hearsMusic(callee)
  expect(hasMusic()).toBe(true)
  const invites = () => place.sip.filter((word) => word === 'INVITE').length
  expect(await becomesTrue(place.it.kit.clock, () => invites() === calls)).toBe(true)
  relay.heal()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  callee.hangUp()
  expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
})

test('media stays away: the callee hears why and is let go, and the agent is ready when it is back', async () => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  relay.drop('both')
  expect(await callee.ended).toBe('switch')
  expect(await place.endOf(itcaId)).toMatchObject({ agent: { name: 'anna' } })
  relay.heal()
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  const next = await place.calls()
  expect(await place.hears(next.callee.ear)).toBe(true)
  next.callee.hangUp()
})

test('an idle agent whom nothing reaches is not ready, and comes back by herself', async () => {
  relay.drop('toPage')
  expect(await becomesTrue(place.it.kit.clock, async () => (await place.it.stateOf('anna')) !== 'ready')).toBe(true)
  relay.heal()
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  callee.hangUp()
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

test('a tab is closed in a call for good: until the callee is let go there is no second of silence', async () => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  const silenceMs = longestSilence(place.it.kit.clock, callee)
  await page.close()
  expect(await callee.ended).toBe('switch')
  expect(await silenceMs).toBeLessThan(1_000)
  expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
  page = await openPage()
})

test('a page that sends for a moment longer than its connection lasts: there is no second of silence', async () => {
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  place.line.refuse()
  // The engine has looked once by then, and heard it.
  expect(await place.hears(callee.ear)).toBe(true)
  const silenceMs = longestSilence(place.it.kit.clock, callee)
  relay.drop('both')
  await hearsMusic(callee)
  callee.hangUp()
  expect(await silenceMs).toBeLessThan(1_000)
  place.line.heal()
  relay.heal()
})
