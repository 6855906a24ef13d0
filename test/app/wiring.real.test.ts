/** Each part of the service runs: without its entry in `src/app/background-work.ts` one of these tests fails. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Client, connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { bring } from '../adapters/mail/mail-intake-world.ts'
import { email, HEAD } from '../adapters/mail/ugly-mails.ts'
import {
  agentsAtWork,
  credentialOf,
  importTasks,
  integratorOf,
  makeCampaign,
  makeSystem,
  SYSTEM_CODE,
} from '../e2e/campaign-live.ts'
import { SOON } from '../support/soon.ts'
import { switchboard } from './service-process.ts'
import { DEAD_PROCESS, ERASED, HEARD, ORPHAN, openWiringPlace, SUMMARY } from './wiring-place.ts'

/** Also on a busy machine. */
/** Holds end within a minute, audit intents and retention start a minute after the service. */
const WITHIN_A_MINUTE = { interval: 500 }
const AFTER_A_MINUTE = { interval: 500 }
const clock = new RealClock()
let place: Awaited<ReturnType<typeof openWiringPlace>>
let client: Client
let itsyId: number
let campaign: number
let expiring: number
let closeAgents = async () => {}

beforeAll(async () => {
  place = await openWiringPlace(clock)
  client = await integratorOf(place.opened, clock, place.ssoUrl)
  itsyId = await makeSystem(client, place.receiver)
  campaign = await makeCampaign(client, itsyId)
  expiring = await importExpiring()
})
afterAll(async () => {
  await closeAgents()
  await place?.close()
})

/** A call task for agents to take, for two seconds. */
async function importExpiring(): Promise<number> {
  const callCode = await makeCampaign(client, itsyId, { dialMode: 'manual' })
  const validTo = new Date(clock.nowMs() + 2_000).toISOString()
  const callTasks = [{ callReceiverName: 'Debtor', callNumberList: ['+4520123410'], validTo }]
  const { callTasks: made } = await client.ask('POST /svcdialer/calltaskimport', {
    query: { returnImportedCallTasks: true },
    body: { systemCode: SYSTEM_CODE, callCode, maxCallAttempts: 1, minCallIntervalHours: 4, callTasks },
  })
  return made![0]!.itcaId
}

const caseOf = async (eactId: number) => {
  return (await client.ask('POST /rest/svcems/cases/search', { body: { eactIds: [eactId] } }))[0]
}
const callOf = async (eactId: number) => {
  return (await client.ask('POST /svcems/calls/search', { body: { eactIds: [String(eactId)] } }))[0]
}

test('every part runs: /readyz is ready, and the state operation returns this node', async () => {
  const answer = await fetch(`${place.url}/readyz`)
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready' }])
  expect(await client.endpoint()).toBe(place.url)
})

test('audit intents: a change whose process died gets into the audit trail', async () => {
  const credentials = async () => {
    const found: string[] = []
    for await (const { rcntrl } of client.each('GET /rest/core/audit', {})) found.push(rcntrl)
    return found
  }
  await expect.poll(credentials, SOON).toContain(DEAD_PROCESS)
})

test('call task imports: an asynchronous import is processed', async () => {
  const callTasks = [{ callReceiverName: 'Debtor', callNumberList: ['+4520123407'], extCustId: 'D-async' }]
  const made = await client.ask('POST /svcdialer/calltaskimport', {
    query: { importAsync: true },
    body: { systemCode: SYSTEM_CODE, callCode: campaign, maxCallAttempts: 1, minCallIntervalHours: 4, callTasks },
  })
  expect(made).toMatchObject({ importStatus: 'queued' })
  const params = { importId: String(made.importId) }
  const job = () => client.ask('GET /svcdialer/calltaskimport/{importId}', { params })
  await expect.poll(job, SOON).toMatchObject({ importStatus: 'completed', importedCount: 1 })
})

test('transcription: a recorded call gets its transcript and its summary', async () => {
  await expect.poll(() => callOf(place.recentCall), SOON).toMatchObject({ summaryStatus: 'ready' })
  const { recordings } = (await callOf(place.recentCall))!
  const referenceIds = recordings.map(({ pcreId }) => pcreId)
  const search = { referenceIds, referenceTables: [{ id: 21_001 }] }
  const transcripts = await client.ask('POST /rest/core/transcript/search', { body: search })
  expect(transcripts).toMatchObject([{ text: `customer: ${HEARD}\nagent: ${HEARD}` }])
  const body = { activities: [{ eactId: place.recentCall }] }
  const [summary] = await client.ask('POST /rest/svcems/activity-summary/search', { body })
  expect(summary).toMatchObject({ text: SUMMARY })
})

test('engine, board, screen pop and webhook dispatch: an agent talks, and the integrator gets the event', async () => {
  const [anna] = await agentsAtWork(place.opened, clock, place.ssoUrl, ['anna'])
  closeAgents = async () => void (await anna?.leave())
  const [itcaId] = await importTasks(client, campaign, [{ numbers: ['+4520123409'], caseNumber: 'C-1' }])
  const popup = await anna!.hears(({ type, itcaId: of }) => type === 'popup' && of === itcaId)
  expect(popup.url).toContain('https://debt.example/popup?caseNumber=C-1')
  const board = () => client.ask('GET /dialer/board')
  await expect.poll(board, SOON).toMatchObject({ campaigns: [{ callCode: campaign }] })
  await expect.poll(() => place.receiver.heard.size, SOON).toBeGreaterThan(0)
  expect(place.receiver.complaints).toEqual([])
})

test('mail intake and mail sending: an email becomes a case, and the answer to it is sent', async () => {
  expect(await bring(place.lmtp, email(...HEAD, '', 'Hello'), { lmtp: true })).toMatchObject({ code: 250 })
  const [made] = await client.ask('POST /rest/svcems/cases/search', { body: { text: 'invoice' } })
  expect(made).toMatchObject({ queue: { name: 'Campaign' } })
  const to = [{ address: 'petra@debtor.example' }]
  await client.ask('POST /rest/svcems/emails', {
    body: { activity: { eactId: made!.eactId }, to, subject: 'Your invoice', text: 'Thank you' },
  })
  await expect.poll(() => place.elsewhere.arrived.map(({ text }) => text.trim()), SOON).toEqual(['Thank you'])
})

test('mail fetching: the mailbox is visited', async () => {
  await expect.poll(() => place.imap.visits, SOON).toBeGreaterThan(0)
})

test('hold expiry: a case on hold opens again when its time is over', async () => {
  const { eactId } = await client.ask('POST /rest/svcems/case', {
    body: { description: 'Rent', status: 8, corporation: { corpId: 1 }, onHoldToTs: clock.nowMs() + 1_000 },
  })
  expect(await caseOf(Number(eactId))).toMatchObject({ status: 8 })
  await expect.poll(() => caseOf(Number(eactId)), WITHIN_A_MINUTE).toMatchObject({ status: 1, onHoldToTs: null })
})

test('call task expiry: a call task that nobody dialed in its time is over', async () => {
  const search = () => client.ask('POST /dialer/calltaskget', { body: { itcaIds: [expiring], finishedList: [true] } })
  await expect.poll(search, WITHIN_A_MINUTE).toMatchObject({ foundRows: 1, callTasks: [{ answered: false }] })
})

test('agent screens: a page of this node may open one, a foreign page may not', async () => {
  const anna = connect({ ssoUrl: place.ssoUrl, credential: await credentialOf(place.opened, clock, 'anna') })
  const openedFrom = async (origin: string) => {
    const { ticket } = await anna.ask('POST /svcpbx/agents/me/tickets')
    const address = `${place.url.replace(/^http/, 'ws')}/svcpbx/agents/me/events?ticket=${ticket}`
    const socket = new WebSocket(address, { origin })
    const isOpen = await new Promise((done) => socket.once('open', () => done(true)).once('error', () => done(false)))
    socket.close()
    return isOpen
  }
  expect([await openedFrom(place.url), await openedFrom('https://elsewhere.example')]).toEqual([true, false])
})

test('retention: an expired recording is erased, and an expired conversation', async () => {
  await expect.poll(() => place.isKept('old.wav'), AFTER_A_MINUTE).toBe(false)
  expect(await callOf(place.oldCall)).toMatchObject({ recordings: [{ cfreId: null }] })
  expect(await callOf(place.recentCall)).toMatchObject({ recordings: [{ cfreId: expect.any(Number) }] })
  expect(place.isKept('recent.wav')).toBe(true)
  const query = { eactId: [place.oldConversation] }
  const conversation = () => client.ask('GET /rest/svcems/activities', { query })
  await expect.poll(conversation, AFTER_A_MINUTE).toMatchObject([{ subject: '' }])
  const names = async () => (await client.ask('GET /rest/svcems/entity', {})).map(({ name1 }) => name1)
  await expect.poll(names, AFTER_A_MINUTE).not.toContain('Old Contact')
  expect(await names()).toContain('Young Contact')
})

test('a file that the database does not know goes into quarantine, where the command finds it', async () => {
  await expect.poll(() => place.isKept(ORPHAN), AFTER_A_MINUTE).toBe(false)
  const listed = JSON.parse(await switchboard(['quarantine', '--json'], place.env))
  expect(listed).toEqual([
    {
      path: expect.stringMatching(new RegExp(`quarantine/\\d{4}-\\d\\d-\\d\\d/recordings/${ORPHAN}$`)),
      origin: join(place.env.DATA_DIR, 'recordings', ORPHAN),
      sizeBytes: 4,
      takenAt: expect.any(String),
    },
  ])
  expect(readFileSync(listed[0].path, 'utf8')).toBe('RIFF')
})

test('erasure reaches the journal of this node', async () => {
  expect(place.journal()).toContain(ERASED)
  const callCode = await makeCampaign(client, itsyId, { dialMode: 'manual' })
  await importTasks(client, callCode, [{ numbers: [ERASED], caseNumber: 'erased' }])
  await client.ask('POST /rest/core/persons/erase', { body: { number: ERASED, reason: 'asked for' } })
  expect(place.journal()).not.toContain(ERASED)
})
