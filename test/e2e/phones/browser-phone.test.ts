/** An agent whose phone is a real browser, on a real switch, with people who call and are called. */
import type { Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RtpEar } from '../../../demo/sip/rtp-ear.ts'
import { callIn } from '../../../demo/sip/sipp-phone.ts'
import type { PhoneView } from '../../../src/console/phone/phone-view.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import type { FaultProxy } from '../../support/fault-proxy.ts'
import { becomesTrue } from '../campaign-live.ts'
import type { CampaignService } from '../campaign-service.ts'
import { AGENT_HZ, CALLEE_HZ, LINE, openPhonePlace, type PhonePlace, viewOf } from './phone-place.ts'

let place: PhonePlace
let it: CampaignService
let line: FaultProxy
let page: Page

beforeAll(async () => {
  place = await openPhonePlace()
  it = place.it
  line = place.line
}, BROWSER_PATIENCE_MS)

beforeEach(async () => {
  page = await place.openPage()
  if (await it.becomes('anna', 'ready')) return
  throw new Error(`anna is ${await it.stateOf('anna')}, and her page has ${JSON.stringify(await viewOf(page))}`)
})

afterEach(async () => {
  await place.leaves(page)
})

afterAll(() => place?.close())

/**
 * Loads the page again in a call, after which both sides hear each other. Returns a check that the phone was kept.
 *
 * The engine listens for 0.6 s and then plays music (calls-and-flows-85): a busy machine may not load a page so soon.
 * But the other side waits for this agent alone; and where the page has asked for a fresh leg, and the engine has said
 * yes, the phone is not lost any more.
 */
async function loadedAgain(ear: RtpEar): Promise<() => void> {
  const before = it.logged.length
  let promised: number | undefined
  const note = (answer: Response) => {
    const isPromise = answer.ok() && answer.request().postData()?.includes('renewLeg')
    if (isPromise) promised ??= it.logged.length
  }
  page.on('response', note)
  await page.reload()
  expect(await place.hears(ear)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  page.off('response', note)
  return () => {
    const told = (from: number) => it.logged.slice(from).filter((one) => one.includes("agent's phone"))
    expect(told(before).filter((one) => one.includes('next agent'))).toEqual([])
    // Without a promise the engine had called the phone anew itself, because it was lost.
    if (promised === undefined) expect(told(before)).not.toEqual([])
    else expect(told(promised)).toEqual([])
  }
}

/** All failures that the page has shown since it was loaded, `undefined` for none. */
const shownBy = (of: Page) =>
  of.evaluate(() => (globalThis as never as { views: readonly PhoneView[] }).views.map(({ failure }) => failure))

test('a callee and an agent in a browser hear each other, and the agent hangs up', async () => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  await page.evaluate(() => (globalThis as never as { hangUp(): Promise<unknown> }).hangUp())
  expect(await callee.ended).toBe('switch')
  expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
  expect(await viewOf(page)).toMatchObject({ state: 'live' })
})

test('the callee hangs up, and the leg stays up for the next call', async () => {
  const { leg } = await viewOf(page)
  for (let call = 0; call < 2; call++) {
    const { itcaId, callee } = await place.calls()
    expect(await place.hears(callee.ear)).toBe(true)
    callee.hangUp()
    expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
  }
  expect(await viewOf(page)).toMatchObject({ state: 'live', leg })
})

test('a page that is loaded again in a call keeps the callee', async () => {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  const expectKept = await loadedAgain(callee.ear)
  callee.hangUp()
  expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
  expectKept()
})

test('a cut SIP connection heals, and the end of the leg is heard after it', async () => {
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  place.sip.length = 0
  line.cut()
  // It may be over between two looks: the page keeps what it showed.
  expect(await becomesTrue(it.kit.clock, async () => (await shownBy(page)).includes('deaf'))).toBe(true)
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).failure === undefined)).toBe(true)
  // The leg goes on by a negotiation of ours; no other leg came in its place.
  expect(place.sip).toContain('200 INVITE')
  expect(place.sip).not.toContain('INVITE')
  expect(await place.hears(callee.ear)).toBe(true)
  callee.hangUp()
  await page.evaluate(() => (globalThis as never as { hearSipOnly(): void }).hearSipOnly())
  place.sip.length = 0
  await it.order('anna', { type: 'logOut' })
  // Without the renegotiation it goes to the connection of before.
  expect(await becomesTrue(it.kit.clock, () => place.sip.includes('BYE'))).toBe(true)
})

test('a switch that takes the connection and answers nothing is given up for another connection', async () => {
  const { leg } = await viewOf(page)
  line.swallow()
  expect(await becomesTrue(it.kit.clock, () => line.swallowed() > 0)).toBe(true)
  // Of the connections to come.
  line.heal()
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).failure === undefined)).toBe(true)
  expect((await viewOf(page)).leg).toBe(leg)
})

test('a connection that goes silent in a call is left for another one once it must be registered again', async () => {
  // Minutes of the page pass at a word of the test.
  await page.clock.install()
  await page.reload()
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).state === 'live')).toBe(true)
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  const { leg } = await viewOf(page)
  line.silence()
  place.sip.length = 0
  // The registration is made anew within 90 s of 120, and given up after 32 s (RFC 3261, timer F).
  await page.clock.fastForward(90_000)
  await page.clock.fastForward(33_000)
  expect(await becomesTrue(it.kit.clock, () => place.sip.includes('200 REGISTER'))).toBe(true)
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).failure === undefined)).toBe(true)
  expect((await viewOf(page)).leg).toBe(leg)
  expect(await place.hears(callee.ear)).toBe(true)
  callee.hangUp()
  line.cut()
})

test('while SIP is away the switch ends the leg, and the phone comes back', async () => {
  const { leg } = await viewOf(page)
  line.refuse()
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).failure === 'deaf')).toBe(true)
  const { url, user, password } = it.service.asterisk!.ari
  const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` }
  expect((await fetch(`${url}/ari/channels/${leg}`, { method: 'DELETE', headers })).status).toBe(204)
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).state !== 'live')).toBe(true)
  line.heal()
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).state === 'live')).toBe(true)
  expect((await viewOf(page)).leg).not.toBe(leg)
  expect(await it.becomes('anna', 'ready')).toBe(true)
})

test('a caller stays with an agent whose page is loaded again twice', async () => {
  const caller = await callIn({
    kit: it.kit,
    target: it.place.sip,
    from: it.place.carrier.host,
    called: LINE,
    caller: '+4556000002',
    person: { hangsUpAfterMs: 15_000 },
    toneHz: CALLEE_HZ,
    listensFor: [AGENT_HZ],
  })
  expect(await place.hears(caller.ear)).toBe(true)
  const expectKeptOnce = await loadedAgain(caller.ear)
  expectKeptOnce()
  const expectKeptAgain = await loadedAgain(caller.ear)
  expect(await caller.result).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
  expectKeptAgain()
})

test('a second browser takes the phone over in a call, and the first one is told', async () => {
  const { callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  const other = await place.openBrowser()
  const first = page
  page = await place.openPage(other)
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).failure === 'elsewhere')).toBe(true)
  expect(await place.hears(callee.ear)).toBe(true)
  await page.evaluate(() =>
    (globalThis as never as { phone: { send(event: object): void } }).phone.send({ type: 'takeOver' }),
  )
  expect(await becomesTrue(it.kit.clock, async () => (await viewOf(page)).state === 'live')).toBe(true)
  expect(await viewOf(first)).toMatchObject({ state: 'locked', failure: 'elsewhere' })
  expect(await place.hears(callee.ear)).toBe(true)
  callee.hangUp()
  await other.close()
  await first.close()
})
