/** Two agents at their desks and who answers: a conversation each, and nothing to see for whoever has none (U4). */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PhoneNumber } from '../../../src/kernel/ids.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { importTasks } from '../campaign-live.ts'
import { openPhonePlace, type PhonePlace } from './phone-place.ts'

const AGENTS = ['anna', 'ben']
const PAIRS = 3
/** Keeps each state that the strip has shown since. */
const WATCH = `(() => {
  const now = () => document.querySelector('section[data-state]')?.dataset.state
  globalThis.states = [now()]
  const look = () => now() === states.at(-1) || states.push(now())
  globalThis.watch?.disconnect()
  globalThis.watch = new MutationObserver(look)
  watch.observe(document.body, { subtree: true, childList: true, attributes: true })
})()`

let place: PhonePlace
const desks = new Map<string, Page>()
let lastNumber = 33_600_000

beforeAll(async () => {
  place = await openPhonePlace(AGENTS)
  for (const userName of AGENTS) desks.set(userName, await place.desk(userName))
}, BROWSER_PATIENCE_MS)

beforeEach(async () => {
  await everyDesk('ready')
  for (const page of desks.values()) await page.evaluate(WATCH)
})

afterAll(() => place?.close())

const shown = (userName: string): Promise<readonly string[]> => desks.get(userName)!.evaluate('states')
const stateOf = (page: Page) => page.locator('section[data-state]').getAttribute('data-state')

async function everyDesk(state: string): Promise<void> {
  const states = () => Promise.all([...desks.values()].map(stateOf))
  await expect.poll(states, SOON).toEqual(AGENTS.map(() => state))
  const onNode = () => Promise.all(AGENTS.map((one) => place.it.stateOf(one)))
  await expect.poll(onNode, SOON).toEqual(AGENTS.map(() => state))
}

test('one person answers: one agent has them, and the other desk shows ready all the time', async () => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  callee.hangUp()
  const ended = await place.endOf(itcaId)
  expect(ended.resultName).toBe('ANSWERED')
  const [busy, idle] = AGENTS.toSorted((one) => (one === ended.agent?.name ? -1 : 1))
  await expect.poll(async () => (await shown(busy!)).at(-1), SOON).toBe('ready')
  expect(await shown(busy!)).toContain('talking')
  expect(await shown(idle!)).toEqual(['ready'])
})

test.for(Array.from({ length: PAIRS }, (_, pair) => pair))(
  'two answer at once, pair %i: each agent has one',
  async () => {
    const callCode = await place.campaign({})
    const numbers = [0, 0].map(() => `+45${++lastNumber}` as PhoneNumber)
    const calls = numbers.map((number) => place.meets(number, { does: 'answer', ringsAfterMs: 0, afterMs: 1_000 }))
    const tasks = await importTasks(
      place.it.client,
      callCode,
      numbers.map((number) => ({ numbers: [number], caseNumber: number.slice(-4) })),
    )
    const callees = await Promise.all(calls)
    await everyDesk('talking')
    for (const { ear } of callees) expect(await place.hears(ear)).toBe(true)
    for (const callee of callees) callee.hangUp()
    const ends = await place.endsOf(tasks)
    expect(ends.map(({ resultName }) => resultName)).toEqual(['ANSWERED', 'ANSWERED'])
    expect(ends.map(({ agent }) => agent?.name).toSorted()).toEqual(AGENTS)
    await everyDesk('ready')
    for (const one of AGENTS) expect((await shown(one)).filter((state) => state === 'talking')).toHaveLength(1)
  },
)
