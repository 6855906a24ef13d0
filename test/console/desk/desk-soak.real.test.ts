/**
 * One page of the desk through many calls: it does not grow (U25). DESK_SOAK_CALLS says how many; three hundred are
 * half an hour of short calls.
 */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { watched } from '../page-checks.ts'
import { type DeskPlace, openDeskPlace, stateOf } from './desk-place.ts'

const SOON = { interval: 20, timeout: 30_000 }
const CALLS = Number(process.env['DESK_SOAK_CALLS'])
/** Caches fill within these. */
const WARM = 10
const HEAP_GROWTH_MAX = 10_000_000
const SHORT = '01'
/** A campaign whose calls all end within a second is paused after some thirty; then people hang up after 3 s. */
const END = CALLS > 25 ? '09' : SHORT
const PER_CALL_MS = 20_000

let place: DeskPlace
let page: Page
let session: CDPSession
let faults: string[]

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  await place.desk(page)
  faults = watched(page)
  session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const becomes = (state: string) => expect.poll(() => stateOf(page), SOON).toBe(state)

/** What the page holds after a collection of garbage. */
async function held() {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)!.value
  return { bytes: of('JSHeapUsedSize'), listeners: of('JSEventListeners'), nodes: of('Nodes') }
}

test(
  `${CALLS} calls leave no more behind than the first ${WARM}`,
  async () => {
    const callCode = await place.campaign({ script: 'Is this {name}?' }, [{ name: 'Paid', key: '1' }])
    await page.getByRole('button', { name: 'Start' }).press('Enter')
    await becomes('ready')
    const numbers = Array.from({ length: CALLS }, (_, at) => `+4520${String(1_000 + at)}${END}`)
    await place.people(callCode, numbers)
    let warm: Awaited<ReturnType<typeof held>> | undefined
    for (const at of numbers.keys()) {
      await becomes('talking')
      await page.keyboard.type('said')
      if (END === SHORT) await page.keyboard.press('F8')
      await becomes('wrap-up')
      await page.getByRole('radio', { name: /Paid/ }).press('1')
      await page.keyboard.press('Enter')
      await expect.poll(() => stateOf(page), SOON).not.toBe('wrap-up')
      if (at + 1 === WARM) warm = await held()
    }
    await becomes('ready')
    const last = await held()
    process.stdout.write(`after ${WARM}: ${JSON.stringify(warm)}; after ${CALLS}: ${JSON.stringify(last)}\n`)
    expect(last.bytes - warm!.bytes).toBeLessThanOrEqual(HEAP_GROWTH_MAX)
    // The page may show one thing more than it did then; what is left behind by each call would be far more.
    expect(last.listeners).toBeLessThanOrEqual(warm!.listeners + 20)
    expect(last.nodes).toBeLessThanOrEqual(2 * warm!.nodes)
    expect(faults).toEqual([])
  },
  CALLS * PER_CALL_MS,
)
