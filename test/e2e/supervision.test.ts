/** A supervisor takes part in a conversation on a real Asterisk, through HTTP, with her own phone. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { type Client, connect } from '../../src/client/client.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import { becomesTrue, credentialOf, importTasks, makeCampaign, makeSystem } from './campaign-live.ts'
import { type CampaignService, startCampaignService } from './campaign-service.ts'
import { type SteadyAgent, steadyAgent } from './steady-agent.ts'

const [CALLEE_HZ, ANNA_HZ, SAM_HZ] = [440, 620, 2_500] as const
const HEARD_MS = 600

let it: CampaignService
let carrier: SipCarrier
let anna: SippAgentPhone
let sam: SippAgentPhone
let screen: SteadyAgent
let supervisor: Client
let itsyId: number
let lastNumber = 33_500_000

beforeAll(async () => {
  it = await startCampaignService({ agents: ['anna', 'sam'] })
  const { clock, random } = it.kit
  const contactOf = () => ({ does: 'answer', ringsAfterMs: 0, afterMs: 500 }) as const
  const tones = { toneHz: CALLEE_HZ, listensFor: [ANNA_HZ, SAM_HZ] }
  carrier = await openCarrier({ clock, random, ...it.place.carrier, ...tones, contactOf })
  anna = await phoneOf('anna', ANNA_HZ, [CALLEE_HZ, SAM_HZ])
  sam = await phoneOf('sam', SAM_HZ, [CALLEE_HZ, ANNA_HZ])
  itsyId = await makeSystem(it.client, undefined)
  const { repositories, core } = it.service
  const ssoUrl = core!.rest.ssoUrl!
  supervisor = connect({ ssoUrl, credential: await credentialOf(repositories!, clock, 'sam') })
  screen = await steadyAgent('anna', ssoUrl, await credentialOf(repositories!, clock, 'anna'), clock)
})

afterAll(async () => {
  await screen?.leave()
  await it?.close()
  await Promise.all([anna?.close(), sam?.close(), carrier?.close()])
})

function phoneOf(name: string, toneHz: number, listensFor: readonly number[]): Promise<SippAgentPhone> {
  const person = { does: 'answer', afterMs: 100 } as const
  return answerPhone({ kit: it.kit, at: it.place.phones.get(name)!, person, toneHz, listensFor })
}

/** Anna and a callee, who hear each other. */
async function conversation(settings: Readonly<Record<string, unknown>> = {}) {
  const number = `+45${++lastNumber}` as PhoneNumber
  const callCode = await makeCampaign(it.client, itsyId, { wrapUpSeconds: 0, ...settings })
  await importTasks(it.client, callCode, [{ numbers: [number], caseNumber: `C-${lastNumber}` }])
  const callee = await carrier.contact(number)
  onTestFinished(() => callee.hangUp())
  await callee.ear.whenHeard(ANNA_HZ, HEARD_MS)
  const [talk] = await supervisor.ask('GET /rest/svcpbx/calls/live')
  return { callee, callId: talk!.callId, eactId: talk!.eactId! }
}

const supervise = (callId: string, mode: 'listen' | 'whisper' | 'join') =>
  supervisor.ask('POST /rest/svcpbx/calls/{callId}/supervise', { params: { callId }, body: { mode } })

const leave = (callId: string) => supervisor.ask('DELETE /rest/svcpbx/calls/{callId}/supervise', { params: { callId } })

const channels = async () => (await it.place.ari('channels')) as { id: string }[]

async function entriesOf(callId: string) {
  const entries = await it.client.ask('GET /rest/core/audit', { query: { action: 'supervise', objectId: callId } })
  return entries.map(({ reason, userId }) => ({ reason: reason!, userId })).reverse()
}

test('listening is in no ear, whispering in the agent’s, joining in both; all is audited', async () => {
  const { callee, callId, eactId } = await conversation()
  expect(await supervise(callId, 'listen')).toMatchObject({ userName: 'anna', supervisor: 'sam', mode: 'listen' })
  await sam.ear.whenTraced(ANNA_HZ, HEARD_MS)
  await sam.ear.whenTraced(CALLEE_HZ, HEARD_MS)
  expect([anna.ear.heardTrace(SAM_HZ), callee.ear.heardTrace(SAM_HZ)]).toEqual([0, 0])
  await supervise(String(eactId), 'whisper')
  await anna.ear.whenTraced(SAM_HZ, HEARD_MS)
  expect(callee.ear.heardTrace(SAM_HZ)).toBe(0)
  await supervise(callId, 'join')
  await callee.ear.whenTraced(SAM_HZ, HEARD_MS)
  await leave(callId)
  expect((await sam.lastEnd()).type).toBe('hungUp')
  const { soundMs } = callee.ear.heard
  await callee.ear.whenHeard('sound', soundMs + HEARD_MS)
  expect((await channels()).filter(({ id }) => id.startsWith('sb-spy-'))).toEqual([])
  callee.hangUp()
  const entries = await entriesOf(callId)
  expect(entries.map(({ reason }) => reason.split(':')[0])).toEqual([
    'listen, begin',
    'whisper, begin',
    'listen, goes on',
    'join, begin',
    'whisper, goes on',
    'join, end',
  ])
  const seconds = entries.map(({ reason }) => /(\d+) s of (\d+) s/.exec(reason)!.slice(1).map(Number))
  expect(seconds.reduce((sum, [one]) => sum + one!, 0)).toBe(seconds.at(-1)![1])
  expect(new Set(entries.map(({ userId }) => userId)).size).toBe(1)
  const told = () =>
    screen.news.filter(({ type }) => type === 'supervisor').map((one) => [one['mode'], one['userName']])
  await expect.poll(told).toEqual([
    ['listen', 'sam'],
    ['whisper', 'sam'],
    ['join', 'sam'],
    [null, 'sam'],
  ])
})

test('a service that is started anew leaves nobody listening, and the conversation goes on', async () => {
  const { callee, callId } = await conversation()
  await supervise(callId, 'listen')
  await sam.ear.whenTraced(CALLEE_HZ, sam.ear.heardTrace(CALLEE_HZ) + HEARD_MS)
  await it.restart()
  expect((await sam.lastEnd()).type).toBe('hungUp')
  const { soundMs } = callee.ear.heard
  await callee.ear.whenHeard('sound', soundMs + HEARD_MS)
  expect((await channels()).filter(({ id }) => id.startsWith('sb-spy-'))).toEqual([])
  expect((await entriesOf(callId)).at(-1)!.reason).toMatch(/^listen, end: [1-9]/)
})

test('is refused where the campaign refuses it, and to whoever is no person', async () => {
  const { callId } = await conversation({ supervision: 'refused' })
  await expect(supervise(callId, 'listen')).rejects.toMatchObject({ status: 409 })
  const asSystem = { params: { callId }, body: { mode: 'listen' } } as const
  await expect(it.client.ask('POST /rest/svcpbx/calls/{callId}/supervise', asSystem)).rejects.toMatchObject({
    status: 403,
  })
  expect([sam.rings > 0, await becomesTrue(it.kit.clock, async () => (await entriesOf(callId)).length === 0)]).toEqual([
    true,
    true,
  ])
})
