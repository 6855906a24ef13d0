/** Agents' phones that vanish, and phones that are up and dumb: nobody is left alone with them (campaigns-86). */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RtpEar } from '../../demo/sip/rtp-ear.ts'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import type { Contact } from '../../src/sim/person.ts'
import { type AttemptOut, attemptsOf, becomesTrue, importTasks, makeCampaign, makeSystem } from './campaign-live.ts'
import { TEAM } from './campaign-place.ts'
import { type CampaignService, startCampaignService } from './campaign-service.ts'

const LINE = '+4570003000'
const CALLEE_HZ = 440
const ANNA_HZ = 620
const BEN_HZ = 1_000
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: ${TEAM}, timeout: 30s }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

let it: CampaignService
let carrier: SipCarrier
let annasPhone: SippAgentPhone
let bensPhone: SippAgentPhone
let itsyId: number
let lastNumber = 33_400_000
const contacts = new Map<string, Contact>()

beforeAll(async () => {
  it = await startCampaignService({
    agents: ['anna', 'ben'],
    numbers: [`"${LINE}": { flow: direct, language: en }`],
    flows: { direct: FLOW },
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  const { clock, random } = it.kit
  carrier = await openCarrier({
    clock,
    random,
    ...it.place.carrier,
    toneHz: CALLEE_HZ,
    listensFor: [ANNA_HZ, BEN_HZ],
    contactOf: (number) => contacts.get(number)!,
  })
  itsyId = await makeSystem(it.client, undefined)
  bensPhone = await phoneOf('ben', BEN_HZ)
})

/** Anna has a phone again. She is idle for longest, and so is the first to be given somebody. */
beforeEach(async () => {
  annasPhone = await phoneOf('anna', ANNA_HZ)
  await it.order('ben', { type: 'logOut' })
  expect(await it.becomes('ben', 'loggedOut')).toBe(true)
  for (const agent of ['anna', 'ben']) {
    await it.order(agent, { type: 'logIn' })
    expect(await it.becomes(agent, 'ready')).toBe(true)
  }
})

afterEach(() => annasPhone.close())

afterAll(async () => {
  await it?.close()
  await bensPhone?.close()
  await carrier?.close()
})

function phoneOf(agent: string, toneHz: number, isDumb = false): Promise<SippAgentPhone> {
  const at = it.place.phones.get(agent)!
  return answerPhone({
    kit: it.kit,
    at,
    person: { does: 'answer', afterMs: 100, isDumb },
    toneHz,
    listensFor: [CALLEE_HZ],
  })
}

/** Somebody who rings for a second, and answers. */
async function calls() {
  const number = `+45${++lastNumber}` as PhoneNumber
  contacts.set(number, { does: 'answer', ringsAfterMs: 0, afterMs: 1_000 })
  const callCode = await makeCampaign(it.client, itsyId)
  const [itcaId] = await importTasks(it.client, callCode, [{ numbers: [number], caseNumber: `C-${lastNumber}` }])
  return { itcaId: itcaId!, callee: await carrier.contact(number) }
}

async function endOf(itcaId: number): Promise<AttemptOut> {
  const ended = async () => (await attemptsOf(it.client, [itcaId])).find(({ endTs }) => endTs !== null)
  await becomesTrue(it.kit.clock, async () => (await ended()) !== undefined)
  return (await ended())!
}

const hears = (ear: RtpEar, hz: number) => becomesTrue(it.kit.clock, () => ear.heardTone(hz) >= 300)

/** Waits for sound that no agent made. */
const hearsWords = (ear: RtpEar) =>
  becomesTrue(it.kit.clock, () => ear.heard.soundMs - ear.heardTone(ANNA_HZ) - ear.heardTone(BEN_HZ) >= 400)

const saysOf = (words: string) => it.logged.filter((line) => line.includes(words) && line.includes('"anna"'))

test('a callee whose agent vanishes hears words, and then the next agent', async () => {
  const { itcaId, callee } = await calls()
  expect(await hears(callee.ear, ANNA_HZ)).toBe(true)
  await annasPhone.close()
  expect(await hearsWords(callee.ear)).toBe(true)
  expect(await hears(callee.ear, BEN_HZ)).toBe(true)
  callee.hangUp()
  expect(await endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'ben' } })
  expect(saysOf('is lost, and the callee gets the next agent')).toHaveLength(1)
})

test('a caller whose agent vanishes gets the next agent', async () => {
  const caller = await callIn({
    kit: it.kit,
    target: it.place.sip,
    from: it.place.carrier.host,
    called: LINE,
    caller: '+4556000001',
    person: { hangsUpAfterMs: 12_000 },
    listensFor: [ANNA_HZ, BEN_HZ],
  })
  expect(await hears(caller.ear, ANNA_HZ)).toBe(true)
  await annasPhone.close()
  expect(await hears(caller.ear, BEN_HZ)).toBe(true)
  await caller.result
})

test('a phone that is dumb when the callee answers is passed over', async () => {
  const { itcaId, callee } = await calls()
  await becomesTrue(it.kit.clock, () => callee.invite.rangAtMs !== undefined)
  annasPhone.fallSilent()
  expect(await hears(callee.ear, BEN_HZ)).toBe(true)
  expect(callee.ear.heardTone(ANNA_HZ)).toBe(0)
  callee.hangUp()
  expect(await endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'ben' } })
  expect(saysOf("no packet came from an agent's phone")).toHaveLength(1)
})

test('where the only phone is dumb when the callee answers, the call is DROPPED with words', async () => {
  await it.order('ben', { type: 'logOut' })
  expect(await it.becomes('ben', 'loggedOut')).toBe(true)
  const { itcaId, callee } = await calls()
  await becomesTrue(it.kit.clock, () => callee.invite.rangAtMs !== undefined)
  await annasPhone.close()
  expect(await hearsWords(callee.ear)).toBe(true)
  expect(await callee.ended).toBe('switch')
  expect(await endOf(itcaId)).toMatchObject({ resultName: 'DROPPED' })
})

test('an agent whose phone answers and sends no sound is called once, and is not logged in', async () => {
  await it.order('anna', { type: 'logOut' })
  expect(await it.becomes('anna', 'loggedOut')).toBe(true)
  await annasPhone.close()
  annasPhone = await phoneOf('anna', ANNA_HZ, true)
  await it.order('anna', { type: 'logIn' })
  expect(await becomesTrue(it.kit.clock, () => annasPhone.rings === 1)).toBe(true)
  expect(await it.becomes('anna', 'loggedOut')).toBe(true)
  expect(annasPhone.rings).toBe(1)
})
