/** §2.4, §6: each call ends in an event, and what an integrator learns by its id: outcome, attempt, system, case. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { Client } from '../../src/client/client.ts'
import type { AnswerOf } from '../../src/client/request.ts'
import { BUSY, type Callee, makeCallees, RINGS, STAYS } from './place/callees.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from './place/campaigns.ts'
import { integrator, openScreen, type Screen, type ScreenNews, userClient } from './place/doors.ts'
import { ROOMS } from './place/installation.ts'
import { AGENT_HZ, callerOf, carrierOf, phoneOf } from './place/phones.ts'
import { openReceiver, type Receiver } from './place/receiver.ts'

type Call = AnswerOf<'POST /svcems/calls/search'>[number]

const [RECORDED] = Object.keys(ROOMS.events.numbers) as [string]
const { callerId } = ROOMS.events
const [systemCode, otherCode] = ['EVENTS', 'EVENTS-OTHER']
const { contactOf, numberOf } = makeCallees(20_400_100)
/** As they were when their event came, by `phoneCallId`. */
const told = new Map<string, Call>()
let client: Client
let itsyId: number
let otherItsyId: number
let receiver: Receiver
let carrier: SipCarrier
let phone: SippAgentPhone
let eva: Screen

beforeAll(async () => {
  client = await integrator()
  ;[itsyId, otherItsyId] = [await makeSystem(client, systemCode), await makeSystem(client, otherCode)]
  receiver = await openReceiver('events', async ({ phoneCallId }) => {
    const [call] = await callsOf(phoneCallId as string)
    if (call) told.set(phoneCallId as string, call)
  })
  await receiver.subscribe(client, ['phone-call.ended'])
  carrier = await carrierOf('events', { contactOf })
  phone = await phoneOf('eva')
  eva = await openScreen('eva')
})

afterAll(async () => {
  await eva?.close()
  await phone?.close()
  await Promise.all([receiver?.close(), carrier?.close()])
})

function callsOf(...eactIds: readonly (string | number)[]): Promise<readonly Call[]> {
  return client.ask('POST /svcems/calls/search', { body: { eactIds } })
}

/** The call as its event found it. */
async function toldOf(eactId: number): Promise<Call> {
  await expect.poll(() => told.has(String(eactId))).toBe(true)
  return told.get(String(eactId))!
}

/** The call of an event about this caller or callee, as it was then. */
async function toldWith(number: string): Promise<Call> {
  const find = () =>
    [...told.values()].find(({ callNumber, calledNumber }) => [callNumber, calledNumber].includes(number))
  await expect.poll(find).toBeDefined()
  return find()!
}

async function campaign(system: number, settings: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const callCode = await makeCampaign(client, 'events', system, settings)
  onTestFinished(async () => {
    await client.ask('POST /dialer/callcode', { body: { callCode, active: false } } as never)
  })
  return callCode
}

/** A call task of a case, for somebody who does this. */
async function task(callCode: number, person: Callee, systemLookupCode?: string, code = systemCode) {
  const number = numberOf(person)
  const named = systemLookupCode === undefined ? {} : { systemLookupCode }
  const callTasks = [{ callReceiverName: 'Eigil Due', callNumberList: [number], ...named }]
  const { callTasks: made } = await importTasks(client, { systemCode: code, callCode, callTasks })
  return { number, itcaId: made![0]!.itcaId, callCode, case: systemLookupCode ?? null }
}

async function endedAttempt(itcaId: number) {
  await expect.poll(() => attemptsOf(client, itcaId)).toMatchObject([{ endTs: expect.any(String) }])
  return (await attemptsOf(client, itcaId))[0]!
}

const KINDS = ['answered', 'voicemail', 'dropped', 'lost'] as const
const DETECTS = { machineDetection: { enabled: true, action: 'hangup', maxErrorPercent: 100 } }
const machine: Callee = { ...STAYS, voice: 'machine' }
const leavesEarly: Callee = { ...STAYS, hangsUpAfterMs: 250 }

/** What somebody does, what the attempt says, and whether the call was answered. */
const OUTCOMES: readonly (readonly [string, Callee, string, (typeof KINDS)[number] | undefined, boolean])[] = [
  ['who rings out', RINGS, 'NO_ANSWER', undefined, false],
  ['who talks', { ...STAYS, hangsUpAfterMs: 3_000 }, 'ANSWERED', 'answered', true],
  ['whose line is busy', BUSY, 'BUSY', undefined, false],
  ['who declines', { does: 'reject', ringsAfterMs: 0, afterMs: 200 }, 'REJECTED', undefined, false],
  ['whose number does not exist', { does: 'fail', code: 404, afterMs: 50 }, 'INVALID_NUMBER', undefined, false],
  ['whose network is full', { does: 'fail', code: 503, afterMs: 50 }, 'FAILED', undefined, false],
  ['whom our end left alone', { ...STAYS, soundless: 'otherCodec' }, 'DROPPED', 'dropped', true],
  ['who leaves before an agent comes', leavesEarly, 'LOST', 'lost', true],
  ['whose machine answers', machine, 'VOICEMAIL', 'voicemail', true],
]

describe('event, call and attempt agree about a call to somebody', () => {
  const tasks: Awaited<ReturnType<typeof task>>[] = []
  let callCodes: number[]
  let eli: Client
  let elisPhone: SippAgentPhone

  beforeAll(async () => {
    // One of their lines rings out, the other has the rest.
    elisPhone = await phoneOf('eli')
    eli = await userClient('eli')
    await eli.ask('POST /svcpbx/agents/me/orders', { body: { type: 'logIn' } })
    callCodes = [await makeCampaign(client, 'events', itsyId), await makeCampaign(client, 'events', itsyId, DETECTS)]
    for (const [place, [, person]] of OUTCOMES.entries()) {
      const callCode = callCodes[person === leavesEarly || person === machine ? 1 : 0]!
      tasks.push(await task(callCode, person, `E-${place}`))
    }
  })

  afterAll(async () => {
    for (const callCode of callCodes) {
      await client.ask('POST /dialer/callcode', { body: { callCode, active: false } } as never)
    }
    await eli.ask('POST /svcpbx/agents/me/orders', { body: { type: 'logOut' } })
    await elisPhone.close()
  })

  test.each(OUTCOMES.map((outcome, place) => [...outcome, place] as const))(
    '%s [acc 15, 75, 77–79, 172, 174, 253–255, 261, 263 by HTTP, SIP, webhook]',
    async (_, __, resultName, kind, isAnswered, place) => {
      const { itcaId, number, callCode, case: systemLookupCode } = tasks[place]!
      const { iccaId, eactId } = await endedAttempt(itcaId)
      const call = await toldOf(eactId!)
      const startTs = isAnswered ? expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) : null
      const parties = { direction: 2, callNumber: callerId, calledNumber: number, recordings: [] }
      const links = {
        systemLookupCode,
        externalSystem: { itsyId, systemCode },
        callAttempt: { iccaId, itcaId, callCode },
      }
      expect(call).toMatchObject({ eactId, activityType: { eatyId: 10 }, startTs, resultName, ...parties, ...links })
      // Rule 4: by the attempt's id alone.
      const { callAttempts } = await client.ask('POST /svcdialer/calltaskcallattempts/search', {
        body: { iccaIds: [call.callAttempt!.iccaId] },
      })
      const told = Object.fromEntries(KINDS.map((word) => [word, word === kind]))
      expect(callAttempts).toMatchObject([{ iccaId, itcaId, eactId, callNumber: number, startTs, resultName, ...told }])
      const events = receiver.events.filter(({ phoneCallId }) => phoneCallId === String(eactId))
      expect(events).toMatchObject([{ type: 'phone-call.ended', phoneCallId: String(eactId) }])
    },
  )
})

test('a call withdrawn while it rang was not answered [acc 75, 172, 254, 263 by HTTP, SIP, webhook]', async () => {
  const { itcaId, number } = await task(await campaign(itsyId), RINGS, 'E-20')
  await expect.poll(async () => (await carrier.contact(number)).invite.rangAtMs).toBeDefined()
  await client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId } })
  const attempt = await endedAttempt(itcaId)
  expect(attempt).toMatchObject({ resultName: 'CANCELLED', ...Object.fromEntries(KINDS.map((kind) => [kind, false])) })
  expect(await toldOf(attempt.eactId!)).toMatchObject({ startTs: null, callAttempt: { iccaId: attempt.iccaId } })
})

test("a machine by the agent's word is a voicemail [acc 75, 172, 253, 263 by HTTP, WebSocket, webhook]", async () => {
  const { itcaId, number } = await task(await campaign(itsyId), STAYS, 'E-21')
  const callee = await carrier.contact(number)
  await callee.ear.whenHeard(AGENT_HZ, 300)
  const { callId } = await eva.hears((news) => news.type === 'call' && newsTask(news) === itcaId)
  await eva.order({ type: 'machine', callId })
  expect(await attemptsOf(client, itcaId)).toMatchObject([{ resultName: 'IN_PROGRESS', endTs: null }])
  const { eactId } = (await attemptsOf(client, itcaId))[0]!
  expect(receiver.events.some(({ phoneCallId }) => phoneCallId === String(eactId))).toBe(false)
  callee.hangUp()
  const attempt = await endedAttempt(itcaId)
  expect(attempt).toMatchObject({
    resultName: 'VOICEMAIL',
    answered: false,
    voicemail: true,
    dropped: false,
    lost: false,
  })
  expect((await toldOf(eactId!)).startTs).not.toBeNull()
})

const newsTask = (news: ScreenNews) => (news['callTask'] as { itcaId?: number } | undefined)?.itcaId

test('a case opens at the agent of a call [acc 22, 42, 77–79, 254, 264 by HTTP, SIP, WebSocket, webhook]', async () => {
  const page = (code: string, number: string) =>
    `https://debt.example/popup?caseNumber=${code}&phone=${encodeURIComponent(number)}`
  const { itcaId, number } = await task(await campaign(itsyId), STAYS, 'E 30/1')
  const callee = await carrier.contact(number)
  await callee.ear.whenHeard(AGENT_HZ, 300)
  const placed = await eva.hears((news) => news.type === 'popup' && news['itcaId'] === itcaId)
  expect(placed.url).toBe(page('E%2030%2F1', number))
  callee.hangUp()
  const attempt = await endedAttempt(itcaId)
  expect(await toldOf(attempt.eactId!)).toMatchObject({ systemLookupCode: 'E 30/1', agent: { name: 'eva' } })

  const debtor = await callerOf('events', { called: RECORDED, caller: number, person: {} })
  await debtor.ear.whenHeard(AGENT_HZ, 300)
  const received = await eva.hears((news) => news.type === 'popup' && news['reason'] === 'b')
  expect(received.url).toBe(page('E%2030%2F1', number))
  await eva.order({ type: 'hangUp', callId: received['callId'] })
  expect(await debtor.result).toMatchObject({ outcome: 'connected' })
  const call = await toldWith(RECORDED)
  expect(call).toMatchObject({
    direction: 1,
    callNumber: number,
    systemLookupCode: 'E 30/1',
    externalSystem: { itsyId },
  })
  expect(call.startTs).not.toBeNull()
  expect('callAttempt' in call).toBe(false)
})

/** Nobody is there: whoever calls in waits. */
async function evaIsAway(): Promise<void> {
  await eva.order({ type: 'pause', reason: 'lunch' })
  onTestFinished(() => eva.order({ type: 'ready' }))
}

/** Callers who hang up at once, most of them before anybody could answer. Returns the numbers of those. */
async function hastyCallers(): Promise<string[]> {
  const patienceMs = [1, 2, 4, 6, 8, 10, 12, 15]
  const calls = patienceMs.map(async (waitsMaxMs, place) => {
    const caller = `+${4_520_490_100 + place}`
    const phone = await callerOf('events', { called: RECORDED, caller, person: { waitsMaxMs } })
    return (await phone.result).outcome === 'gaveUp' ? [caller] : []
  })
  return (await Promise.all(calls)).flat()
}

const WITHOUT = { attempt: false, system: false }
const linksOf = (call: Call) => ({ attempt: 'callAttempt' in call, system: 'externalSystem' in call })

test('strangers are told by the start alone [acc 15, 16, 75–78, 254, 262, 264 by HTTP, SIP, webhook]', async () => {
  const callersOf = async (caller: string, called: string, person = {}) =>
    callerOf('events', { called, caller, person })
  const talker = await callersOf('+4520490001', RECORDED)
  await talker.ear.whenHeard(AGENT_HZ, 500)
  const { callId } = await eva.hears((news) => news.type === 'call' && JSON.stringify(news).includes('+4520490001'))
  await eva.order({ type: 'hangUp', callId })
  const answered = await toldWith('+4520490001')
  expect(answered).toMatchObject({
    direction: 1,
    resultName: 'ANSWERED',
    calledNumber: RECORDED,
    systemLookupCode: null,
  })
  expect(answered.startTs).not.toBeNull()
  expect(answered.recordings).toEqual([
    expect.objectContaining({ pcreId: expect.any(Number), cfreId: expect.any(Number) }),
  ])

  const hasty = await hastyCallers()
  expect(hasty.length).toBeGreaterThan(0)
  const told: Call[] = []
  for (const callNumber of hasty) told.push(await toldWith(callNumber))
  // An answer may have crossed the hang-up on the line: then the call was answered for a moment.
  const unanswered = told.filter(({ startTs }) => startTs === null)
  expect(unanswered.length).toBeGreaterThan(0)
  for (const call of told) expect([call.direction, call.recordings, linksOf(call)]).toEqual([1, [], WITHOUT])

  await evaIsAway()
  const waiter = await callersOf('+4520490002', RECORDED, { hangsUpAfterMs: 1_500 })
  expect(await waiter.result).toMatchObject({ hungUpBy: 'caller' })
  const lost = await toldWith('+4520490002')
  expect(lost).toMatchObject({ direction: 1, resultName: 'LOST', talkSeconds: 0, agent: null, recordings: [] })
  // The flow answered; a caller whom no agent reached is told by the result.
  expect(lost.startTs).not.toBeNull()
  for (const call of [answered, lost]) expect(linksOf(call)).toEqual(WITHOUT)
})

test("another system's call is told with its own system [acc 78, 254, 262 by HTTP, SIP, webhook]", async () => {
  const { itcaId } = await task(await campaign(otherItsyId), BUSY, 'E-40', otherCode)
  const { eactId } = await endedAttempt(itcaId)
  expect(await toldOf(eactId!)).toMatchObject({ externalSystem: { itsyId: otherItsyId, systemCode: otherCode } })
})

test('calls are found by their ids, which all activities share [acc 15, 74, 173 by HTTP, SIP]', async () => {
  const body = { description: 'Between calls', status: 1, corporation: { corpId: 1 } } as const
  const caseId = async () => (await client.ask('POST /rest/svcems/case', { body })).eactId
  const callCode = await campaign(itsyId)
  const callId = async () => (await endedAttempt((await task(callCode, BUSY)).itcaId)).eactId!
  const ids = [await caseId(), await callId(), await caseId(), await callId()]
  expect(ids).toEqual(ids.toSorted((one, other) => one - other))
  expect(new Set(ids).size).toBe(4)
  const [firstCase, first, , second] = ids as [number, number, number, number]
  const activities = await client.ask('GET /rest/svcems/activities', { query: { eactId: ids } })
  const types = Object.fromEntries(activities.map(({ eactId, activityType }) => [eactId, activityType.eatyId]))
  expect(types).toEqual(Object.fromEntries(ids.map((eactId, place) => [eactId, place % 2 === 0 ? 15 : 10])))
  const found = async (...eactIds: string[]) => (await callsOf(...eactIds)).map(({ eactId }) => eactId).toSorted()
  expect(await found(String(first))).toEqual([first])
  expect(await found(String(second), String(first), String(firstCase))).toEqual([first, second])
})
