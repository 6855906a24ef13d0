/** The desk whose browser is the phone: a shift that is refused, and a call during which its agent looks elsewhere. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPassword, signIn } from '../../console/console-place.ts'
import { streamCutter } from '../../console/desk/stream-cutter.ts'
import { BROWSER_PATIENCE_MS, type TestBrowser } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
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
let cutter: Awaited<ReturnType<typeof streamCutter>>
let browser: TestBrowser
let page: Page
/** The status of each answer of the page to an INVITE. */
const answers: string[] = []

beforeAll(async () => {
  place = await openPhonePlace()
  cutter = await streamCutter(place.it.place.settings.endpoint)
  browser = await place.openBrowser([cutter.url])
  page = await browser.page()
  await page.addInitScript({ content: NOTES })
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const [, status] = /^SIP\/2\.0 (\d{3}) [\s\S]*^CSeq: *\d+ INVITE/im.exec(String(payload)) ?? []
      if (status !== undefined) answers.push(status)
    }),
  )
  const { env } = place.it.place
  await signIn(page, `${cutter.url}/desk`, { userName: 'anna', password: await newPassword('anna', env) })
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  cutter?.close()
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

/** By `g` and its letter. */
async function goes(letter: string, heading: string): Promise<void> {
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('g')
  await page.keyboard.press(letter)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}
const isOpen = () => page.evaluate(`tracks.some((one) => one.readyState === 'live' && one.enabled)`)

test('a call that comes while its agent looks at another page beeps, and shows the desk: they are heard', async () => {
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  await goes('c', 'Calls')
  await page.evaluate('notes.length = 0')
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  await page.getByRole('textbox', { name: 'Note' }).waitFor()
  expect(await page.evaluate('notes')).toContain('beep')
  callee.hangUp()
})

test('a call that ends while its agent looks at another page closes the microphone', async () => {
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  await goes('m', 'You')
  expect(await isOpen()).toBe(true)
  callee.hangUp()
  await expect.poll(isOpen, SOON).toBe(false)
  await page.getByRole('heading', { name: 'You', level: 1 }).waitFor()
})

test('whoever writes when a call comes is heard and told, and a key leads to the desk', async () => {
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  await goes('c', 'Calls')
  await page.getByRole('textbox').first().pressSequentially('45')
  const { callee } = await place.calls()
  await page.getByRole('alert').getByText('There is a call for you.').waitFor()
  expect(await place.hears(callee.ear)).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Note' }).waitFor()
  callee.hangUp()
})

test('a fresh leg is answered while its agent looks at another page', async () => {
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  await goes('c', 'Calls')
  const before = answers.length
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await expect.poll(() => answers.slice(before).filter((one) => /^[2-6]/.test(one)), SOON).toEqual(['200'])
  expect(await place.hears(callee.ear)).toBe(true)
  callee.hangUp()
})

test('an agent who is logged out meanwhile, and looks at another page, has no phone any more', async () => {
  const { it } = place
  expect(await it.becomes('anna', 'ready')).toBe(true)
  await goes('d', 'Desk')
  cutter.hold()
  await goes('m', 'You')
  const ended = page.waitForRequest((request) => request.method() === 'DELETE' && request.url().includes('/me/phone?'))
  await it.order('anna', { type: 'logOut' })
  expect(await it.becomes('anna', 'loggedOut')).toBe(true)
  cutter.heal()
  await ended
  expect(await page.evaluate(`tracks.filter(({ readyState }) => readyState === 'live').length`)).toBe(0)
  await goes('d', 'Desk')
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  expect(await it.becomes('anna', 'ready')).toBe(true)
})

test('the end of a shift that is slow to arrive does not end the next one', async () => {
  const { it } = place
  expect(await it.becomes('anna', 'ready')).toBe(true)
  const answered: string[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('/me/phone')) answered.push(response.request().method())
  })
  const { promise: isHeld, resolve } = Promise.withResolvers<() => Promise<void>>()
  await page.route('**/me/phone?*', (route) => resolve(() => route.continue()))
  await it.order('anna', { type: 'logOut' })
  const arrives = await isHeld
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await expect.poll(() => page.evaluate(`tracks.some(({ readyState }) => readyState === 'live')`), SOON).toBe(true)
  await arrives()
  expect(await it.becomes('anna', 'ready')).toBe(true)
  expect(answered).toEqual(['DELETE', 'POST'])
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
