/** Callers on a real Asterisk who leave the queue and are called back in their turn (calls-and-flows-53). */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { RtpEar } from '../../demo/sip/rtp-ear.ts'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import type { Caller } from '../../src/sim/person.ts'
import { attemptsOf, becomesTrue, makeCampaign, makeSystem } from './campaign-live.ts'
import { TEAM } from './campaign-place.ts'
import { type CampaignService, startCampaignService } from './campaign-service.ts'

const LINE = '+4570003100'
const CALLER_HZ = 440
/** The music has none of it. */
const ANNA_HZ = 1_900
const FLOW = `flow: patient
start: team
steps:
  team:
    queue: { team: ${TEAM}, timeout: 5m, callback: { after: 1s, key: "1", next: bye } }
    next: bye
    on: { timeout: bye, full: bye, closed: bye }
  bye: { hangup: {} }
`

let it: CampaignService
let carrier: SipCarrier
let annasPhone: SippAgentPhone

beforeAll(async () => {
  it = await startCampaignService({
    agents: ['anna'],
    numbers: [`"${LINE}": { flow: patient, language: en }`],
    flows: { patient: FLOW },
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  const { clock, random } = it.kit
  carrier = await openCarrier({
    clock,
    random,
    ...it.place.carrier,
    toneHz: CALLER_HZ,
    listensFor: [ANNA_HZ],
    contactOf: () => ({ does: 'answer', ringsAfterMs: 0, afterMs: 1_000 }),
  })
  const at = it.place.phones.get('anna')!
  const person = { does: 'answer', afterMs: 100 } as const
  annasPhone = await answerPhone({ kit: it.kit, at, person, toneHz: ANNA_HZ, listensFor: [CALLER_HZ] })
  await makeCampaign(it.client, await makeSystem(it.client, undefined), { dialMode: 'manual', queueCallbacks: true })
  await it.order('anna', { type: 'logIn' })
  expect(await it.becomes('anna', 'ready')).toBe(true)
})

afterAll(async () => {
  await it?.close()
  await annasPhone?.close()
  await carrier?.close()
})

async function calls(caller: string, person: Caller) {
  const target = { host: '127.0.0.1', port: it.place.sip.port }
  const sound = { toneHz: CALLER_HZ, listensFor: [ANNA_HZ] }
  const phone = await callIn({
    kit: it.kit,
    target,
    from: it.place.carrier.host,
    called: LINE,
    caller,
    ...sound,
    person: { waitsMaxMs: 400_000, ...person },
  })
  onTestFinished(() => phone.close())
  return phone
}

const hearsAnna = (ear: RtpEar) => becomesTrue(it.kit.clock, () => ear.heardTone(ANNA_HZ) >= 300)
/** In the first seconds of a call the order is refused. */
const annaHangsUp = () =>
  becomesTrue(it.kit.clock, async () => (await it.order('anna', { type: 'hangUp' })).status === 200)
const callbacks = async () => (await it.client.ask('GET /dialer/callbacks')).callbacks

test('a caller keeps the place, hangs up, and is called and joined with the next free agent', async () => {
  const [leaving, staying] = ['+4533410002', '+4533410003'] as const
  const first = await calls('+4533410001', {})
  expect(await hearsAnna(first.ear)).toBe(true)
  const second = await calls(leaving, { presses: [{ afterMs: 5_000, keys: '1' }] })
  // The place is that of the arrival: with the music, the caller has it.
  await second.ear.whenHeard('sound', 300)
  const third = await calls(staying, {})
  expect(await becomesTrue(it.kit.clock, async () => (await callbacks()).length === 1)).toBe(true)
  const [{ itcaId, callReceiverName }] = (await callbacks()) as [Awaited<ReturnType<typeof callbacks>>[number]]
  expect(callReceiverName).toBe(leaving)
  // The words are heard to their end, and the flow ends the call.
  await second.result
  expect(second.ear.heardTone(ANNA_HZ)).toBe(0)
  expect(carrier.invites()).toEqual([])

  expect(await annaHangsUp()).toBe(true)
  const callee = await carrier.contact(leaving as PhoneNumber)
  expect(await hearsAnna(callee.ear)).toBe(true)
  expect(third.ear.heardTone(ANNA_HZ)).toBe(0)
  expect(await annaHangsUp()).toBe(true)
  expect(await hearsAnna(third.ear)).toBe(true)
  const ended = async () => (await attemptsOf(it.client, [itcaId])).filter(({ endTs }) => endTs !== null)
  expect(await becomesTrue(it.kit.clock, async () => (await ended()).length === 1)).toBe(true)
  expect(await ended()).toMatchObject([{ callNumber: leaving, answered: true, agent: { name: 'anna' } }])
  expect(await callbacks()).toEqual([])
  expect(carrier.invites()).toHaveLength(1)
})
