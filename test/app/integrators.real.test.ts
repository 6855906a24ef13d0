/** What an integrator does with a service on simulated phones, over HTTP and the command line alone. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../asterisk/ports.ts'
import { type OpenDatabase, openDatabaseFor } from '../../src/app/repositories.ts'
import { readSettings } from '../../src/app/settings.ts'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { agentsAtWork, attemptsOf, credentialOf, importTasks, makeCampaign, makeSystem } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import type { SteadyAgent } from '../e2e/steady-agent.ts'
import { SOON } from '../support/soon.ts'
import { startServiceProcess, switchboard } from './service-process.ts'

/** Also on a busy machine. */
const FOREIGN = '+4571111111'
/** 01 answers, and talks until the other side hangs up; 02 is busy. The plan in the package knows the first alone. */
const [KNOWN, POSSIBLE, BUSY] = ['+4520123401', '+4540012301', '+4540012302'] as const
const MUTE = 'campaign does not dial, or not everywhere'
const clock = new RealClock()
const directory = mkdtempSync(join(tmpdir(), 'switchboard-integrators-'))
const setupFile = join(directory, 'switchboard.yaml')
const lacks = (number: string) => `callerId (${number} is not one of the callerIds of the trunk carrier)`

let env: Record<string, string>
let service: ReturnType<typeof startServiceProcess>
let opened: OpenDatabase
let credential: Credential
let client: Client
let anna: SteadyAgent
let itsyId: number
let campaign: number

beforeAll(async () => {
  // As root, the database runs under another user, who needs access.
  chmodSync(directory, 0o755)
  mkdirSync(join(directory, 'flows'))
  writeSetup([CALLER_ID])
  const [http, sso] = [await freePort('tcp', '127.0.0.1'), await freePort('tcp', '127.0.0.1')]
  env = {
    DATA_DIR: join(directory, 'data'),
    SETUP_FILE: setupFile,
    FLOWS_DIR: join(directory, 'flows'),
    PBX: 'simulated',
    ENVIRONMENT: 'development',
    HTTP_PORT: String(http),
    SSO_PORT: String(sso),
  }
  const { settings } = readSettings(env)
  service = startServiceProcess(env)
  await service.ready
  const found = await openDatabaseFor(settings!, { clock, log: silentLog, onLine: () => {} })
  if (!found.ok) throw new Error(found.why)
  opened = found
  const ssoUrl = `http://127.0.0.1:${sso}`
  credential = await credentialOf(opened, clock)
  client = connect({ ssoUrl, credential })
  itsyId = await makeSystem(client, undefined)
  campaign = await makeCampaign(client, itsyId, { acceptPossibleNumbers: true, recording: { mode: 'always' } })
  const [agent] = await agentsAtWork(opened, clock, ssoUrl, ['anna'])
  anna = agent!
})
afterAll(async () => {
  await anna?.leave()
  await service?.stop()
  await opened?.database.close()
  rmSync(directory, { recursive: true, force: true })
})

function writeSetup(callerIds: readonly string[]): void {
  const ids = callerIds.map((id) => `"${id}"`).join(', ')
  const lines = [
    `trunks: { carrier: { host: 127.0.0.81, callerIds: [${ids}] } }`,
    `teams: { ${TEAM}: { title: Campaign, agents: [anna] } }`,
    'agents: { anna: { phone: { host: 127.0.0.101 } } }',
  ]
  writeFileSync(setupFile, `${lines.join('\n')}\n`)
}

const taskOf = async (itcaId: number) => {
  const body = { callCodes: [campaign], detail: true, limit: 1_000 }
  const found = await client.ask('POST /dialer/calltaskget', { body })
  return found.callTasks.find((task) => task.itcaId === itcaId)!
}
const campaignOf = async (callCode: number) => {
  return (await client.ask('GET /dialer/callcode', { query: { callCode: [callCode] } })).callCodes[0]!
}

/** A call of anna with this number, and what she orders in it. Returns its call task and attempt when it is over. */
async function talk(number: string, caseNumber: string, order?: Readonly<Record<string, unknown>>) {
  const [itcaId] = await importTasks(client, campaign, [{ numbers: [number], caseNumber }])
  const { callId } = await anna.hears(({ type, itcaId: of }) => type === 'popup' && of === itcaId)
  await anna.is('talking')
  if (order) expect((await anna.order({ ...order, callId })).status).toBe(200)
  expect((await anna.order({ type: 'hangUp', callId })).status).toBe(200)
  const attempts = () => attemptsOf(client, [itcaId!])
  await expect.poll(attempts, SOON).toMatchObject([{ endTs: expect.any(String), eactId: expect.any(Number) }])
  await anna.is('ready')
  const [attempt] = await attempts()
  return { itcaId: itcaId!, eactId: attempt!.eactId!, attempt: attempt! }
}

test('the credential of a system is named as it was named', async () => {
  const me = await client.ask('GET /rest/core/activeuser')
  expect(me).toMatchObject({ userId: null, userName: credential.rcntrl, name: 'integrator' })
})

test('a call on simulated phones has a recording to fetch, and takes a summary that nobody generated', async () => {
  const { eactId } = await talk(KNOWN, 'C-1')
  const calls = () => client.ask('POST /svcems/calls/search', { body: { eactIds: [String(eactId)] } })
  await expect
    .poll(calls, SOON)
    .toMatchObject([{ recordings: [{ cfreId: expect.any(Number) }], summaryStatus: 'none' }])
  const [call] = await calls()
  const path = `/rest/core/corefile?cfreId=${call!.recordings[0]!.cfreId}`
  const answer = await fetch(`${await client.endpoint()}${path}`, { headers: { ...credential } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav'])
  const sound = Buffer.from(await answer.arrayBuffer())
  expect([sound.toString('latin1', 0, 4), sound.readUInt16LE(22), sound.readUInt32LE(24)]).toEqual(['RIFF', 2, 8_000])
  expect(sound.length).toBe(44 + sound.readUInt32LE(40))
  expect(sound.subarray(44).some((byte) => byte !== 0)).toBe(true)

  const params = { eactId }
  const write = (text: string, version: number) =>
    client.ask('PUT /rest/svcems/activity-summary/{eactId}', { params, body: { text, version } })
  expect(await write('Pays on Friday.', 0)).toMatchObject({ status: 'ready', source: 'edited', version: 1 })
  expect(await write('Pays on Monday.', 1)).toMatchObject({ version: 2 })
  const told = async () => {
    const { events } = await client.ask('GET /rest/core/events', { query: { limit: 1_000 } })
    return events.filter(({ phoneCallId }) => phoneCallId === String(eactId)).map(({ type }) => type)
  }
  const summary = ['phone-call-summary.creation', 'phone-call-summary.update']
  await expect.poll(told, SOON).toEqual(['phone-call.ended', ...summary])
})

test('a number that the plan does not know is dialed, and a promised callback tells its first call task', async () => {
  const callBackTs = new Date(clock.nowMs() + 24 * 3_600_000).toISOString()
  const { itcaId, attempt } = await talk(POSSIBLE, 'C-2', { type: 'callback', callBackTs })
  expect(attempt).toMatchObject({ callNumber: POSSIBLE })
  await expect
    .poll(() => taskOf(itcaId), SOON)
    .toMatchObject({
      finished: true,
      answered: true,
      follows: null,
      followedBy: { itcaId: expect.any(Number) },
    })
  const next = (await taskOf(itcaId)).followedBy!.itcaId
  expect(await taskOf(next)).toMatchObject({
    systemLookupCode: 'C-2',
    callBackTs,
    finished: false,
    follows: { itcaId },
    followedBy: null,
  })
  const { callbacks } = await client.ask('GET /dialer/callbacks', { query: { callCode: campaign } })
  expect(callbacks).toMatchObject([{ itcaId: next, follows: { itcaId } }])
})

test('a number that the plan does not know is called again like any other', async () => {
  const attempts = { maxCallAttempts: 3, minCallIntervalHours: 4 }
  const [itcaId] = await importTasks(client, campaign, [{ numbers: [BUSY], caseNumber: 'C-3' }], attempts)
  const task = () => taskOf(itcaId!)
  await expect.poll(task, SOON).toMatchObject({ callAttemptCount: 1, finished: false, nextCallTs: expect.any(String) })
})

test('a campaign whose caller id is on no trunk says so, as do the log and `apply`', async () => {
  const foreign = await makeCampaign(client, itsyId, { callerId: FOREIGN, name: 'Other numbers' })
  expect(await campaignOf(foreign)).toMatchObject({ ready: false, missing: [lacks(FOREIGN)] })
  expect(await campaignOf(campaign)).toMatchObject({ ready: true, missing: [] })
  const windows = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timeZone: 'Europe/Copenhagen' }]
  const abroad = { allowedDestinations: ['US'], callWindows: windows, name: 'Far away', active: false }
  expect(await campaignOf(await makeCampaign(client, itsyId, abroad))).toMatchObject({
    ready: false,
    missing: [expect.stringContaining('never open for US')],
  })
  const logged = (callCode: number) => service.said(MUTE).filter((line) => line.includes(`"campaign":${callCode},`))
  // Logs show no whole number.
  await expect.poll(() => logged(foreign), SOON).toEqual([expect.stringMatching(/callerId \(.+ of the trunk carrier/)])
  const line = (callCode: number, name: string, number: string) =>
    `! campaign ${callCode} (${name}) will not dial: ${lacks(number)}`
  const before = await switchboard(['apply', '--dry-run'], env)
  expect(before.split('\n').filter((text) => text.startsWith('!'))).toEqual([line(foreign, 'Other numbers', FOREIGN)])

  writeSetup([FOREIGN])
  const after = await switchboard(['apply'], env)
  expect(after.split('\n').filter((text) => text.startsWith('!'))).toEqual([line(campaign, 'Reminders', CALLER_ID)])
  await expect.poll(() => campaignOf(campaign), SOON).toMatchObject({ ready: false, missing: [lacks(CALLER_ID)] })
  expect(await campaignOf(foreign)).toMatchObject({ ready: true })
  await expect.poll(() => logged(campaign), SOON).toHaveLength(1)
  await client.ask('POST /dialer/callcode', { body: { callCode: campaign, active: false } })
  expect(await switchboard(['apply'], env)).not.toContain('! campaign')
  expect(logged(foreign)).toHaveLength(1)
})
