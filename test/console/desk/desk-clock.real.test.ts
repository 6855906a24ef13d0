/** A PC whose clock and zone are wrong: timers and promised times are the node's and the callee's (U26). */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { type DeskPlace, openDeskPlace, stateOf } from './desk-place.ts'

const HOUR_MS = 3_600_000
const ZONE = 'Europe/Copenhagen'
const OUTCOMES = [{ name: 'Call again', key: '1', needsCallBackDate: true }]
let place: DeskPlace
let callCode: number

beforeAll(async () => {
  place = await openDeskPlace()
  callCode = await place.campaign({}, OUTCOMES)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

/** What the page takes for the time. */
const wrongBy = (ms: number) => `{
  const Right = Date
  globalThis.Date = class extends Right {
    constructor(...given) {
      if (given.length === 0) super(Right.now() + ${ms})
      else super(...given)
    }
    static now() {
      return Right.now() + ${ms}
    }
  }
}`

async function pageAt(hours: number, timezoneId: string): Promise<Page> {
  const page = await place.browser.page()
  await page.addInitScript(wrongBy(hours * HOUR_MS))
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTimezoneOverride', { timezoneId })
  return place.desk(page)
}

const wallOf = (atMs: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' }).format(new Date(atMs))
const dayOf = (atMs: number) => new Intl.DateTimeFormat('en-GB', { timeZone: ZONE }).format(new Date(atMs))
const isTomorrow = (atMs: number) => dayOf(atMs) === dayOf(Date.now() + 24 * HOUR_MS)
/** Seconds of a text such as 4:59. */
const secondsOf = (text: string) => text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)

test.each([
  { hours: 3, zone: 'America/New_York', digits: '11' },
  { hours: -3, zone: 'Asia/Tokyo', digits: '22' },
])('a clock that is $hours h off, in $zone', async ({ hours, zone, digits }) => {
  const page = await pageAt(hours, zone)
  const becomes = (state: string) => expect.poll(() => stateOf(page), SOON).toBe(state)
  const strip = () => page.getByRole('region', { name: 'Your phone' }).innerText()
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await becomes('ready')
  const numbers = [`+45201${digits}109`, `+45201${digits}209`]
  const ids = await place.people(callCode, numbers)
  for (const [at, text, expected] of [
    [0, 'in 2 h', (atMs: number) => Math.abs(atMs - Date.now() - 2 * HOUR_MS) < HOUR_MS / 20],
    [1, 'tomorrow 10', (atMs: number) => wallOf(atMs) === '10:00' && isTomorrow(atMs)],
  ] as const) {
    const number = numbers[at]!
    await page.getByRole('heading', { name: `Debtor case-${number.slice(-4)}`, level: 2 }).waitFor(SOON)
    await becomes('wrap-up')
    const [, left = ''] = /ends in ([\d:]+)/.exec(await strip()) ?? []
    expect(secondsOf(left)).toBeGreaterThan(120)
    expect(secondsOf(left)).toBeLessThanOrEqual(300)
    // Since when: less than this test runs.
    expect(secondsOf(/\d+:\d\d(:\d\d)?/.exec(await strip())![0])).toBeLessThan(120)
    const contact = await page.getByRole('region', { name: 'Contact' }).innerText()
    expect([wallOf(Date.now()), wallOf(Date.now() - 60_000)]).toContain(/(\d\d:\d\d) Copenhagen/.exec(contact)?.[1])
    const task = ids[at]
    await page.getByRole('radio', { name: /Call again/ }).press('1')
    await page.getByRole('textbox', { name: 'Call back' }).fill(text)
    await page.getByRole('textbox', { name: 'Call back' }).press('Enter')
    const promised = async () => {
      const { callbacks } = await place.client.ask('GET /dialer/callbacks', { query: { callCode } })
      return callbacks.find(({ itcaId, follows }) => [itcaId, follows?.itcaId].includes(task))?.callBackTs
    }
    await expect.poll(promised, SOON).toBeTruthy()
    expect(expected(Date.parse((await promised())!)), `${text}: ${await promised()}`).toBe(true)
  }
  await becomes('ready')
  await page.getByRole('button', { name: 'Log out' }).press('Enter')
  await becomes('off')
  await page.close()
})
