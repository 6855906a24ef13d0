/** A browser that is the phone, and what can be wrong with its microphone. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS, type TestBrowser } from '../../support/browser.ts'
import { becomesTrue } from '../campaign-live.ts'
import { openPhonePlace, type PhonePlace, viewOf } from './phone-place.ts'

/**
 * A microphone that the test pulls: the track ends, and none is found until it is back. Another program may have it:
 * Chromium's own devices of tests are always there and always free.
 */
const PULLED = `{
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  let failure
  let track
  navigator.mediaDevices.getUserMedia = async (asked) => {
    if (failure) throw new DOMException('of the test', failure)
    const stream = await real(asked)
    track = stream.getAudioTracks()[0]
    return stream
  }
  globalThis.microphone = {
    fail(name) {
      failure = name
      track?.dispatchEvent(new Event('ended'))
    },
    back() {
      failure = undefined
      navigator.mediaDevices.dispatchEvent(new Event('devicechange'))
    },
  }
}`

/** A browser that asks the person first: they answer when the test says so. */
const ASKED = `{
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  const { promise, resolve } = Promise.withResolvers()
  globalThis.streams = []
  globalThis.allow = resolve
  navigator.mediaDevices.getUserMedia = async (asked) => {
    const stream = await real(asked)
    await promise
    streams.push(stream)
    return stream
  }
}`

let place: PhonePlace
let page: Page | undefined
let other: TestBrowser | undefined

beforeAll(async () => {
  place = await openPhonePlace()
}, BROWSER_PATIENCE_MS)

afterEach(async () => {
  await page?.close()
  await other?.close()
  other = undefined
  await place.it.order('anna', { type: 'logOut' })
  expect(await place.it.becomes('anna', 'loggedOut')).toBe(true)
})

afterAll(() => place?.close())

const shows = (failure: string | undefined) =>
  becomesTrue(place.it.kit.clock, async () => (await viewOf(page!)).failure === failure)

test('a browser without a microphone says so, and nobody is logged in', async () => {
  other = await place.openBrowser([], 'none')
  page = await place.openPage(other)
  expect(await shows('microphone.notFound')).toBe(true)
  expect(await viewOf(page)).toMatchObject({ state: 'blocked' })
  expect(await place.it.stateOf('anna')).toBe('loggedOut')
})

test.each([
  ['NotReadableError', 'microphone.inUse'],
  ['NotAllowedError', 'microphone.refused'],
])('%s: %s; when that is over the phone comes by itself', async (name, failure) => {
  page = await place.openPage(undefined, [PULLED, `microphone.fail('${name}')`])
  expect(await shows(failure)).toBe(true)
  await page.evaluate('microphone.back()')
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
})

test('whoever takes the phone here again before they have allowed the microphone has it open once', async () => {
  page = await place.openPage(undefined, [ASKED])
  const isChecking = async () => (await viewOf(page!)).state === 'checking'
  expect(await becomesTrue(place.it.kit.clock, isChecking)).toBe(true)
  await page.evaluate(`phone.send({ type: 'lock.lost' })`)
  expect(await shows('elsewhere')).toBe(true)
  await page.evaluate(`phone.send({ type: 'takeOver' })`)
  expect(await becomesTrue(place.it.kit.clock, isChecking)).toBe(true)
  await page.evaluate('allow()')
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  const live = `streams.flatMap((one) => one.getTracks()).filter(({ readyState }) => readyState === 'live').length`
  expect(await page.evaluate(`[streams.length, ${live}]`)).toEqual([2, 1])
})

test('a headset that is pulled in a call and put back is heard again, on the same leg', async () => {
  page = await place.openPage(undefined, [PULLED])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  const { leg } = await viewOf(page)
  await page.evaluate(`microphone.fail('NotFoundError')`)
  expect(await shows('microphone.missing')).toBe(true)
  await page.evaluate('microphone.back()')
  expect(await shows(undefined)).toBe(true)
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await viewOf(page)).toMatchObject({ state: 'live', leg })
  callee.hangUp()
})

test('a headset that is put back after the leg is gone is heard again: no leg is answered without one', async () => {
  page = await place.openPage(undefined, [PULLED])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  await page.evaluate(`microphone.fail('NotFoundError')`)
  expect(await shows('microphone.missing')).toBe(true)
  // As a network that comes back: the engine calls the page anew.
  await page.evaluate(`phone.send({ type: 'network.changed' })`)
  expect(await shows('microphone.notFound')).toBe(true)
  await page.evaluate('microphone.back()')
  expect(await shows(undefined)).toBe(true)
  expect(await place.hears(callee.ear)).toBe(true)
  callee.hangUp()
})
