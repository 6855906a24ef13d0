/** The desk whose browser is the phone: a shift that is refused, and a call during which its agent looks elsewhere. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPassword, signIn } from '../../console/console-place.ts'
import { BROWSER_PATIENCE_MS, type TestBrowser } from '../../support/browser.ts'
import { openPhonePlace, type PhonePlace } from './phone-place.ts'

/** Writes down each beep, and each time that the microphone is closed; keeps what it was given. */
const NOTES = `{
  globalThis.notes = []
  globalThis.tracks = []
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = async (asked) => {
    const stream = await real(asked)
    tracks.push(...stream.getTracks())
    return stream
  }
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (when) {
    notes.push('beep')
    start.call(this, when)
  }
  const enabled = Object.getOwnPropertyDescriptor(MediaStreamTrack.prototype, 'enabled')
  Object.defineProperty(MediaStreamTrack.prototype, 'enabled', {
    get: enabled.get,
    set(isOpen) {
      if (!isOpen) notes.push('closed')
      enabled.set.call(this, isOpen)
    },
  })
}`
const ORDERS = '**/agents/me/orders'
let place: PhonePlace
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  place = await openPhonePlace()
  browser = await place.openBrowser()
  page = await browser.page()
  await page.addInitScript({ content: NOTES })
  const { settings, env } = place.it.place
  await signIn(page, `${settings.endpoint}/desk`, { userName: 'anna', password: await newPassword('anna', env) })
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await place?.close()
})

test('a shift that the node refuses says why, and begins by itself when it may', async () => {
  const detail = 'You are logged in on another computer.'
  await page.route(ORDERS, (route) =>
    route.request().postDataJSON().type === 'logIn'
      ? route.fulfill({ status: 409, json: { title: 'conflict', status: 409, detail } })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await page.getByRole('alert').getByText(detail).waitFor()
  await page.unroute(ORDERS)
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  await page.getByRole('heading', { name: 'Ready' }).waitFor()
})

test('an agent who looks at another page in a call is heard all the time, and hears no beep', async () => {
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  await page.evaluate('notes.length = 0')
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.getByRole('heading', { name: 'You', level: 1 }).waitFor()
  expect(await place.hears(callee.ear)).toBe(true)
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.getByRole('textbox', { name: 'Note' }).waitFor()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await page.evaluate('notes')).toEqual([])
  callee.hangUp()
})

test('whoever signs out in a call is not heard any more', async () => {
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sign out')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const live = `tracks.filter(({ readyState }) => readyState === 'live').length`
  await expect.poll(() => page.evaluate(live)).toBe(0)
  callee.hangUp()
})
