/** Log-in and log-out of agents whose real phones also ring for callers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import { type CampaignService, startCampaignService } from './campaign-service.ts'

const LINE = '+4570002000'
const CALLER_HZ = 440
const AGENT_HZ = 620
const FLOW = `flow: short-wait
languages: [en]
start: team
onError: bye
steps:
  team:
    queue: { team: campaign, timeout: 5s }
    next: bye
  bye: { hangup: { say: Goodbye. } }
`

let it: CampaignService
const phones = new Map<string, SippAgentPhone>()
let callers = 0

beforeAll(async () => {
  const numbers = [`"${LINE}": { flow: short-wait, language: en }`]
  it = await startCampaignService({ agents: ['anna', 'ben'], numbers, flows: { 'short-wait': FLOW } })
  for (const [name, at] of it.place.phones) {
    const voice = { toneHz: AGENT_HZ, listensFor: [CALLER_HZ] }
    phones.set(name, await answerPhone({ kit: it.kit, at, person: { does: 'answer', afterMs: 100 }, ...voice }))
  }
})

afterAll(async () => {
  for (const phone of phones.values()) await phone.close()
  await it?.close()
})

const caller = (hangsUpAfterMs?: number) =>
  callIn({
    kit: it.kit,
    target: it.place.sip,
    from: it.place.carrier.host,
    called: LINE,
    caller: `+455600000${callers++}`,
    toneHz: CALLER_HZ,
    listensFor: [AGENT_HZ],
    person: hangsUpAfterMs === undefined ? {} : { hangsUpAfterMs },
  })

const rings = () => [...phones].map(([name, phone]) => `${name} ${phone.rings}`)

async function goesHome(agent: string): Promise<void> {
  expect(await it.order(agent, { type: 'logIn' })).toEqual({ status: 200 })
  expect(await it.becomes(agent, 'ready')).toBe(true)
  expect(await it.order(agent, { type: 'logOut' })).toEqual({ status: 200 })
  expect(await it.becomes(agent, 'loggedOut')).toBe(true)
}

test('an agent who logs in during a call from the queue is at work after it', async () => {
  await goesHome('anna')
  const phone = await caller(5_000)
  await phone.ear.whenHeard(AGENT_HZ, 300)
  expect(rings()).toEqual(['anna 1', 'ben 1'])
  expect(await it.order('ben', { type: 'logIn' })).toEqual({ status: 200 })
  expect(await it.stateOf('ben')).toBe('loggedOut')
  const heard = phone.ear.heardTone(AGENT_HZ)
  await phone.ear.whenHeard(AGENT_HZ, heard + 500)
  expect(await it.becomes('ben', 'ready')).toBe(true)
  expect(rings()).toEqual(['anna 1', 'ben 2'])
  expect(await it.order('ben', { type: 'logOut' })).toEqual({ status: 200 })
  expect(await it.becomes('ben', 'loggedOut')).toBe(true)
})

test('the phone of an agent who has logged out rings for no caller, also after a restart', async () => {
  const before = rings()
  expect(await (await caller()).result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  expect(rings()).toEqual(before)
  await it.restart()
  expect(await (await caller()).result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  expect(rings()).toEqual(before)
})

test('an agent who logs in again serves callers again', async () => {
  expect(await it.order('anna', { type: 'logIn' })).toEqual({ status: 200 })
  expect(await it.becomes('anna', 'ready')).toBe(true)
  const phone = await caller(3_000)
  await phone.ear.whenHeard(AGENT_HZ, 300)
  expect(await phone.result).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
})
