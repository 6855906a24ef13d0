/** Whose call task it is, with an agent at the screen and a debtor on the line (campaigns-96). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { Client } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import type { PhoneNumber } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import {
  agentsAtWork,
  becomesTrue,
  importTasks,
  integratorOf,
  makeCampaign,
  makeSystem,
  silentPhone,
} from './campaign-live.ts'
import { makePlace, type Place } from './campaign-place.ts'
import { type EngineProcess, startEngine } from './engine-process.ts'
import type { SteadyAgent } from './steady-agent.ts'

const clock = new RealClock()
let place: Place
let engine: EngineProcess
let carrier: SipCarrier
let phone: SipCarrier
let client: Client
let itsyId: number
let anna: SteadyAgent

beforeAll(async () => {
  place = await makePlace({
    agents: ['anna', 'ben'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    allowedHosts: [],
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  engine = startEngine(place)
  await engine.ready
  phone = await silentPhone(clock, place.phones.get('anna')!)
  carrier = await openCarrier({ clock, random: seededRandom(process.pid), ...place.carrier })
  const database = await place.openDatabaseFor()
  const ssoUrl = `http://127.0.0.1:${place.env['SSO_PORT']}`
  client = await integratorOf(database, clock, ssoUrl)
  ;[anna] = (await agentsAtWork(database, clock, ssoUrl, ['anna'])) as [SteadyAgent]
  await database.database.close()
  itsyId = await makeSystem(client, undefined)
})

afterAll(async () => {
  await anna?.leave()
  await engine?.kill('SIGTERM')
  await phone?.close()
  await carrier?.close()
  await place?.remove()
})

/** A campaign of its own with this task; 01 is a debtor who answers and talks. */
async function campaign(settings: Readonly<Record<string, unknown>>, tasks: Parameters<typeof importTasks>[2]) {
  return importTasks(client, await makeCampaign(client, itsyId, settings), tasks)
}

/** The user name of whom the task belongs to, by its details. */
async function ownerOf(itcaId: number): Promise<string | null> {
  const details = await client.ask('POST /dialer/calltaskget', { body: { itcaIds: [itcaId], detail: true } })
  const { userId } = details.callTasks[0]!.assignedUser ?? {}
  const users = await client.ask('GET /rest/core/users')
  return users.find((user) => user.userId === userId)?.userName ?? null
}

/** The tasks that the filter finds for a user name. */
async function tasksOf(userName: string): Promise<readonly number[]> {
  const users = await client.ask('GET /rest/core/users')
  const { userId } = users.find((user) => user.userName === userName)!
  const { callTasks } = await client.ask('POST /dialer/calltaskget', { body: { assignedUserIds: [userId] } })
  return callTasks.map(({ itcaId }) => itcaId)
}

test('a task belongs to the agent who takes it or promises a callback, until it is let go', async () => {
  await anna.is('ready')
  const [offered, chosen] = ['+4522204101', '+4522204201'] as PhoneNumber[] as [PhoneNumber, PhoneNumber]
  const [itcaId] = await campaign({ dialMode: 'preview', previewSkipsMax: 1 }, [
    { numbers: [offered], caseNumber: 'C-10' },
  ])
  await anna.hears(({ type, callTask }) => type === 'preview' && (callTask as { itcaId: number }).itcaId === itcaId)
  expect(await ownerOf(itcaId!)).toBe('anna')
  expect([await tasksOf('anna'), await tasksOf('ben')]).toEqual([[itcaId], []])
  await anna.order({ type: 'skip' })
  expect(await becomesTrue(clock, async () => (await ownerOf(itcaId!)) === null)).toBe(true)

  await anna.order({ type: 'pause', reason: 'admin' })
  const [manual] = await campaign({ dialMode: 'manual' }, [{ numbers: [chosen], caseNumber: 'C-11' }])
  await anna.order({ type: 'ready' })
  await anna.is('ready')
  expect(await ownerOf(manual!)).toBeNull()
  // While a campaign looks for a task to offer her, an order is refused.
  const dials = async () => (await anna.order({ type: 'dial', itcaId: manual })).status === 200
  expect(await becomesTrue(clock, dials)).toBe(true)
  const debtor = await carrier.contact(chosen)
  expect(await ownerOf(manual!)).toBe('anna')
  const { callId } = await anna.hears((news) => news.type === 'popup' && news['itcaId'] === manual)
  const callBackTs = new Date(clock.nowMs() + 3_600_000).toISOString()
  expect((await anna.order({ type: 'callback', callBackTs, callId })).body).toEqual({ ok: true })
  debtor.hangUp()
  const promised = async () => (await client.ask('GET /dialer/callbacks')).callbacks[0]?.itcaId
  // With the end of the talk the task is finished, and another follows it for the callback.
  const isFollowed = async () => ![undefined, manual].includes(await promised())
  expect(await becomesTrue(clock, isFollowed)).toBe(true)
  const params = { itcaId: (await promised())! }
  expect(await ownerOf(params.itcaId)).toBe('anna')
  await client.ask('PUT /dialer/callbacks/{itcaId}', { params, body: { userName: 'ben' } })
  expect(await ownerOf(params.itcaId)).toBe('ben')
  expect(await tasksOf('ben')).toEqual([params.itcaId])
  await client.ask('PUT /dialer/callbacks/{itcaId}', { params, body: { callBackTs: clock.nowMs() + 7_200_000 } })
  expect(await ownerOf(params.itcaId)).toBe('ben')
  await client.ask('DELETE /dialer/callbacks/{itcaId}', { params })
  expect(await ownerOf(params.itcaId)).toBeNull()
})
