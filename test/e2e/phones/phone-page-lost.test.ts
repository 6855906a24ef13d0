/** A page that is lost in a call and comes back, on a real switch: what the callee and the recording have of it. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { fetchRecording, tonesOf } from '../recorded-channels.ts'
import { AGENT_HZ, CALLEE_HZ, openPhonePlace, type PhonePlace } from './phone-place.ts'

/** What both say after the page is back, at least. */
const TAIL_MS = 2_000
/** Two channels of 16 bit at 8 kHz. */
const TAIL_BYTES = (TAIL_MS / 1_000) * 8_000 * 2 * 2

let place: PhonePlace
let page: Page

beforeAll(async () => {
  place = await openPhonePlace()
}, BROWSER_PATIENCE_MS)

beforeEach(async () => {
  page = await place.openPage()
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
})

afterEach(async () => {
  await place.leaves(page)
})

afterAll(() => place?.close())

test.each([
  {
    how: 'crashes and is opened again',
    async lose() {
      const crashed = page.waitForEvent('crash')
      page.goto('chrome://crash').catch(() => undefined)
      await crashed
      await page.close()
    },
    async comeBack() {
      page = await place.openPage()
    },
  },
  {
    how: 'goes to another address and back',
    lose: () => page.goto('about:blank'),
    comeBack: () => page.goBack(),
  },
])('a page that $how keeps the callee, and both are on one recording afterwards', async ({ lose, comeBack }) => {
  const { itcaId, callee } = await place.calls({ recording: { mode: 'always' } })
  expect(await place.hears(callee.ear)).toBe(true)
  await lose()
  await callee.ear.whenHeard('sound', callee.ear.heard.soundMs + 1_500)
  await comeBack()
  expect(await place.pageHears(page)).toBe(true)
  expect(await place.hears(callee.ear, TAIL_MS)).toBe(true)
  callee.hangUp()
  const attempt = await place.endOf(itcaId)
  expect(attempt).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
  const calls = await place.it.client.ask('POST /svcems/calls/search', { body: { eactIds: [attempt.eactId!] } })
  expect(calls).toMatchObject([{ recordings: [{}] }])
  const { cfreId } = calls[0]!.recordings[0]!
  const { sound } = await fetchRecording(
    place.it.client,
    place.it.credentialOf('anna'),
    cfreId!,
    `bytes=-${TAIL_BYTES}`,
  )
  // Callee left, agent right, to the last second.
  expect(tonesOf(sound, [CALLEE_HZ, AGENT_HZ])).toEqual([
    [true, false],
    [false, true],
  ])
})
