/** Machine detection on a real switch: who is hung up on, and when a message begins. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BEEP_END_MS, openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { agentsAtWork, attemptsOf, becomesTrue, importTasks, makeCampaign, makeSystem } from './campaign-live.ts'
import { type CampaignService, startCampaignService } from './campaign-service.ts'
import type { SteadyAgent } from './steady-agent.ts'

const AGENT_HZ = 620
const CALLEE_HZ = 440

const clock = new RealClock()
const random = seededRandom(process.pid)
let live: CampaignService
let carrier: SipCarrier
let itsyId: number
let annasPhone: SippAgentPhone
let anna: SteadyAgent

beforeAll(async () => {
  live = await startCampaignService({ agents: ['anna'] })
  const { place, kit, service } = live
  annasPhone = await answerPhone({
    kit,
    at: place.phones.get('anna')!,
    person: { does: 'answer', afterMs: 100 },
    toneHz: AGENT_HZ,
    listensFor: [CALLEE_HZ],
  })
  carrier = await openCarrier({ clock, random, ...place.carrier, toneHz: CALLEE_HZ, listensFor: [AGENT_HZ] })
  itsyId = await makeSystem(live.client, undefined)
  ;[anna] = (await agentsAtWork(service.repositories!, clock, service.core!.rest.ssoUrl!, ['anna'])) as [SteadyAgent]
})

afterAll(async () => {
  await anna?.leave()
  await annasPhone?.close()
  await carrier?.close()
  await live?.close()
})

/** A campaign with this detection calls a machine (magic-numbers.ts: 04). */
async function callMachine(detection: object, number: string) {
  const callCode = await makeCampaign(live.client, itsyId, { machineDetection: { enabled: true, ...detection } })
  const [itcaId] = await importTasks(live.client, callCode, [{ numbers: [number], caseNumber: number.slice(-4) }])
  return { itcaId: itcaId!, machine: await carrier.contact(number as PhoneNumber) }
}

const isVoicemail = (itcaId: number) =>
  becomesTrue(clock, async () =>
    (await attemptsOf(live.client, [itcaId])).some(({ resultName }) => resultName === 'VOICEMAIL'),
  )

test('a message begins after the greeting and the beep, where the machine records it', async () => {
  const acts = { action: 'leaveMessage', maxErrorPercent: 100 }
  const { itcaId, machine } = await callMachine(acts, '+4522300104')
  await machine.ear.whenHeard('sound', 20)
  expect(machine.saidMs()).toBeGreaterThanOrEqual(BEEP_END_MS)
  expect(await machine.ended).toBe('switch')
  expect(machine.ear.heard.soundMs).toBeGreaterThan(1_000)
  expect(await isVoicemail(itcaId)).toBe(true)
})

test('without a proved bound nobody is hung up on: an agent gets the answer, and their word is the truth', async () => {
  const { itcaId, machine } = await callMachine({ action: 'hangup' }, '+4522300204')
  await machine.ear.whenHeard(AGENT_HZ, 300)
  // Still there when the detector has long called it a machine.
  expect(await becomesTrue(clock, () => machine.saidMs() > BEEP_END_MS)).toBe(true)
  expect((await anna.order({ type: 'machine' })).body).toEqual({ ok: true })
  machine.hangUp()
  expect(await isVoicemail(itcaId)).toBe(true)
  const { rows } = await live.service.repositories!.database.pools.jobs.query(
    'select heard from attempts where task_id = $1',
    [itcaId],
  )
  expect(rows).toEqual([{ heard: 'machine' }])
})

/** What the database has of the attempt of this call task. */
async function storedOf(itcaId: number) {
  const text = 'select heard, is_greeting_known, agent, result from attempts where task_id = $1'
  const { rows } = await live.service.repositories!.database.pools.jobs.query(text, [itcaId])
  return rows[0]
}

test('a greeting that agents called a machine at three numbers is known before its pauses', async () => {
  const isKnown = async () =>
    (await live.client.ask('GET /dialer/board')).campaigns.some(({ detection }) => detection?.greetingsKnown === 1)
  let known = false
  // Where packets come late, as on a busy machine, the sound has gaps, and is no greeting like the others.
  for (const number of ['003', '004', '005', '009', '011', '012'].map((nth) => `+45223${nth}04`)) {
    if (known) break
    const { itcaId, machine } = await callMachine({ action: 'hangup' }, number)
    await machine.ear.whenHeard(AGENT_HZ, 300)
    // The greeting is heard for 2 s from its first word on.
    expect(await becomesTrue(clock, () => machine.saidMs() > 4_000)).toBe(true)
    // Refused while the call has just come up.
    const isSaid = async () => (await anna.order({ type: 'machine' })).status === 200
    expect(await becomesTrue(clock, isSaid, { everyMs: 500 })).toBe(true)
    machine.hangUp()
    expect(await isVoicemail(itcaId)).toBe(true)
    known = await becomesTrue(clock, isKnown, { limitMs: 5_000 })
  }
  expect(known).toBe(true)
  const isRecognised = async (number: string) => {
    const { itcaId, machine } = await callMachine({ action: 'hangup', maxErrorPercent: 100 }, number)
    expect(await machine.ended).toBe('switch')
    expect(machine.ear.heard.soundMs).toBe(0)
    expect(await isVoicemail(itcaId)).toBe(true)
    const { agent, is_greeting_known } = await storedOf(itcaId)
    expect(agent).toBe(null)
    return is_greeting_known
  }
  // Where the sound has gaps, the pauses judge first (docs/dialing.md).
  let found = false
  for (const number of ['+4522300604', '+4522300704', '+4522300804']) found ||= await isRecognised(number)
  expect(found).toBe(true)
})
