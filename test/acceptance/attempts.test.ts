/** §2.1, §3.2: which number an attempt dials, when the next one follows and when there is none, over moved hours. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { Client } from '../../src/client/client.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from './place/campaigns.ts'
import { integrator, userClient } from './place/doors.ts'
import { carrierOf, phoneOf } from './place/phones.ts'
import { type RunningPlace, startPlace } from './place/start-place.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const systemCode = 'ATTEMPTS'
let at: RunningPlace
let client: Client
let dora: Client
let carrier: SipCarrier
let phone: SippAgentPhone
let callCode: number
let lastWitness = 4_520_390_002

beforeAll(async () => {
  at = await startPlace()
  client = await integrator('integrator', at)
  carrier = await carrierOf(
    'dialing',
    {
      contactOf: (number) =>
        number.endsWith('1')
          ? { does: 'answer', ringsAfterMs: 0, afterMs: 200, hangsUpAfterMs: 3_000 }
          : { does: number.endsWith('2') ? 'busy' : 'reject', afterMs: 100 },
    },
    at,
  )
  phone = await phoneOf('dora', { does: 'answer', afterMs: 50 }, at)
  dora = await userClient('dora', at)
  callCode = await makeCampaign(client, 'dialing', await makeSystem(client, systemCode))
})

afterAll(async () => {
  await phone?.close()
  await carrier?.close()
  await at?.close()
})

/** Hours without a call have sent the agent into a break, or home. */
async function agentIsReady(): Promise<void> {
  const state = async () => {
    for (const type of ['logIn', 'ready'] as const) {
      await dora.ask('POST /svcpbx/agents/me/orders', { body: { type } }).catch(() => undefined)
    }
    return (await client.ask('GET /svcpbx/agents')).find(({ userName }) => userName === 'dora')?.state
  }
  await expect.poll(state).toBe('ready')
}

async function pass(ms: number): Promise<void> {
  await at.forward(ms)
  await agentIsReady()
}

/** Imports a call task. Returns its id. */
async function taskFor(callNumberList: readonly string[], maxCallAttempts = 5): Promise<number> {
  const callTasks = [{ callReceiverName: 'Ada Due', callNumberList }]
  const request = { systemCode, callCode, callTasks, maxCallAttempts, minCallIntervalHours: 4 }
  return (await importTasks(client, request)).callTasks![0]!.itcaId
}

/** The numbers that were dialed for a call task, once all of them were put down. */
async function dialedFor(itcaId: number): Promise<string[] | 'still up'> {
  const attempts = await attemptsOf(client, itcaId)
  return attempts.every(({ endTs }) => endTs !== null) ? attempts.map(({ callNumber }) => callNumber) : 'still up'
}

async function taskOf(itcaId: number) {
  return (await client.ask('POST /dialer/calltaskget', { body: { itcaIds: [itcaId] } })).callTasks[0]
}

/** A new call task is dialed: whatever else was due has been dialed before it. */
async function dialerIsAtWork(): Promise<void> {
  lastWitness += 10
  const number = `+${lastWitness}`
  const itcaId = await taskFor([number], 1)
  await expect.poll(() => dialedFor(itcaId)).toEqual([number])
}

const timesOf = (numbers: readonly string[]) =>
  numbers.map((number) => carrier.invites().filter((invite) => invite.number === number).length)

test('attempts go through the list at intervals, until they end [acc 38, 39, 150–152 by HTTP, SIP]', async () => {
  await agentIsReady()
  const list = ['+4520300102', '+4520300203', '+4520300302']
  const [talkers, payers] = [
    ['+4520300401', '+4520300411'],
    ['+4520300502', '+4520300512'],
  ]
  const listed = await taskFor(list, 4)
  const answered = await taskFor(talkers)
  const paid = await taskFor(payers)
  await expect.poll(() => dialedFor(listed)).toEqual(list.slice(0, 1))
  await expect.poll(() => dialedFor(answered)).toEqual(talkers.slice(0, 1))
  await expect.poll(() => dialedFor(paid)).toEqual(payers.slice(0, 1))
  expect(await taskOf(answered)).toMatchObject({ finished: true, answered: true, statusId: 20 })
  expect(await taskOf(paid)).toMatchObject({ finished: false, answered: false })
  await client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId: paid }, body: { reasonCode: 'PAID' } })
  expect(await taskOf(paid)).toMatchObject({ finished: true, answered: false, statusId: 22 })

  for (const [place, next] of [list[1]!, list[2]!, list[0]!].entries()) {
    expect(await taskOf(listed)).toMatchObject({ finished: false, callAttemptCount: place + 1 })
    const before = await dialedFor(listed)
    await pass(4 * HOUR_MS - 5 * MINUTE_MS)
    await dialerIsAtWork()
    expect(await dialedFor(listed)).toEqual(before)
    await pass(6 * MINUTE_MS)
    await expect.poll(() => dialedFor(listed)).toEqual([...before, next])
  }
  await expect.poll(() => taskOf(listed)).toMatchObject({ finished: true, answered: false, statusId: 21 })

  await pass(48 * HOUR_MS)
  await dialerIsAtWork()
  expect([timesOf(list), timesOf(talkers), timesOf(payers)]).toEqual([
    [2, 1, 1],
    [1, 0],
    [1, 0],
  ])
})
