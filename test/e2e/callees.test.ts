/** Promises to the people who are called, kept on a real switch with a carrier whose phones are not polite. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import type { Contact, Soundless } from '../../src/sim/person.ts'
import { type AttemptOut, attemptsOf, becomesTrue, importTasks, makeCampaign, makeSystem } from './campaign-live.ts'
import { type CampaignService, startCampaignService } from './campaign-service.ts'

const CALLEE_HZ = 440
const AGENT_HZ = 620
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 100, afterMs: 0 }

let it: CampaignService
let carrier: SipCarrier
let annasPhone: SippAgentPhone
let itsyId: number
let lastNumber = 33_300_000
const contacts = new Map<string, Contact>()

beforeAll(async () => {
  it = await startCampaignService({ agents: ['anna'] })
  const { clock, random } = it.kit
  const voice = { toneHz: AGENT_HZ, listensFor: [CALLEE_HZ] }
  const at = it.place.phones.get('anna')!
  annasPhone = await answerPhone({ kit: it.kit, at, person: { does: 'answer', afterMs: 100 }, ...voice })
  carrier = await openCarrier({
    clock,
    random,
    ...it.place.carrier,
    toneHz: CALLEE_HZ,
    listensFor: [AGENT_HZ],
    contactOf: (number) => contacts.get(number)!,
  })
  itsyId = await makeSystem(it.client, undefined)
  await it.order('anna', { type: 'logIn' })
  expect(await it.becomes('anna', 'ready')).toBe(true)
})

afterAll(async () => {
  await annasPhone?.close()
  await it?.close()
  await carrier?.close()
})

/** A campaign of its own that calls one number, where this person is. */
async function calls(contact: Contact, settings: Readonly<Record<string, unknown>> = {}) {
  const number = `+45${++lastNumber}` as PhoneNumber
  contacts.set(number, contact)
  const callCode = await makeCampaign(it.client, itsyId, settings)
  const [itcaId] = await importTasks(it.client, callCode, [{ numbers: [number], caseNumber: `C-${lastNumber}` }])
  return { number, itcaId: itcaId!, callCode, callee: await carrier.contact(number) }
}

async function endOf(itcaId: number): Promise<AttemptOut> {
  const ended = async () => (await attemptsOf(it.client, [itcaId])).find(({ endTs }) => endTs !== null)
  await becomesTrue(it.kit.clock, async () => (await ended()) !== undefined)
  return (await ended())!
}

const endTask = (itcaId: number) =>
  it.client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId }, body: { reasonCode: 'PAID' } })

test.for([0, 3_000])('an answer %i ms after our CANCEL is DROPPED: the callee heard silence', async (afterMs) => {
  const { itcaId, callee } = await calls({ ...RINGS, answersCancelAfterMs: afterMs })
  await endTask(itcaId)
  expect(await callee.ended).toBe('switch')

  expect(await endOf(itcaId)).toMatchObject({ resultName: 'DROPPED' })
})

test.for<Soundless>(['otherCodecWithKeys', 'otherCodec', 'noSdp'])(
  'a callee who answers without a codec of ours (%s) is DROPPED, and no agent gets a silent line',
  async (soundless) => {
    expect(await it.becomes('anna', 'ready')).toBe(true)
    const { itcaId, callee } = await calls({ does: 'answer', ringsAfterMs: 0, afterMs: 100, soundless })
    expect(await becomesTrue(it.kit.clock, () => callee.invite.endedBy === 'switch')).toBe(true)
    const end = await endOf(itcaId)
    expect(end).toMatchObject({ resultName: 'DROPPED', sipStatus: 488, talkSeconds: 0, agent: null })
    expect(await it.stateOf('anna')).toBe('ready')
  },
)

test('two phones that answer one call are told in the log: the second hears nobody', async () => {
  expect(await it.becomes('anna', 'ready')).toBe(true)
  const { callee } = await calls({ does: 'answer', ringsAfterMs: 0, afterMs: 100, secondAnswerAfterMs: 200 })
  const isTold = () => it.logged.some((line) => line.includes('two phones answered one call'))
  expect(await becomesTrue(it.kit.clock, isTold)).toBe(true)
  callee.hangUp()
})

test('a phone rings for the ring timeout, not longer', async () => {
  const { itcaId, callee } = await calls(RINGS, { ringTimeoutSeconds: 15 })
  expect(await callee.ended).toBe('switch')
  const { rangAtMs, endedAtMs } = callee.invite
  expect(Math.round((endedAtMs! - rangAtMs!) / 1_000)).toBe(15)
  expect(await endOf(itcaId)).toMatchObject({ resultName: 'NO_ANSWER' })
})

test('a line that rings while the switch dies is UNKNOWN: nobody knows how long the phone rings on', async () => {
  const { itcaId, callee } = await calls(RINGS)
  expect(await becomesTrue(it.kit.clock, () => callee.invite.rangAtMs !== undefined)).toBe(true)
  await it.service.asterisk!.kill()
  expect(await endOf(itcaId)).toMatchObject({ resultName: 'UNKNOWN' })
})

test('a callee whose agent vanishes hears words soon, and the log says why', async () => {
  expect(await it.becomes('anna', 'ready')).toBe(true)
  const { callee } = await calls({ does: 'answer', ringsAfterMs: 0, afterMs: 100 })
  await callee.ear.whenHeard(AGENT_HZ, 300)
  await annasPhone.close()
  const { ear } = callee
  const hearsWords = () => ear.heard.soundMs - ear.heardTone(AGENT_HZ) >= 400
  expect(await becomesTrue(it.kit.clock, hearsWords, { limitMs: 15_000 })).toBe(true)
  expect(it.logged.some((line) => line.includes("an agent's phone was lost in a conversation"))).toBe(true)
  callee.hangUp()
})
