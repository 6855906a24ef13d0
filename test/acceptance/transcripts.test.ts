/** §4.2, §6: recording, transcript and summary of a call, as an integrator follows them from event to event. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { Client } from '../../src/client/client.ts'
import type { AnswerOf } from '../../src/client/request.ts'
import { makeCallees, STAYS } from './place/callees.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from './place/campaigns.ts'
import { credentialFrom, integrator, openScreen, place, type Screen, userClient } from './place/doors.ts'
import { ROOMS } from './place/installation.ts'
import { AGENT_HZ, callerOf, carrierOf, PERSON_HZ, phoneOf } from './place/phones.ts'
import { openReceiver, type Receiver } from './place/receiver.ts'
import { openTranscriber, tonesOf, type Words } from './place/transcriber.ts'

type Call = AnswerOf<'POST /svcems/calls/search'>[number]
type Summary = AnswerOf<'POST /rest/svcems/activity-summary/search'>[number]
/** An event, and what an integrator found when it came. */
interface Seen {
  readonly type: string
  readonly call: Call
  readonly summary: Summary | undefined
}

const [ONE_TALK, TWO_TALKS] = Object.keys(ROOMS.transcripts.numbers) as [string, string]
const systemCode = 'TRANSCRIPTS'
const [UNREADABLE_HZ, LATE_HZ] = [760, 900]
const [OURS, THEIRS] = ['This is Tia about your case 4711.', 'I will pay 1200 kroner on Friday.']
const LATE = 'I shall call again about my 300 kroner.'
const { promise: late, resolve: sayLate } = Promise.withResolvers<string>()
const voices = new Map<number, Words>([
  [AGENT_HZ, OURS],
  [PERSON_HZ, THEIRS],
  [UNREADABLE_HZ, null],
  [LATE_HZ, late],
])
const { contactOf, numberOf } = makeCallees(20_500_100)
const seen: Seen[] = []
let client: Client
let itsyId: number
let transcriber: Awaited<ReturnType<typeof openTranscriber>>
let receiver: Receiver
let carrier: SipCarrier
let phone: SippAgentPhone
let tia: Screen
let lastCaller = 4_520_590_000

beforeAll(async () => {
  client = await integrator()
  itsyId = await makeSystem(client, systemCode)
  transcriber = await openTranscriber(voices)
  receiver = await openReceiver('receiver', async ({ type, phoneCallId }) => {
    const [call] = await callsOf(phoneCallId!)
    const [summary] = await summariesOf(phoneCallId!)
    if (call) seen.push({ type, call, summary })
  })
  await receiver.subscribe(client, ['phone-call.ended', 'phone-call-summary.creation', 'phone-call-summary.update'])
  carrier = await carrierOf('transcripts', { contactOf })
  phone = await phoneOf('tia')
  tia = await openScreen('tia')
  // No call has the number of one of its recordings.
  const body = { description: 'Before the calls', status: 1, corporation: { corpId: 1 } } as const
  for (let count = 0; count < 9; count++) await client.ask('POST /rest/svcems/case', { body })
})

afterAll(async () => {
  sayLate('')
  await tia?.close()
  await phone?.close()
  await Promise.all([receiver?.close(), transcriber?.close(), carrier?.close()])
})

function callsOf(...eactIds: readonly (string | number)[]): Promise<readonly Call[]> {
  return client.ask('POST /svcems/calls/search', { body: { eactIds } })
}

function summariesOf(...eactIds: readonly (string | number)[]): Promise<readonly Summary[]> {
  const activities = eactIds.map((eactId) => ({ eactId }))
  return client.ask('POST /rest/svcems/activity-summary/search', { body: { activities } })
}

function transcriptsOf(referenceIds: readonly number[], id = 21_001, getParts = false) {
  const body = { referenceIds, referenceTables: [{ id }], getParts }
  return client.ask('POST /rest/core/transcript/search', { body })
}

async function fileOf(cfreId: number): Promise<Buffer> {
  const headers = { ...(await credentialFrom(place, 'listener')) }
  const answer = await fetch(`${await client.endpoint()}/rest/core/corefile?cfreId=${cfreId}`, { headers })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav'])
  return Buffer.from(await answer.arrayBuffer())
}

const typesOf = (eactId: number) => seen.filter(({ call }) => call.eactId === eactId).map(({ type }) => type)

/** The first event of this type about a call with this number, and what was found then. */
async function seenOf(type: string, number: string): Promise<Seen> {
  const find = () =>
    seen.find((one) => one.type === type && [one.call.callNumber, one.call.calledNumber].includes(number))
  await expect.poll(find).toBeDefined()
  return find()!
}

/** A caller talks to the agent with this voice, once or twice; the agent ends each talk. Returns their number. */
async function talkWithTia(toneHz: number, called = ONE_TALK): Promise<string> {
  const number = `+${++lastCaller}`
  const caller = await callerOf('transcripts', { called, caller: number, person: {}, toneHz })
  for (let talk = 0; talk < (called === TWO_TALKS ? 2 : 1); talk++) {
    await caller.ear.whenHeard(AGENT_HZ, caller.ear.heardTone(AGENT_HZ) + 2_000)
    const { callId } = await tia.hears((news) => news.type === 'call' && JSON.stringify(news).includes(number))
    await tia.order({ type: 'hangUp', callId })
  }
  expect(await caller.result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  return number
}

/** The caller of the first test, whose call has two recordings. */
let twoTalks: string

test('each talk of a call leads to its transcript [acc 16, 17, 76, 185, 191–195 by HTTP, SIP]', async () => {
  twoTalks = await talkWithTia(PERSON_HZ, TWO_TALKS)
  const ended = await seenOf('phone-call.ended', twoTalks)
  const { eactId } = ended.call
  const [activity] = await client.ask('GET /rest/svcems/activities', { query: { eactId: [eactId] } })
  const pcreIds = activity!.recordings.map(({ pcreId }) => pcreId)
  expect(ended.call.recordings.map(({ pcreId }) => pcreId)).toEqual(pcreIds)
  expect(new Set(pcreIds).size).toBe(2)
  for (const { cfreId } of ended.call.recordings) {
    const wav = await fileOf(cfreId!)
    const heard = [0, 1].map((channel) => tonesOf(wav, [PERSON_HZ, AGENT_HZ], channel, 2))
    expect(heard).toEqual([[PERSON_HZ], [AGENT_HZ]])
  }

  await seenOf('phone-call-summary.creation', twoTalks)
  const found = await transcriptsOf(pcreIds, 21_001, true)
  const parts = [
    { partNo: 1, speaker: 'customer', channel: 0, text: THEIRS, confidence: 0.75 },
    { partNo: 2, speaker: 'agent', channel: 1, text: OURS, confidence: 0.75 },
  ]
  const written = { referenceTable: { id: 21_001 }, status: 'ready', text: `customer: ${THEIRS}\nagent: ${OURS}` }
  expect(found).toMatchObject(pcreIds.map((referenceId) => ({ referenceId, ...written, parts })))
  const plain = await transcriptsOf(pcreIds.slice(1))
  expect(plain).toMatchObject([{ referenceId: pcreIds[1], ...written }])
  expect(plain.filter((one) => 'parts' in one)).toEqual([])
  expect(await transcriptsOf(pcreIds, 21_002)).toEqual([])
  // A call is no recording.
  expect(pcreIds).not.toContain(eactId)
  const byCall = await transcriptsOf([eactId])
  expect(byCall.filter(({ referenceId }) => pcreIds.includes(referenceId))).toEqual([])
  for (const body of [{ eactIds: [eactId] }, { activities: [{ eactId }] }]) {
    const asked = client.ask('POST /rest/core/transcript/search', { body } as never)
    await expect(asked).rejects.toMatchObject({ status: 400 })
  }
})

test('that call has a summary at its event [acc 18, 175, 176, 256, 258, 261, 265 by HTTP, webhook]', async () => {
  const created = await seenOf('phone-call-summary.creation', twoTalks)
  const { eactId } = created.call
  expect(created.summary).toMatchObject({ eactId, phoneCallSummaryId: eactId, status: 'ready', version: 1 })
  expect(created.summary!.source).toBe('generated')
  for (const words of [OURS, THEIRS]) expect(created.summary!.text).toContain(words)
  const event = receiver.events.find(
    (one) => one.type === 'phone-call-summary.creation' && one.phoneCallId === `${eactId}`,
  )
  expect(event).toMatchObject({ phoneCallId: String(eactId), phoneCallSummaryId: String(eactId) })
})

test('status and summary are synced back [acc 18, 23, 175, 176, 256, 258–261, 263, 265 by HTTP, webhook]', async () => {
  const callCode = await makeCampaign(client, 'transcripts', itsyId, { recording: { mode: 'always' } })
  onTestFinished(async () => {
    await client.ask('POST /dialer/callcode', { body: { callCode, active: false } } as never)
  })
  const number = numberOf(STAYS)
  const callTasks = [{ callReceiverName: 'Tue Due', callNumberList: [number], systemLookupCode: 'T-1' }]
  const { callTasks: made } = await importTasks(client, { systemCode, callCode, callTasks })
  const callee = await carrier.contact(number)
  await callee.ear.whenHeard(AGENT_HZ, 3_000)
  await tia.hears((news) => news.type === 'call' && JSON.stringify(news).includes(number))
  callee.hangUp()

  // What an integrator does, §6: rules 1 to 5.
  const { call } = await seenOf('phone-call.ended', number)
  expect(call).toMatchObject({ externalSystem: { itsyId }, systemLookupCode: 'T-1', startTs: expect.any(String) })
  const { eactId } = call
  const [attempt] = await attemptsOf(client, made![0]!.itcaId)
  expect(attempt).toMatchObject({ iccaId: call.callAttempt!.iccaId, answered: true, voicemail: false, dropped: false })
  const created = await seenOf('phone-call-summary.creation', number)
  expect(created.call).toMatchObject({ eactId, externalSystem: { itsyId }, summaryStatus: 'ready' })
  expect(created.summary).toMatchObject({ eactId, text: expect.stringContaining(THEIRS), version: 1, updatedBy: null })

  const editor = await userClient('tia')
  const { userId } = await editor.ask('GET /rest/core/activeuser')
  for (const [version, text] of [
    [1, 'Pays 1200 kroner on Friday.'],
    [2, 'Pays on Monday.'],
  ] as const) {
    await editor.ask('PUT /rest/svcems/activity-summary/{eactId}', { params: { eactId }, body: { text, version } })
    await expect
      .poll(() => typesOf(eactId).filter((type) => type === 'phone-call-summary.update'))
      .toHaveLength(version)
    const edited = { eactId, phoneCallSummaryId: eactId, text, version: version + 1, source: 'edited' }
    expect(seen.findLast((one) => one.call.eactId === eactId)!.summary).toMatchObject({
      ...edited,
      updatedBy: { userId },
    })
  }
  const updates = receiver.events.filter(
    (one) => one.type === 'phone-call-summary.update' && one.phoneCallId === `${eactId}`,
  )
  const both = { phoneCallId: String(eactId), phoneCallSummaryId: String(eactId) }
  expect(updates).toMatchObject([both, both])
})

test('a summary may be late, or fail without an event [acc 17, 176, 254, 257 by HTTP, SIP, webhook]', async () => {
  const unreadable = (await seenOf('phone-call.ended', await talkWithTia(UNREADABLE_HZ))).call.eactId
  const lateNumber = await talkWithTia(LATE_HZ)
  const waiting = (await seenOf('phone-call.ended', lateNumber)).call.eactId
  const next = (await seenOf('phone-call-summary.creation', await talkWithTia(PERSON_HZ))).call.eactId
  await expect.poll(async () => (await callsOf(unreadable))[0]!.summaryStatus).toBe('failed')
  expect((await callsOf(waiting))[0]!.summaryStatus).toBe('pending')
  expect([typesOf(unreadable), typesOf(waiting)]).toEqual([['phone-call.ended'], ['phone-call.ended']])
  const summaries = await summariesOf(unreadable, waiting)
  expect(Object.fromEntries(summaries.map(({ eactId, status, text }) => [eactId, [status, text]]))).toEqual({
    [unreadable]: ['failed', null],
    [waiting]: ['pending', null],
  })
  const [recording] = (await callsOf(unreadable))[0]!.recordings
  expect(await transcriptsOf([recording!.pcreId])).toMatchObject([{ status: 'failed', text: null }])

  sayLate(LATE)
  const { summary } = await seenOf('phone-call-summary.creation', lateNumber)
  expect(summary).toMatchObject({ eactId: waiting, status: 'ready', text: expect.stringContaining(LATE) })
  expect((await summariesOf(next, waiting)).map(({ eactId }) => eactId).toSorted()).toEqual([waiting, next].toSorted())
  expect(typesOf(unreadable)).toEqual(['phone-call.ended'])
  expect(await writtenAbout(unreadable)).toEqual(['phone-call.ended'])
})

/** Every event that was ever written about a call. */
async function writtenAbout(eactId: number): Promise<string[]> {
  const types: string[] = []
  for await (const event of client.each('GET /rest/core/events')) {
    if (event.phoneCallId === String(eactId)) types.push(event.type)
  }
  return types
}
