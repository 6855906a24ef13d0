/** Machine detection on a real switch: who is hung up on, and when a message begins. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BEEP_END_MS, openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { type Client, connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import {
  agentsAtWork,
  attemptsOf,
  becomesTrue,
  credentialOf,
  importTasks,
  makeCampaign,
  makeSystem,
} from './campaign-live.ts'
import { makePlace, type Place } from './campaign-place.ts'
import type { SteadyAgent } from './steady-agent.ts'

const AGENT_HZ = 620
const CALLEE_HZ = 440

const clock = new RealClock()
const random = seededRandom(process.pid)
let place: Place
let service: Service
let carrier: SipCarrier
let client: Client
let itsyId: number
let annasPhone: SippAgentPhone
let anna: SteadyAgent

beforeAll(async () => {
  place = await makePlace({
    agents: ['anna'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    allowedHosts: [],
  })
  const { settings, env, treeDirectory } = place
  const parts = { clock, random, log: makeLog('warn'), onLine: () => {} }
  const started = await startService({ settings, env, treeDirectory, ...parts })
  if ('ok' in started) throw new Error(JSON.stringify(started))
  service = started
  const ssoUrl = service.core!.rest.ssoUrl!
  const kit = { sipp: service.asterisk!.tree.sipp!, clock, random }
  const voice = { toneHz: AGENT_HZ, listensFor: [CALLEE_HZ] }
  annasPhone = await answerPhone({
    kit,
    at: place.phones.get('anna')!,
    person: { does: 'answer', afterMs: 100 },
    ...voice,
  })
  carrier = await openCarrier({ clock, random, ...place.carrier, toneHz: CALLEE_HZ, listensFor: [AGENT_HZ] })
  client = connect({ ssoUrl, credential: await credentialOf(service.repositories!, clock) })
  itsyId = await makeSystem(client, undefined)
  ;[anna] = (await agentsAtWork(service.repositories!, clock, ssoUrl, ['anna'])) as [SteadyAgent]
})

afterAll(async () => {
  await anna?.leave()
  await annasPhone?.close()
  await service?.stop()
  await carrier?.close()
  await place?.remove()
})

/** A campaign with this detection calls a machine (magic-numbers.ts: 04). */
async function callMachine(detection: object, number: string) {
  const callCode = await makeCampaign(client, itsyId, { machineDetection: { enabled: true, ...detection } })
  const [itcaId] = await importTasks(client, callCode, [{ numbers: [number], caseNumber: number.slice(-4) }])
  return { itcaId: itcaId!, machine: await carrier.contact(number as PhoneNumber) }
}

const isVoicemail = (itcaId: number) =>
  becomesTrue(clock, async () =>
    (await attemptsOf(client, [itcaId])).some(({ resultName }) => resultName === 'VOICEMAIL'),
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
  const { rows } = await service.repositories!.database.pools.jobs.query(
    'select heard from attempts where task_id = $1',
    [itcaId],
  )
  expect(rows).toEqual([{ heard: 'machine' }])
})
