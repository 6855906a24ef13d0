/** §2.3: the further filters of the call task search, over tasks that an agent dialed and talked about. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { Client } from '../../src/client/client.ts'
import { importTasks, makeCampaign, makeSystem } from './place/campaigns.ts'
import { integrator, openScreen, type Screen, userClient } from './place/doors.ts'
import { carrierOf, phoneOf } from './place/phones.ts'

const systemCode = 'FILTERS'
const NUMBERS = ['+4520600101', '+4520600102'] as const
let client: Client
let carrier: SipCarrier
let phone: SippAgentPhone
let frida: Screen
let fridaId: number
let otherId: number
/** One that frida dialed and talked about, and one that nobody touched. */
let dialed: number
let untouched: number

beforeAll(async () => {
  client = await integrator('filters')
  const itsyId = await makeSystem(client, systemCode)
  const callCode = await makeCampaign(client, 'filters', itsyId, { dialMode: 'manual' })
  carrier = await carrierOf('filters', { contactOf: () => ({ does: 'answer', afterMs: 200 }) })
  phone = await phoneOf('frida')
  frida = await openScreen('frida')
  const me = await userClient('frida')
  fridaId = Number((await me.ask('GET /rest/core/activeuser')).userId)
  const users = await client.ask('GET /rest/core/users')
  otherId = Number(users.find(({ userId }) => Number(userId) !== fridaId)?.userId)
  const callTasks = NUMBERS.map((number) => ({ callReceiverName: 'Filip Filter', callNumberList: [number] }))
  const { callTasks: made } = await importTasks(client, { systemCode, callCode, callTasks })
  ;[dialed, untouched] = made!.map(({ itcaId }) => itcaId) as [number, number]
})

afterAll(async () => {
  await frida?.close()
  await Promise.all([phone?.close(), carrier?.close()])
})

/** Which of the two a search with this filter finds. */
async function found(filter: Readonly<Record<string, unknown>>): Promise<number[]> {
  const body = { itcaIds: [dialed, untouched], ...filter }
  const { callTasks } = await client.ask('POST /dialer/calltaskget', { body })
  return callTasks.map(({ itcaId }) => itcaId)
}

test('call tasks are found by user, feedback, corporation and dates [acc 67 by HTTP, SIP, WebSocket]', async () => {
  const both = [dialed, untouched]
  const beforeTs = new Date().toISOString()
  expect(await found({ assignedUserIds: [fridaId] })).toEqual([])
  await frida.order({ type: 'dial', itcaId: dialed })
  await frida.hears(({ state }) => state === 'talking')
  await frida.order({ type: 'feedback', feedbackType: 'willPay' })
  await frida.order({ type: 'hangUp' })
  await expect.poll(() => found({ feedbackTypeIds: ['willPay'] })).toEqual([dialed])
  expect(await found({ feedbackTypeIds: ['wrongNumber'] })).toEqual([])
  expect(await found({ assignedUserIds: [fridaId] })).toEqual([dialed])
  expect(await found({ assignedUserIds: [otherId] })).toEqual([])
  expect(await found({ assignedUserIds: [otherId, fridaId] })).toEqual([dialed])
  expect(await found({ corporationIds: [1] })).toEqual(both)
  expect(await found({ corporationIds: [999] })).toEqual([])
  expect(await found({ creationTsTo: beforeTs })).toEqual(both)
  expect(await found({ creationTsFrom: beforeTs })).toEqual([])
  await expect.poll(() => found({ lastCallTsFrom: beforeTs })).toEqual([dialed])
  expect(await found({ lastCallTsTo: beforeTs })).toEqual([])
  expect(await found({ nextCallTsFrom: '2099-01-01T00:00:00Z' })).toEqual([])
  expect(await found({ nextCallTsTo: '2099-01-01T00:00:00Z' })).toEqual([untouched])
})
