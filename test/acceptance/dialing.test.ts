/** §1, §3.2: the dialer calls one number or several, by itself or by an agent's hand, and never for a finished task. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { CarrierContact, SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { Client } from '../../src/client/client.ts'
import { BUSY, type CalleeNumber, HANGS_UP_AT_ONCE, makeCallees, RINGS, STAYS } from './place/callees.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from './place/campaigns.ts'
import { integrator, openScreen, type Screen } from './place/doors.ts'
import { ROOMS } from './place/installation.ts'
import { AGENT_HZ, carrierOf, PERSON_HZ, phoneOf } from './place/phones.ts'

const systemCode = 'DIALING'
const LISTENS = { ...STAYS, hangsUpAfterMs: 1_500 }
const SLOW = { ...BUSY, afterMs: 1_000 }
const { contactOf, numberOf } = makeCallees(20_100_100)
let client: Client
let itsyId: number
let carrier: SipCarrier
let phone: SippAgentPhone
let dora: Screen

beforeAll(async () => {
  client = await integrator()
  itsyId = await makeSystem(client, systemCode)
  carrier = await carrierOf('dialing', { contactOf })
  phone = await phoneOf('dora')
  dora = await openScreen('dora')
})

afterAll(async () => {
  await dora?.close()
  await phone?.close()
  await carrier?.close()
})

async function change(callCode: number, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await client.ask('POST /dialer/callcode', { body: { callCode, ...settings } } as never)
}

/** A campaign until the end of the test. */
async function campaign(settings: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const callCode = await makeCampaign(client, 'dialing', itsyId, settings)
  onTestFinished(() => change(callCode, { active: false }))
  return callCode
}

/** Call tasks for these lists of numbers. Returns their ids. */
async function tasksFor(callCode: number, ...lists: readonly (readonly string[])[]): Promise<number[]> {
  const callTasks = lists.map((callNumberList) => ({ callReceiverName: 'Dina Due', callNumberList }))
  const { callTasks: made } = await importTasks(client, { systemCode, callCode, callTasks, maxCallAttempts: 3 })
  return made!.map(({ itcaId }) => itcaId)
}

/** Results by number, once everything that was dialed is over. */
async function resultsOf(itcaId: number): Promise<Record<string, string> | 'still up'> {
  const attempts = await attemptsOf(client, itcaId)
  if (attempts.some(({ endTs }) => endTs === null)) return 'still up'
  return Object.fromEntries(attempts.map(({ callNumber, resultName }) => [callNumber, resultName]))
}

async function taskOf(itcaId: number) {
  const body = { itcaIds: [itcaId], detail: true }
  return (await client.ask('POST /dialer/calltaskget', { body })).callTasks[0]
}

const invitesTo = (numbers: readonly string[]) => carrier.invites().filter(({ number }) => numbers.includes(number))

/** A new call task is dialed, its talk is over and dora is ready: both have seen to all before it. */
async function dialerIsAtWork(callCode: number): Promise<void> {
  const number = numberOf(LISTENS)
  const [itcaId] = await tasksFor(callCode, [number])
  await expect.poll(() => resultsOf(itcaId!)).toMatchObject({ [number]: expect.any(String) })
  await expect.poll(() => dora.news.findLast(({ state }) => state !== undefined)?.state).toBe('ready')
}

test('a call task calls one contact for one campaign [acc 6, 10, 38, 150 by HTTP, SIP, WebSocket]', async () => {
  const [callCode, otherCampaign] = [await campaign(), await campaign({ active: false })]
  const [first, second] = [numberOf(STAYS), numberOf(STAYS)]
  const callTasks = [{ callReceiverName: 'Dina Due', callNumberList: [first, second], systemLookupCode: 'D-17' }]
  const imported = async (into: number) => {
    const request = { systemCode, callCode: into, callTasks, maxCallAttempts: 7, minCallIntervalHours: 9 }
    return (await importTasks(client, request)).callTasks![0]!.itcaId
  }
  const [other, itcaId] = [await imported(otherCampaign), await imported(callCode)]
  const asked = { callReceiverName: 'Dina Due', systemLookupCode: 'D-17', maxCallAttempts: 7, minCallIntervalHours: 9 }
  const callNumberList = [{ number: first }, { number: second }]
  expect(await taskOf(itcaId)).toMatchObject({ ...asked, callNumberList, callCode })
  expect(await taskOf(other)).toMatchObject({ ...asked, callNumberList, callCode: otherCampaign })

  const callee = await carrier.contact(first)
  await Promise.all([callee.ear.whenHeard(AGENT_HZ, 300), phone.ear.whenHeard(PERSON_HZ, 300)])
  await doraTalksAbout(itcaId)
  callee.hangUp()
  expect(await callee.ended).toBe('contact')
  const attempt = {
    itcaId,
    callCode,
    callNumber: first,
    answered: true,
    resultName: 'ANSWERED',
    agent: { name: 'dora' },
  }
  await expect.poll(() => attemptsOf(client, itcaId)).toMatchObject([attempt])
  expect(invitesTo([first, second])).toMatchObject([{ number: first, callerId: ROOMS.dialing.callerId }])
  await expect.poll(() => taskOf(itcaId)).toMatchObject({ finished: true, answered: true })
  expect([await taskOf(other), await attemptsOf(client, other)]).toMatchObject([
    { finished: false, answered: false },
    [],
  ])
  expect(dora.news.filter(({ type }) => type === 'preview')).toEqual([])
})

/** Dora's screen shows her talk about this call task. */
async function doraTalksAbout(itcaId: number): Promise<void> {
  await dora.hears(({ type, callTask }) => type === 'call' && (callTask as { itcaId?: number })?.itcaId === itcaId)
}

/** Two calls of which one began before the other had ended. */
function isOverlap(invites: ReturnType<SipCarrier['invites']>): boolean {
  return invites.some((one, place) => place > 0 && invites[place - 1]!.endedAtMs! > one.atMs)
}

/** A second number beside the first may be lost, and abandoned calls stay within 3 % of the answered ones. */
async function hasRoom(tasks: readonly number[]): Promise<boolean> {
  const body = { itcaIds: tasks, limit: 1_000 }
  const { callAttempts } = await client.ask('POST /svcdialer/calltaskcallattempts/search', { body })
  const dropped = callAttempts.filter((attempt) => attempt.dropped).length
  return callAttempts.filter(({ startTs }) => startTs !== null).length * 0.03 >= dropped + 1
}

/** Whether two phones ring at once by now, of one call task or of two. A setting holds soon after it was made. */
async function areTwoRinging(callCode: number, isOneTask: boolean): Promise<boolean> {
  // One more answered call, should the room be short of it.
  await dialerIsAtWork(callCode)
  const numbers = [SLOW, SLOW].map(numberOf)
  for (const itcaId of await tasksFor(callCode, ...(isOneTask ? [numbers] : numbers.map((number) => [number])))) {
    await expect.poll(async () => Object.values(await resultsOf(itcaId))[0]).toBe('BUSY')
  }
  return isOverlap(invitesTo(numbers))
}

/** Who answered talks to the agent; the other phone rang for a while, and heard nothing. */
async function wins(winner: CarrierContact, other: CarrierContact): Promise<void> {
  await Promise.all([
    winner.ear.whenHeard(AGENT_HZ, 300),
    phone.ear.whenHeard(PERSON_HZ, phone.ear.heardTone(PERSON_HZ) + 300),
  ])
  expect(await other.ended).toBe('switch')
  expect(other.invite.answeredAtMs).toBeUndefined()
  expect(other.invite.atMs).toBeLessThan(winner.invite.answeredAtMs!)
  expect(other.ear.heard.soundMs).toBe(0)
}

test('one number at a time, or several: the first who answers gets the agent [acc 7–9, 172 by HTTP, SIP]', async () => {
  const callCode = await campaign({ parallelCalls: 1 })
  const lists: CalleeNumber[][] = []
  const tasks: number[] = []
  // A second number may ring once an abandoned call would be within 3 %: after 34 answered ones. A campaign in which
  // more than 30 people hang up within a second pauses itself.
  const hastyMax = 28
  do {
    const further = Array.from({ length: 34 }, (_, at) => [
      numberOf(at < hastyMax - lists.length ? HANGS_UP_AT_ONCE : LISTENS),
      numberOf(LISTENS),
    ])
    lists.push(...further)
    tasks.push(...(await tasksFor(callCode, ...further)))
    for (const itcaId of tasks) {
      await expect.poll(() => attemptsOf(client, itcaId)).toMatchObject([{ endTs: expect.any(String) }])
    }
  } while (!(await hasRoom(tasks)))
  const invites = invitesTo(lists.flat())
  expect(invites.map(({ number }) => number).toSorted()).toEqual(lists.map(([number]) => number).toSorted())
  expect(isOverlap(invites)).toBe(false)

  // Now there is room: the setting alone holds the second number back.
  const [alone, besides] = [numberOf(SLOW), numberOf(RINGS)]
  const [aloneTask] = await tasksFor(callCode, [alone, besides])
  await expect.poll(() => resultsOf(aloneTask!)).toEqual({ [alone]: 'BUSY' })
  expect(invitesTo([besides])).toEqual([])

  await change(callCode, { parallelCalls: 2 })
  await expect.poll(() => areTwoRinging(callCode, true)).toBe(true)
  for (const answersAt of [0, 1]) {
    const numbers = [RINGS, RINGS].with(answersAt, { ...STAYS, afterMs: 1_500 }).map(numberOf)
    const [itcaId] = await tasksFor(callCode, numbers)
    const contacts = await Promise.all(numbers.map((number) => carrier.contact(number)))
    await wins(contacts[answersAt]!, contacts[1 - answersAt]!)
    await doraTalksAbout(itcaId!)
    contacts[answersAt]!.hangUp()
    const results = { [numbers[answersAt]!]: 'ANSWERED', [numbers[1 - answersAt]!]: 'CANCELLED' }
    await expect.poll(() => resultsOf(itcaId!)).toEqual(results)
  }

  await change(callCode, { parallelCalls: 1, dialMode: 'power', linesPerAgent: 2, linesPerAgentMax: 2 })
  await expect.poll(() => areTwoRinging(callCode, false)).toBe(true)
  const [slow, quick] = [numberOf({ ...STAYS, afterMs: 4_000 }), numberOf({ ...STAYS, afterMs: 1_500 })]
  const [slowTask, quickTask] = await tasksFor(callCode, [slow], [quick])
  const [late, early] = await Promise.all([carrier.contact(slow), carrier.contact(quick)])
  await early.ear.whenHeard(AGENT_HZ, 300)
  await late.ear.whenHeard('sound', 300)
  expect(await late.ended).toBe('switch')
  expect(late.ear.heardTone(AGENT_HZ)).toBe(0)
  expect(late.invite.atMs).toBeLessThan(early.invite.answeredAtMs!)
  await expect
    .poll(() => attemptsOf(client, slowTask!))
    .toMatchObject([{ resultName: 'DROPPED', dropped: true, agent: null }])
  await doraTalksAbout(quickTask!)
  early.hangUp()
  await expect
    .poll(() => attemptsOf(client, quickTask!))
    .toMatchObject([{ resultName: 'ANSWERED', dropped: false, agent: { name: 'dora' } }])
})

test('a manual campaign dials only what the agent starts [acc 10, 11 by HTTP, SIP]', async () => {
  const automatic = await campaign()
  const manual = await campaign({ dialMode: 'manual' })
  const numbers = [numberOf(STAYS), numberOf(STAYS)]
  const [itcaId, left] = await tasksFor(manual, ...numbers.map((number) => [number]))
  await dialerIsAtWork(automatic)
  expect(invitesTo(numbers)).toEqual([])
  await dora.order({ type: 'dial', itcaId })
  const callee = await carrier.contact(numbers[0]!)
  await callee.ear.whenHeard(AGENT_HZ, 300)
  await doraTalksAbout(itcaId!)
  callee.hangUp()
  await expect.poll(() => resultsOf(itcaId!)).toEqual({ [numbers[0]!]: 'ANSWERED' })
  await dialerIsAtWork(automatic)
  expect(invitesTo(numbers)).toHaveLength(1)
  expect(await taskOf(left!)).toMatchObject({ finished: false })
})

test('an ended call task is not dialed, and rings no more [acc 21, 152 by HTTP, SIP]', async () => {
  const callCode = await campaign()
  const numbers = [numberOf(RINGS), numberOf(LISTENS)]
  const [ringing] = await tasksFor(callCode, [numbers[0]!])
  const callee = await carrier.contact(numbers[0]!)
  await expect.poll(() => callee.invite.rangAtMs).toBeDefined()
  const [waiting] = await tasksFor(callCode, [numbers[1]!])
  const inProgress = { resultName: 'IN_PROGRESS', answered: false, voicemail: false, dropped: false, lost: false }
  expect(await attemptsOf(client, ringing!)).toMatchObject([inProgress])
  for (const itcaId of [waiting!, ringing!]) {
    await client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId } })
    expect(await taskOf(itcaId)).toMatchObject({ finished: true, answered: false })
  }
  expect(await callee.ended).toBe('switch')
  expect(callee.invite.answeredAtMs).toBeUndefined()
  await expect.poll(() => resultsOf(ringing!)).toEqual({ [numbers[0]!]: 'CANCELLED' })
  await dialerIsAtWork(callCode)
  expect(invitesTo(numbers)).toMatchObject([{ number: numbers[0] }])
  expect(await attemptsOf(client, waiting!)).toEqual([])
})
