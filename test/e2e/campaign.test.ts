/** Campaigns on a real switch, driven as an integrator and agents drive them: HTTP, WebSocket, telephones. */
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { openCarrier, type SipCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import type { AnswerOf } from '../../src/client/request.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { FIRST_CORPORATION, type PhoneNumber } from '../../src/kernel/ids.ts'
import { makeLog } from '../../src/kernel/log.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import {
  type AttemptOut,
  agentsAtWork,
  attemptsOf,
  becomesTrue,
  credentialOf,
  importTasks,
  makeCampaign,
  type Receiver,
  SYSTEM_CODE,
  startReceiver,
  type TaskIn,
} from './campaign-live.ts'
import { makePlace, type Place } from './campaign-place.ts'
import { fetchRecording, tonesOf } from './recorded-channels.ts'
import { FLOW, LINE } from './service-line.ts'
import type { SteadyAgent } from './steady-agent.ts'

const CALLER_HZ = 440
const AGENT_HZ = 620

const clock = new RealClock()
const random = seededRandom(process.pid)
let place: Place
let service: Service
let carrier: SipCarrier
let receiver: Receiver
let client: Client
let credential: Credential
let itsyId: number
let ssoUrl: string
let annasPhone: SippAgentPhone
let bensPhone: SipCarrier
let anna: SteadyAgent
let lastNumber = 22_200_000

beforeAll(async () => {
  receiver = await startReceiver(clock)
  place = await makePlace({
    agents: ['anna', 'ben'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    numbers: [`"${LINE}": { flow: service-line, language: en, externalSystem: ${SYSTEM_CODE} }`],
    flows: { 'service-line': FLOW },
    allowedHosts: [new URL(receiver.url).host],
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  itsyId = await systemWithPage()
  const log = makeLog('warn')
  const started = await startService({
    settings: place.settings,
    env: place.env,
    clock,
    random,
    log,
    onLine: () => {},
    treeDirectory: place.treeDirectory,
  })
  if ('ok' in started) throw new Error(JSON.stringify(started))
  service = started
  ssoUrl = service.core!.rest.ssoUrl!
  const kit = { sipp: service.asterisk!.tree.sipp!, clock, random }
  const [annas, bens] = [place.phones.get('anna')!, place.phones.get('ben')!]
  const voice = { toneHz: AGENT_HZ, listensFor: [CALLER_HZ] }
  annasPhone = await answerPhone({ kit, at: annas, person: { does: 'answer', afterMs: 100 }, ...voice })
  bensPhone = await openCarrier({
    clock,
    random,
    ...bens,
    ...voice,
    contactOf: () => ({ does: 'answer', afterMs: 100 }),
  })
  carrier = await openCarrier({ clock, random, ...place.carrier, toneHz: CALLER_HZ, listensFor: [AGENT_HZ] })
  credential = await credentialOf(service.repositories!, clock)
  client = connect({ ssoUrl, credential })
  const hook = { url: `${receiver.url}/hooks`, events: ['phone-call.ended'] as const }
  receiver.trust((await client.ask('POST /rest/core/webhooks', { body: hook })).secret)
  ;[anna] = (await agentsAtWork(service.repositories!, clock, ssoUrl, ['anna'])) as [SteadyAgent]
})

afterAll(async () => {
  await anna?.leave()
  await annasPhone?.close()
  await bensPhone?.close()
  await service?.stop()
  await carrier?.close()
  await receiver?.close()
  await place?.remove()
})

/** A missing event leaves only the other events to look at. */
beforeEach(() =>
  onTestFailed(async () => {
    const invites = carrier.invites().slice(-3)
    const [switchboard, rings] = [await place.ari('channels'), annasPhone.rings]
    const seen = { anna: anna.state, rings, invites, news: anna.news.slice(-12), switchboard }
    process.stderr.write(`what there was when it failed: ${JSON.stringify(seen)}\n`)
  }),
)

/** Created before the service starts, which knows the page from its first call on. */
async function systemWithPage(): Promise<number> {
  const opened = await place.openDatabaseFor()
  const made = await opened.directory.addExternalSystem(FIRST_CORPORATION, {
    code: SYSTEM_CODE,
    name: 'Debt system',
    lookup: null,
    allowedHosts: [],
    active: true,
    popupUrlTemplate: 'https://debt.example/popup?caseNumber={$CODE}&phone={$CALLER}',
  })
  await opened.database.close()
  if (typeof made === 'string') throw new Error(made)
  return made.id
}

/** An unused number; its last two digits select the callee (magic-numbers.ts). */
function numberOf(ending: string): PhoneNumber {
  lastNumber += 100
  return `+45${lastNumber + Number(ending)}` as PhoneNumber
}

/** A campaign of its own with these tasks. Returns their ids. */
async function campaign(settings: Readonly<Record<string, unknown>>, tasks: readonly TaskIn[], attempts?: Attempts) {
  const callCode = await makeCampaign(client, itsyId, settings)
  return importTasks(client, callCode, tasks, attempts)
}

type Attempts = Parameters<typeof importTasks>[3]

/** The attempts of a task, once there are so many and all have ended; looked up at each event of an ended call. */
async function endedAttempts(itcaId: number, count = 1): Promise<AttemptOut[]> {
  for (;;) {
    const told = receiver.heard.size
    const attempts = await attemptsOf(client, [itcaId])
    if (attempts.length >= count && attempts.every(({ endTs }) => endTs !== null)) {
      return attempts.toSorted((one, other) => one.attemptNo - other.attemptNo)
    }
    const isMore = await becomesTrue(clock, () => receiver.heard.size > told, { everyMs: 20 })
    if (!isMore) throw new Error(`no call ends any more; attempts so far: ${JSON.stringify(attempts)}`)
  }
}

type CallOut = AnswerOf<'POST /svcems/calls/search'>[number]

/** Looks a call up, as a system does after its event. */
async function callOf(eactId: number | string): Promise<CallOut> {
  const [call] = await client.ask('POST /svcems/calls/search', { body: { eactIds: [eactId] } })
  return call!
}

async function taskOf(itcaId: number) {
  const { callTasks } = await client.ask('POST /dialer/calltaskget', { body: { itcaIds: [itcaId] } })
  return callTasks[0]
}

/** The next call event of an unknown call. */
async function nextTold(known: ReadonlySet<string>): Promise<string> {
  await becomesTrue(clock, () => [...receiver.heard.keys()].some((id) => !known.has(id)))
  return [...receiver.heard.keys()].find((id) => !known.has(id))!
}

const caller = (from: string, presses?: { afterMs: number; keys: string }[]) =>
  callIn({
    kit: { sipp: service.asterisk!.tree.sipp!, clock, random },
    target: place.sip,
    from: place.carrier.host,
    called: LINE,
    caller: from,
    toneHz: CALLER_HZ,
    listensFor: [AGENT_HZ],
    person: { ...(presses && { presses }) },
  })

/** The conversation of the first test; the next tests check its traces. */
let talked: { readonly number: PhoneNumber; readonly itcaId: number; readonly attempt: AttemptOut; call: CallOut }

test('the dialer calls an imported task, and debtor and agent hear each other', async () => {
  const number = numberOf('01')
  const settings = { recording: { mode: 'always' } }
  const [itcaId] = await campaign(settings, [{ numbers: [number, numberOf('01')], caseNumber: 'C-4711' }])
  const debtor = await carrier.contact(number)
  await Promise.all([debtor.ear.whenHeard(AGENT_HZ, 1_000), annasPhone.ear.whenHeard(CALLER_HZ, 400)])
  debtor.hangUp()
  const [attempt] = await endedAttempts(itcaId!)
  expect(attempt).toMatchObject({ resultName: 'ANSWERED', callNumber: number, attemptNo: 1 })
  expect(debtor.invite.reference).toBe(String(attempt!.iccaId))
  talked = { number, itcaId: itcaId!, attempt: attempt!, call: await callOf(attempt!.eactId!) }
})

test('the case opened on the screen of the connected agent', () => {
  const { itcaId, number } = talked
  const popups = anna.news.filter((news) => news.type === 'popup' && news['itcaId'] === itcaId)
  const url = `https://debt.example/popup?caseNumber=C-4711&phone=${encodeURIComponent(number)}`
  expect(popups).toMatchObject([{ reason: 'a', url }])
})

test('event, call, attempt and task agree on it', async () => {
  const { attempt, call, itcaId } = talked
  expect(await becomesTrue(clock, () => receiver.heard.has(String(attempt.eactId)))).toBe(true)
  expect(receiver.complaints).toEqual([])
  expect(call).toMatchObject({ direction: 2, externalSystem: { itsyId }, systemLookupCode: 'C-4711' })
  expect(call.callAttempt?.iccaId).toBe(attempt.iccaId)
  expect(call.agent?.name).toBe('anna')
  expect(await taskOf(itcaId)).toMatchObject({ finished: true, answered: true })
})

test('the recording is stored with the call and served in ranges: debtor left, agent right', async () => {
  const { cfreId } = talked.call.recordings[0]!
  const head = await fetchRecording(client, credential, cfreId!, 'bytes=0-43')
  expect(head.headers.get('content-range')).toMatch(/^bytes 0-43\/\d+$/)
  expect([head.sound.toString('latin1', 0, 4), head.sound.readUInt16LE(22)]).toEqual(['RIFF', 2])
  const { sound } = await fetchRecording(client, credential, cfreId!, 'bytes=44-')
  expect(tonesOf(sound, [CALLER_HZ, AGENT_HZ])).toEqual([
    [true, false],
    [false, true],
  ])
})

test('a task ended while it rings is withdrawn within 2 s and not called again', async () => {
  const number = numberOf('03')
  const [itcaId] = await campaign({}, [{ numbers: [number], caseNumber: 'C-2' }], {
    maxCallAttempts: 5,
    minCallIntervalHours: 0,
  })
  const debtor = await carrier.contact(number)
  const askedAtMs = clock.nowMs()
  await client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId: itcaId! }, body: { reasonCode: 'PAID' } })
  expect(await debtor.ended).toBe('switch')
  expect(debtor.invite.endedAtMs! - askedAtMs).toBeLessThan(2_000)
  const [attempt] = await endedAttempts(itcaId!)
  expect(attempt!.resultName).toBe('CANCELLED')
  expect(await becomesTrue(clock, () => receiver.heard.has(String(attempt!.eactId)))).toBe(true)
  expect((await callOf(attempt!.eactId!)).startTs).toBeNull()
  expect(carrier.invites().filter((invite) => invite.number === number)).toHaveLength(1)
})

test('a voicemail is told from a person and is not connected to an agent', async () => {
  const number = numberOf('04')
  const settings = { machineDetection: { enabled: true, action: 'hangup', maxErrorPercent: 100 } }
  const [itcaId] = await campaign(settings, [{ numbers: [number], caseNumber: 'C-3' }])
  const debtor = await carrier.contact(number)
  expect(await debtor.ended).toBe('switch')
  expect((await endedAttempts(itcaId!))[0]).toMatchObject({ resultName: 'VOICEMAIL' })
  expect(debtor.ear.heardTone(AGENT_HZ)).toBe(0)
})

/** A minute lies between any two attempts (D-12); the test does not wait for it. */
async function asIfTwoMinutesAgo(itcaId: number): Promise<void> {
  const { jobs } = service.repositories!.database.pools
  const earlier = (column: string) => `${column} = ${column} - 120000`
  const ended = ['claimed_at_ms', 'dialed_at_ms', 'ringing_at_ms', 'ended_at_ms'].map(earlier).join(', ')
  await jobs.query(`update attempts set ${ended} where task_id = $1`, [itcaId])
  await jobs.query(`update call_tasks set ${earlier('next_call_at_ms')} where id = $1`, [itcaId])
}

test('each attempt dials one number, the next of the list, until all are used up', async () => {
  const numbers = [numberOf('02'), numberOf('05')]
  const [itcaId] = await campaign({}, [{ numbers, caseNumber: 'C-4' }], {
    maxCallAttempts: 2,
    minCallIntervalHours: 0,
  })
  await endedAttempts(itcaId!)
  await asIfTwoMinutesAgo(itcaId!)
  const attempts = await endedAttempts(itcaId!, 2)
  expect(attempts.map(({ callNumber }) => callNumber)).toEqual(numbers)
  expect(attempts.map(({ resultName }) => resultName)).toEqual(['BUSY', 'REJECTED'])
  expect(await becomesTrue(clock, async () => (await taskOf(itcaId!))?.['finished'] === true, { everyMs: 500 })).toBe(
    true,
  )
})

test('several numbers of a task ring at once; the first to answer gets the agent', async () => {
  const callCode = await makeCampaign(client, itsyId, { parallelCalls: 2 })
  // The ledger has room for a number beside another one after 34 answered calls without an abandoned one; a busy
  // machine may join an answer too late. A campaign in which more than 30 hang up at once pauses itself.
  const hasRoom = async () => {
    const { campaigns } = await client.ask('GET /dialer/board')
    const board = campaigns.find((one) => one.callCode === callCode)
    return board === undefined || board.ledgers.every(({ allowed, abandoned }) => allowed > abandoned)
  }
  const endings = Array.from({ length: 34 }, (_, place) => (place < 28 ? '06' : '09'))
  do {
    const answered = endings.map((ending, place) => ({ numbers: [numberOf(ending)], caseNumber: `A-${place}` }))
    for (const itcaId of await importTasks(client, callCode, answered)) await endedAttempts(itcaId)
  } while (!(await hasRoom()))
  const [silent, quick] = [numberOf('03'), numberOf('11')]
  const numbers = [silent, quick]
  const [itcaId] = await importTasks(client, callCode, [{ numbers, caseNumber: 'C-5' }], {
    maxCallAttempts: 3,
    minCallIntervalHours: 4,
  })
  const [other, first] = await Promise.all([carrier.contact(silent), carrier.contact(quick)])
  await first.ear.whenHeard(AGENT_HZ, 300)
  expect(await other.ended).toBe('switch')
  first.hangUp()
  const attempts = await endedAttempts(itcaId!, 2)
  const results = Object.fromEntries(attempts.map(({ callNumber, resultName }) => [callNumber, resultName]))
  expect(results).toEqual({ [silent]: 'CANCELLED', [quick]: 'ANSWERED' })
})

test('in preview the agent sees the task first, and only their order dials it', async () => {
  await anna.is('ready')
  const number = numberOf('01')
  const [itcaId] = await campaign({ dialMode: 'preview' }, [{ numbers: [number], caseNumber: 'C-6' }])
  const isOffer = ({ type, callTask }: { type: string; callTask?: unknown }) =>
    type === 'preview' && (callTask as { itcaId: number }).itcaId === itcaId
  await anna.hears(isOffer)
  expect(carrier.invites().some((invite) => invite.number === number)).toBe(false)
  expect((await anna.order({ type: 'dial' })).body).toEqual({ ok: true })
  const debtor = await carrier.contact(number)
  await debtor.ear.whenHeard(AGENT_HZ, 300)
  debtor.hangUp()
  expect((await endedAttempts(itcaId!))[0]).toMatchObject({ resultName: 'ANSWERED' })
})

test('a caller with a known number gets the agent, and their case opens', async () => {
  const number = numberOf('02')
  const [itcaId] = await campaign({}, [{ numbers: [number], caseNumber: 'C-7' }])
  const [attempt] = await endedAttempts(itcaId!)
  await anna.is('ready')
  const rings = annasPhone.rings
  const told = new Set(receiver.heard.keys())
  const phone = await caller(number)
  await phone.ear.whenHeard(AGENT_HZ, 500)
  const popup = await anna.hears(({ type, reason }) => type === 'popup' && reason === 'b')
  expect(popup.url).toBe(`https://debt.example/popup?caseNumber=C-7&phone=${encodeURIComponent(number)}`)
  expect(annasPhone.rings).toBe(rings)
  await anna.order({ type: 'hangUp', callId: popup['callId'] })
  expect(await phone.result).toMatchObject({ outcome: 'connected', hungUpBy: 'switch' })
  const call = await callOf(await nextTold(told))
  expect(call).toMatchObject({ direction: 1, resultName: 'ANSWERED', systemLookupCode: 'C-7' })
  const [contact] = await client.ask('GET /rest/svcems/entity', { query: { number, getExtensions: true } })
  const { eeexId, extensionLinks } = contact!.extensions![0]!
  expect(extensionLinks).toEqual([{ itsyId, systemCode: SYSTEM_CODE, extCustId: 'D-C-7' }])
  const activities = await client.ask('GET /rest/svcems/activities', { query: { eeexId: [eeexId] } })
  expect(activities.map(({ eactId }) => eactId)).toEqual([call.eactId, attempt!.eactId])
})

test('an unknown caller types a case number: it opens and stands in the call', async () => {
  await anna.is('ready')
  const told = new Set(receiver.heard.keys())
  const phone = await caller('+4599887766', [{ afterMs: 1_000, keys: '4714' }])
  await phone.ear.whenHeard(AGENT_HZ, 300)
  const popup = await anna.hears(({ type, reason }) => type === 'popup' && reason === 'c')
  expect(popup.url).toBe('https://debt.example/popup?caseNumber=4714&phone=%2B4599887766')
  await anna.order({ type: 'hangUp', callId: popup['callId'] })
  await phone.result
  const call = await callOf(await nextTold(told))
  const externalSystem = { itsyId, systemCode: SYSTEM_CODE }
  expect(call).toMatchObject({ direction: 1, systemLookupCode: '4714', externalSystem })
  expect(call.callAttempt).toBeUndefined()
  expect(call.startTs).not.toBeNull()
})

test('an agent whose phone disconnects is called again, and the debtor stays in the conversation', async () => {
  await anna.leave()
  const [ben] = (await agentsAtWork(service.repositories!, clock, ssoUrl, ['ben'])) as [SteadyAgent]
  const number = numberOf('01')
  const [itcaId] = await campaign({}, [{ numbers: [number], caseNumber: 'C-9' }])
  const debtor = await carrier.contact(number)
  await debtor.ear.whenHeard(AGENT_HZ, 400)
  const before = debtor.ear.heardTone(AGENT_HZ)
  const phone = await bensPhone.contact(bensPhone.invites()[0]!.number)
  phone.hangUp()
  await phone.ended
  await debtor.ear.whenHeard(AGENT_HZ, before + 600)
  expect(bensPhone.invites()).toHaveLength(2)
  expect(carrier.invites().filter((invite) => invite.number === number)).toHaveLength(1)
  debtor.hangUp()
  expect((await endedAttempts(itcaId!))[0]).toMatchObject({ resultName: 'ANSWERED' })
  await ben.leave()
})
