/** §4.7, §6 a–c: the page of the external system opens for the agent, and the case number is on the call. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { Client } from '../../src/client/client.ts'
import { importTasks, makeCampaign, makeSystem } from './place/campaigns.ts'
import { integrator, openScreen, type Screen, type ScreenNews } from './place/doors.ts'
import { callerOf, carrierOf, phoneOf } from './place/phones.ts'

const systemCode = 'POPUPS'
const [ASKS_CASE, NO_QUESTION] = ['+4570005001', '+4570005002']
let client: Client
let itsyId: number
let callCode: number
let carrier: SipCarrier
let phone: SippAgentPhone
let pia: Screen

beforeAll(async () => {
  client = await integrator('popups')
  const template = 'https://debt.example/popup?caseNumber={$CODE}&phone={$CALLER}'
  itsyId = await makeSystem(client, systemCode, template)
  callCode = await makeCampaign(client, 'popups', itsyId, { dialMode: 'manual' })
  carrier = await carrierOf('popups', { contactOf: () => ({ does: 'answer', afterMs: 300 }) })
  phone = await phoneOf('pia')
  pia = await openScreen('pia')
})

afterAll(async () => {
  await pia?.close()
  await Promise.all([phone?.close(), carrier?.close()])
})

async function taskFor(number: string, systemLookupCode: string): Promise<number> {
  const callTasks = [{ callReceiverName: 'Paul Popup', callNumberList: [number], systemLookupCode }]
  const { callTasks: made } = await importTasks(client, { systemCode, callCode, callTasks })
  return made![0]!.itcaId
}

async function caller(number: string, called: string, presses: { afterMs: number; keys: string }[] = []) {
  const made = await callerOf('popups', { called, caller: number, person: { presses, waitsMaxMs: 60_000 } })
  onTestFinished(() => made.close())
  return made
}

/** The popup about this number: its reason and its page. */
async function popupAbout(number: string) {
  const isIt = ({ type, url = '' }: ScreenNews) => type === 'popup' && url.includes(encodeURIComponent(number))

  const { reason, url } = await pia.hears(isIt)

  return { reason, url }
}

const pageOf = (code: string, number: string) =>
  `https://debt.example/popup?caseNumber=${code}&phone=${encodeURIComponent(number)}`

/** The call with this number, once its end is among the events. */
async function endedCallOf(number: string) {
  const search = async () => {
    const { events } = await client.ask('GET /rest/core/events', { query: { limit: 1000 } })
    const eactIds = events.flatMap(({ type, phoneCallId }) => (type === 'phone-call.ended' ? (phoneCallId ?? []) : []))
    const calls = await client.ask('POST /svcems/calls/search', { body: { eactIds } })
    return calls.filter(({ callNumber, calledNumber }) => [callNumber, calledNumber].includes(number))
  }
  await expect.poll(search).toHaveLength(1)
  return (await search())[0]
}

/** The agent's hang-up, and ready again. */
async function talkEnds(): Promise<void> {
  const before = pia.news.length
  await expect
    .poll(() =>
      pia.order({ type: 'hangUp' }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await expect.poll(() => pia.news.slice(before).some(({ state }) => state === 'ready')).toBe(true)
}

test('who calls out on a call task gets its case [acc 22, 42, 231–233, 266 by HTTP, SIP, WebSocket]', async () => {
  const number = '+4520500101'
  const itcaId = await taskFor(number, 'A 7/1')
  await pia.order({ type: 'dial', itcaId })
  const { reason, url } = await popupAbout(number)
  expect([reason, url]).toEqual(['a', pageOf('A%207%2F1', number)])
  await carrier.contact(number as never)
  await talkEnds()
  expect(await endedCallOf(number)).toMatchObject({ systemLookupCode: 'A 7/1', externalSystem: { itsyId } })
})

test('a caller whose number is in a call task opens its case [acc 22, 79, 267 by HTTP, SIP, WebSocket]', async () => {
  const number = '+4520500102'
  await taskFor(number, 'B-2')
  await caller(number, NO_QUESTION)
  const { reason, url } = await popupAbout(number)
  expect([reason, url]).toEqual(['b', pageOf('B-2', number)])
  await talkEnds()
  expect(await endedCallOf(number)).toMatchObject({ systemLookupCode: 'B-2', externalSystem: { itsyId } })
})

test('a typed case number opens the case, and is on the call [acc 22, 80, 268 by HTTP, SIP, WebSocket]', async () => {
  const number = '+4520500103'
  await caller(number, ASKS_CASE, [{ afterMs: 1_000, keys: '3003' }])
  const { reason, url } = await popupAbout(number)
  expect([reason, url]).toEqual(['c', pageOf('3003', number)])
  await talkEnds()
  expect(await endedCallOf(number)).toMatchObject({ systemLookupCode: '3003', externalSystem: { itsyId } })
})

test('a caller who is in no call task and types nothing opens no page [acc 268 by SIP, WebSocket]', async () => {
  const number = '+4520500104'
  await caller(number, NO_QUESTION)
  await pia.hears(({ type, callNumber, number: other }) => type === 'call' && (callNumber ?? other) === number)
  expect(pia.news.filter(({ url = '' }) => url.includes(encodeURIComponent(number)))).toEqual([])
  await talkEnds()
})
