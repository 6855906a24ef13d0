/** §1, §3.2: what the dialer does with call tasks, on a real switch. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { Client } from '../../src/client/client.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from './place/campaigns.ts'
import { integrator, openScreen, type Screen } from './place/doors.ts'
import { carrierOf, phoneOf } from './place/phones.ts'

const systemCode = 'DIALING'
let client: Client
let itsyId: number
let carrier: SipCarrier
let phone: SippAgentPhone
let dora: Screen

beforeAll(async () => {
  client = await integrator()
  itsyId = await makeSystem(client, systemCode)
  carrier = await carrierOf('dialing', { contactOf: () => ({ does: 'answer', afterMs: 300, hangsUpAfterMs: 1_000 }) })
  phone = await phoneOf('dora')
  dora = await openScreen('dora')
})

afterAll(async () => {
  await dora?.close()
  await phone?.close()
  await carrier?.close()
})

test('an answered call finishes its task [acc 150 by HTTP, SIP]', async () => {
  const callCode = await makeCampaign(client, 'dialing', itsyId)
  onTestFinished(async () => {
    await client.ask('POST /dialer/callcode', { body: { callCode, active: false } } as never)
  })
  const callTasks = [{ callReceiverName: 'Dina Due', callNumberList: ['+4520100101'] }]
  const { callTasks: made } = await importTasks(client, { systemCode, callCode, callTasks })
  const itcaId = made![0]!.itcaId
  await expect.poll(() => attemptsOf(client, itcaId)).toMatchObject([{ answered: true, callNumber: '+4520100101' }])
  const search = () => client.ask('POST /dialer/calltaskget', { body: { itcaIds: [itcaId], detail: true } })
  await expect.poll(search).toMatchObject({ callTasks: [{ finished: true }] })
})
