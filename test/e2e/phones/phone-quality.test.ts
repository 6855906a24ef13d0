/** Poor sound in a browser that is the phone, on a real switch: what the agent, the board and the call say of it. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { type MediaRelay, mediaRelay } from '../../support/media-relay.ts'
import { becomesTrue } from '../campaign-live.ts'
import { openPhonePlace, type PhonePlace, viewOf } from './phone-place.ts'

/** A microphone that is muted at the headset: open, and without any sound. */
const FLAT = `{
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = async (asked) => {
    const stream = await real(asked)
    const context = new AudioContext()
    const headset = context.createMediaStreamDestination()
    context.createMediaStreamSource(stream).connect(new GainNode(context, { gain: 0 })).connect(headset)
    return headset.stream
  }
}`

let place: PhonePlace
let relay: MediaRelay
let page: Page | undefined

beforeAll(async () => {
  place = await openPhonePlace()
  relay = await mediaRelay()
}, BROWSER_PATIENCE_MS)

afterEach(async () => {
  relay.heal()
  await page?.close()
  await place.it.order('anna', { type: 'hangUp' })
  await place.it.order('anna', { type: 'logOut' })
  expect(await place.it.becomes('anna', 'loggedOut')).toBe(true)
})

afterAll(async () => {
  relay?.close()
  await place?.close()
})

const shows = (failure: string | undefined) =>
  becomesTrue(place.it.kit.clock, async () => (await viewOf(page!)).failure === failure)

/** The page of the call, by its activity. */
async function soundOfCall(itcaId: number) {
  await place.endOf(itcaId)
  const { calls } = await place.it.client.ask('GET /svcems/calls', { query: { limit: 1 } })
  const { sound } = await place.it.client.ask('GET /svcems/calls/{eactId}', {
    params: { eactId: String(calls[0]!.eactId) },
  })
  return sound
}

test('a tenth of the packets lost is told within a quarter of a minute, until the line is good, and kept', async () => {
  page = await place.openPage(undefined, [relay.script()])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  const { itcaId, callee } = await place.calls()
  expect(await place.pageHears(page)).toBe(true)
  relay.loseEvery(10)
  expect(await shows('loss')).toBe(true)
  relay.heal()
  expect(await shows(undefined)).toBe(true)
  const told = await page.evaluate<{ what: string; lossPercent?: number }[]>('told')
  expect(told.map(({ what }) => what).filter((what, at, all) => what !== all[at - 1])).toEqual(['loss', 'good'])
  callee.hangUp()
  const [sound] = await soundOfCall(itcaId)
  expect(sound).toMatchObject({ userName: 'anna', silentIn: false, silentOut: false })
  expect(sound!.lossPercent).toBeGreaterThan(5)
})

test('a headset that is muted by its own switch is told when the other side has talked, and kept', async () => {
  page = await place.openPage(undefined, [relay.script(), FLAT])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  const { itcaId, callee } = await place.calls()
  expect(await place.pageHears(page)).toBe(true)
  expect(await shows('flat')).toBe(true)
  callee.hangUp()
  expect(await soundOfCall(itcaId)).toMatchObject([{ userName: 'anna', silentOut: true }])
})
