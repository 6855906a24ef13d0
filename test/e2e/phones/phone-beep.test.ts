/** The beep before a call, and the microphone that is heard after it: a browser that is the phone, on a real switch. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { becomesTrue } from '../campaign-live.ts'
import { AGENT_HZ, openPhonePlace, type PhonePlace, viewOf } from './phone-place.ts'

/** Writes down what happens, in its order: the row of the call, the beep and its end, the microphone. */
const NOTES = `{
  globalThis.notes = []
  const start = OscillatorNode.prototype.start
  const stop = OscillatorNode.prototype.stop
  OscillatorNode.prototype.start = function (when) {
    this.addEventListener('ended', () => notes.push('beep ended'))
    this.beganS = when
    notes.push('beep of ' + this.frequency.value + ' Hz')
    start.call(this, when)
  }
  OscillatorNode.prototype.stop = function (when) {
    notes.push(Math.round(1000 * (when - this.beganS)) + ' ms')
    stop.call(this, when)
  }
  const enabled = Object.getOwnPropertyDescriptor(MediaStreamTrack.prototype, 'enabled')
  Object.defineProperty(MediaStreamTrack.prototype, 'enabled', {
    get: enabled.get,
    set(isOpen) {
      // A copy is for its level, and goes nowhere.
      if (isOpen && !this.isCopy) notes.push('microphone')
      enabled.set.call(this, isOpen)
    },
  })
  const clone = MediaStreamTrack.prototype.clone
  MediaStreamTrack.prototype.clone = function () {
    return Object.assign(clone.call(this), { isCopy: true })
  }
  const { prototype } = MessageEvent
  const data = Object.getOwnPropertyDescriptor(prototype, 'data')
  Object.defineProperty(prototype, 'data', {
    get() {
      const text = data.get.call(this)
      if (String(text).startsWith('{"type":"call"')) notes.push('call')
      return text
    },
  })
}`

let place: PhonePlace
let page: Page | undefined

beforeAll(async () => {
  place = await openPhonePlace()
}, BROWSER_PATIENCE_MS)

afterEach(async () => {
  await place.it.order('anna', { type: 'hangUp' })
  await place.leaves(page)
})

afterAll(() => place?.close())

const notes = () => page!.evaluate<string[]>('notes')

async function opened(...scripts: string[]): Promise<void> {
  page = await place.openPage(undefined, [NOTES, ...scripts])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  await page.evaluate('notes.length = 0')
}

test('a call that comes beeps for 150 ms, and then the agent is heard', async () => {
  await opened()
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await notes()).toEqual(['call', 'beep of 880 Hz', '150 ms', 'beep ended', 'microphone'])
  callee.hangUp()
})

test('a page that is loaded again in the call does not beep', async () => {
  await opened()
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  await page!.reload()
  expect(await place.hears(callee.ear)).toBe(true)
  expect((await notes()).filter((one) => one.startsWith('beep'))).toEqual([])
  callee.hangUp()
})

test('an agent who is muted hears the beep, is not heard after it, and reads so when they speak', async () => {
  await opened()
  await page!.evaluate(`phone.send({ type: 'mute', isMuted: true })`)
  const { callee } = await place.calls()
  expect(await becomesTrue(place.it.kit.clock, async () => (await notes()).includes('beep ended'))).toBe(true)
  expect(await place.pageHears(page!)).toBe(true)
  // Their microphone hears a tone that nobody else does.
  expect(await becomesTrue(place.it.kit.clock, async () => (await viewOf(page!)).failure === 'muted')).toBe(true)
  expect(await notes()).not.toContain('microphone')
  expect(callee.ear.heardTone(AGENT_HZ)).toBe(0)
  await page!.evaluate(`phone.send({ type: 'mute', isMuted: false })`)
  expect(await place.hears(callee.ear)).toBe(true)
  expect((await viewOf(page!)).failure).toBeUndefined()
  callee.hangUp()
})

test('whoever has chosen no beep is heard at once', async () => {
  await opened(`localStorage.setItem('sb-beep', 'off')`)
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await notes()).toEqual(['call', 'microphone'])
  callee.hangUp()
})
