/** What an agent's sign-on may read over HTTP of a started service: their teams, their calls, no long lists. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { type SteadyAgent, steadyAgent } from '../e2e/steady-agent.ts'
import { SOON } from '../support/soon.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, switchboard, tokenOf } from './service-process.ts'

/** Answers, and talks until the other side hangs up. */
const KNOWN = '+4520123401'
const setup = `
agents: { anna: { phone: { host: 127.0.0.101 } }, bo: { phone: { host: 127.0.0.102 } } }
teams: { ${TEAM}: { agents: [anna] }, others: { agents: [bo] } }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"] } }
`

let place: Awaited<ReturnType<typeof openServicePlace>>
let env: Record<string, string>
let service: ReturnType<typeof startServiceProcess>
let system: Client
let anna: SteadyAgent
let annas: Reader
let bos: Reader
/** Of anna's team, and of bo's, which has 120 call tasks and does not dial. */
let campaigns: { readonly annas: number; readonly bos: number }
let made: { readonly itcaId: number; readonly eactId: number; readonly cfreId: number }

beforeAll(async () => {
  place = await openServicePlace(setup)
  env = await place.env({ DATABASE_URL: (await place.database()).url })
  service = startServiceProcess(env)
  await service.ready
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  system = connect({ ssoUrl, credential: await tokenOf(env, '--name', 'integrator') })
  const itsyId = await makeSystem(system, undefined)
  const queues = await system.ask('GET /rest/svcpbx/queue')
  const { ucquId } = queues.find(({ name }) => name === 'others')!
  campaigns = {
    annas: await makeCampaign(system, itsyId, { recording: { mode: 'always' } }),
    bos: await makeCampaign(system, itsyId, { queue: { ucquId }, active: false }),
  }
  const many = Array.from({ length: 120 }, (_, row) => row)
  const tasks = many.map((row) => ({ numbers: [`+4520${130_000 + row}`], caseNumber: `B-${row}` }))
  await importTasks(system, campaigns.bos, tasks)
  anna = await steadyAgent('anna', ssoUrl, await tokenOf(env, '--name', 'anna', '--user', 'anna'), new RealClock())
  annas = await signedOn('anna')
  bos = await signedOn('bo')
  made = await talk()
})
afterAll(async () => {
  await anna?.leave()
  await service?.stop()
  await place?.close()
})

interface Reader {
  readonly client: Client
  file(cfreId: number): Promise<number>
}

/** As a person signs on: with a password, for the scopes of an agent. */
async function signedOn(userName: string): Promise<Reader> {
  const [, password] = /again: (\S+)/.exec(await switchboard(['user', 'password', userName], env)) ?? []
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ userName, password })
  const answer = await fetch(`${ssoUrl}/api/login`, { method: 'POST', headers, body })
  const { tokenv2, rcntrl, ccntrl } = (await answer.json()) as Credential
  const client = connect({ ssoUrl, credential: { tokenv2, rcntrl, ccntrl } })
  const file = async (cfreId: number) => {
    const address = `${await client.endpoint()}/rest/core/corefile?cfreId=${cfreId}`
    return (await fetch(address, { headers: { tokenv2, rcntrl, ccntrl } })).status
  }
  return { client, file }
}

/** A call of anna that is recorded. */
async function talk() {
  const [itcaId] = await importTasks(system, campaigns.annas, [{ numbers: [KNOWN], caseNumber: 'A-1' }])
  const { callId } = await anna.hears(({ type, itcaId: of }) => type === 'popup' && of === itcaId)
  await anna.is('talking')
  expect((await anna.order({ type: 'hangUp', callId })).status).toBe(200)
  return vi.waitFor(async () => {
    const [attempt] = await attemptsOf(system, [itcaId!])
    const eactId = attempt?.eactId
    const [call] = eactId ? await callsFor(system, eactId) : []
    const cfreId = call?.recordings[0]?.cfreId
    if (!eactId || !cfreId) throw new Error('the call has no recording yet')
    return { itcaId: itcaId!, eactId, cfreId }
  }, SOON)
}

const callsFor = (client: Client, eactId: number) =>
  client.ask('POST /svcems/calls/search', { body: { eactIds: [String(eactId)] } })
const tasksFor = (client: Client, body: object = {}) =>
  client.ask('POST /dialer/calltaskget', { body: { limit: 50_000, ...body } })
const statusOf = async (asked: Promise<unknown>) =>
  asked.then(
    () => 200,
    (problem: { status: number }) => problem.status,
  )

test('an agent finds call, attempt and recording of their team, a colleague of another team none', async () => {
  const { eactId, itcaId, cfreId } = made
  const activities = (client: Client) => client.ask('GET /rest/svcems/activities', { query: { eactId: [eactId] } })
  expect(await callsFor(annas.client, eactId)).toHaveLength(1)
  expect(await attemptsOf(annas.client, [itcaId])).toHaveLength(1)
  expect(await activities(annas.client)).toHaveLength(1)
  expect(await annas.file(cfreId)).toBe(200)

  expect(await callsFor(bos.client, eactId)).toEqual([])
  expect(await attemptsOf(bos.client, [itcaId])).toEqual([])
  expect(await activities(bos.client)).toEqual([])
  expect(await bos.file(cfreId)).toBe(404)
})

test('a supervisor lists the call, sees what happened and its waveform; an agent those of their team', async () => {
  const { eactId, cfreId } = made
  const listed = (client: Client) =>
    client.ask('GET /svcems/calls', { query: { callCode: campaigns.annas, recorded: true, minTalkSeconds: 0 } })
  expect((await listed(system)).calls).toMatchObject([{ eactId }])
  expect((await listed(annas.client)).calls).toMatchObject([{ eactId }])
  expect((await listed(bos.client)).calls).toEqual([])

  const page = (client: Client) => client.ask('GET /svcems/calls/{eactId}', { params: { eactId } })
  const { ladder, legs, dialed } = await page(system)
  expect(ladder.state).toBe('here')
  const told = ladder.rows.map(({ text }) => text)
  expect(told).toEqual(expect.arrayContaining(['rings', 'connect with anna', 'attempt ended: answered']))
  expect(told[0]).toContain('dial')
  expect(dialed).toMatchObject({ attemptNo: 1, trunk: 'carrier', reasonText: expect.any(String) })
  const times = { startTs: expect.any(String), endTs: expect.any(String) }
  expect(legs).toMatchObject([
    { kind: 'callee', who: KNOWN, ...times },
    { kind: 'agent', who: 'anna', ...times },
  ])
  expect((await page(annas.client)).ladder).toMatchObject({ state: 'notAllowed', rows: [] })
  expect(await statusOf(page(bos.client))).toBe(404)

  const wave = (client: Client) => client.ask('GET /rest/core/corefile/peaks', { query: { cfreId, points: 100 } })
  const { channels } = await wave(annas.client)
  expect(channels).toHaveLength(2)
  expect(Math.max(...channels[0]!.max)).toBeGreaterThan(10)
  expect(await statusOf(wave(bos.client))).toBe(404)
})

test('an agent pages the call tasks of their campaigns, a hundred at a time', async () => {
  const own = await tasksFor(annas.client)
  expect(own.callTasks.map(({ callCode }) => callCode)).toEqual([campaigns.annas])
  expect((await tasksFor(bos.client, { callCodes: [campaigns.annas] })).foundRows).toBe(0)
  const first = await tasksFor(bos.client)
  expect(first).toMatchObject({ foundRows: 120, lastRow: 100, pageCount: 2 })
  expect((await tasksFor(bos.client, { pageNumber: 2 })).callTasks).toHaveLength(20)
  expect((await tasksFor(system)).callTasks).toHaveLength(121)
})

test('the lists of the whole corporation are not for agents', async () => {
  expect(await statusOf(bos.client.ask('GET /rest/core/events'))).toBe(403)
  expect(await statusOf(bos.client.ask('GET /dialer/stoplist/numbers'))).toBe(403)
  expect(await statusOf(system.ask('GET /dialer/stoplist/numbers'))).toBe(200)
})

test('a long page of call tasks is an export on record', async () => {
  await tasksFor(system, { pageNumber: 2 })
  const [entry] = await system.ask('GET /rest/core/audit', { query: { action: 'export', size: 1 } })
  expect(entry).toMatchObject({ object: 'callTask', reason: 'page 2, at most 50000 rows' })
})
