/** Five agents at the desk, in conversations by their browsers, and what they stand on is killed (U12). */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CarrierContact } from '../../../demo/sip/sip-carrier.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { openPhonePlace, type PhonePlace } from './phone-place.ts'

const AGENTS = ['anna', 'ben', 'carl', 'dora', 'erik']

let place: PhonePlace
const desks: Page[] = []

beforeAll(async () => {
  place = await openPhonePlace(AGENTS)
  for (const userName of AGENTS) desks.push(await place.desk(userName))
}, BROWSER_PATIENCE_MS)

beforeEach(() => everyDesk('ready'))

afterAll(() => place?.close())

/** What each shows, and what the board would show of each. */
async function everyDesk(state: string): Promise<void> {
  const all = AGENTS.map(() => state)
  // The whole strip: what the phone says of itself tells why a state does not come.
  const strips = () => desks.map((page) => page.getByRole('region', { name: 'Your phone' }).innerText())
  const shown = async () => (await Promise.allSettled(strips())).map((strip) => JSON.stringify(strip).toLowerCase())
  await expect.poll(shown, SOON).toEqual(all.map(() => expect.stringMatching(`"value":"${state}\\\\n`)))
  if (state === 'ready') await expect.poll(states, { ...SOON, interval: 200 }).toEqual(all)
}

/** By one request: they are counted. */
async function states(): Promise<readonly string[]> {
  const known = await place.it.client.ask('GET /svcpbx/agents')
  return AGENTS.map((one) => known.find(({ userName }) => userName === one)?.state ?? 'loggedOut')
}

type Call = Awaited<ReturnType<PhonePlace['calls']>>

async function fiveCalls() {
  const calls: Call[] = []
  for (const _ of AGENTS) calls.push(await oneMoreCall(calls.length))
  await everyDesk('talking')
  return calls
}

/** Beside so many. A callee whom a busy machine does not bring to an agent in time is let go: then one more, once. */
async function oneMoreCall(before: number, isSecond = false): Promise<Call> {
  const call = await place.calls()
  let isOver = false
  void call.callee.ended.then(() => {
    isOver = true
  })
  const talk = async () => (await states()).filter((state) => state === 'talking').length
  await expect.poll(async () => isOver || (await talk()) > before, { ...SOON, interval: 200 }).toBe(true)
  if (!isOver) return call
  expect([(await place.endOf(call.itcaId)).resultName, isSecond]).toEqual(['DROPPED', false])
  return oneMoreCall(before, true)
}

const isHeard = async ({ ear }: CarrierContact) => expect(await place.hears(ear)).toBe(true)

test('the node is started anew in five conversations: all go on, and every desk shows its own', async () => {
  const calls = await fiveCalls()
  await Promise.all(calls.map(({ callee }) => isHeard(callee)))
  await place.it.restart()
  await everyDesk('talking')
  await Promise.all(calls.map(({ callee }) => isHeard(callee)))
  for (const { callee } of calls) callee.hangUp()
  const ends = await place.endsOf(calls.map(({ itcaId }) => itcaId))
  expect(ends.map(({ resultName }) => resultName)).toEqual(AGENTS.map(() => 'ANSWERED'))
  await everyDesk('ready')
})

test('the switch is killed in five conversations: they end, and every agent is ready again by herself', async () => {
  const calls = await fiveCalls()
  await place.it.service.asterisk!.kill()
  const ends = await place.endsOf(calls.map(({ itcaId }) => itcaId))
  expect(ends.map(({ resultName }) => resultName)).toEqual(AGENTS.map(() => 'ANSWERED'))
  await everyDesk('ready')
  const after = await fiveCalls()
  await Promise.all(after.map(({ callee }) => isHeard(callee)))
  for (const { callee } of after) callee.hangUp()
})
