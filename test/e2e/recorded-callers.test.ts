/** Callers on a real Asterisk whose talks with agents are recorded, or are not, as number, flow and agent say. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'
import { type RunningServer, sendJson, serve } from '../../demo/servers/web-server.ts'
import { openCarrier } from '../../demo/sip/sip-carrier.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import type { OpenDatabase } from '../../src/app/repositories.ts'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import type { AnswerOf } from '../../src/client/request.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Callee, Caller } from '../../src/sim/person.ts'
import { agentsAtWork, becomesTrue, credentialOf, makeSystem, type Receiver, startReceiver } from './campaign-live.ts'
import { makePlace, type Place, TEAM } from './campaign-place.ts'
import { type EngineProcess, startEngine } from './engine-process.ts'
import { fetchRecording, tonesOf } from './recorded-channels.ts'

const [ALWAYS, UNWRITTEN, BY_CONSENT, UNRECORDED] = ['+4570004001', '+4570004002', '+4570004003', '+4570004004']
const CHOSEN = '+4570004005'
const [CALLER_HZ, AGENT_HZ] = [440, 620]
/** A caller whose agent hangs up waits for the next one; whoever presses 1 agrees to be recorded. */
const FLOW = `flow: talk
start: ask
vars: { agreed: false }
steps:
  ask:
    menu: { prompt: One or two?, keys: { "1": agree, "2": team }, firstDigitTimeout: 1s, tries: 1 }
    on: { noInput: team, failed: team }
  agree: { set: { agreed: true }, next: team }
  team:
    queue: { team: ${TEAM}, recordingConsent: "\${agreed}", timeout: 1m }
    next: team
    on: { failed: bye }
  bye: { hangup: { say: Goodbye. } }
`

/** The talks of this team are recorded; whoever presses 1 is left out. */
const CHOSEN_FLOW = `flow: chosen
start: ask
steps:
  ask: { menu: { prompt: One or two?, keys: { "1": left-out, "2": kept } }, on: { failed: kept } }
  left-out: { queue: { team: kept, recording: off, timeout: 1m }, next: bye, on: { failed: bye } }
  kept: { queue: { team: kept, timeout: 1m }, next: bye, on: { failed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

const clock = new RealClock()
const random = seededRandom(process.pid)
let speech: RunningServer
let receiver: Receiver
let place: Place
let engine: EngineProcess
let database: OpenDatabase
let credential: Credential
let client: Client
let ssoUrl: string
let lastCaller = 4_552_000_000

beforeAll(async () => {
  receiver = await startReceiver(clock)
  speech = await serve((request, response) => {
    request.resume().once('end', () => {
      const segments = [{ start: 0.1, end: 0.4, text: 'Good day' }]
      sendJson(response, 200, { task: 'transcribe', language: 'english', text: 'Good day', segments })
    })
  })
  place = await makePlace({
    agents: ['cleo'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    numbers: [
      `"${ALWAYS}": { flow: talk, language: en, recording: { mode: always } }`,
      `"${UNWRITTEN}": { flow: talk, language: en, recording: { mode: always, transcribe: false } }`,
      `"${BY_CONSENT}": { flow: talk, language: en, recording: { mode: consent } }`,
      `"${UNRECORDED}": { flow: talk, language: en }`,
      `"${CHOSEN}": { flow: chosen, language: en }`,
    ],
    flows: { talk: FLOW, chosen: CHOSEN_FLOW },
    teams: ['kept'],
    teamKeys: { kept: ', recording: { mode: always }' },
    allowedHosts: [new URL(receiver.url).host],
    env: {
      DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9',
      DEMO_CASE_INFO_TOKEN: 'none',
      TRANSCRIBE_URL: `${speech.url}/v1`,
    },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  database = await place.openDatabaseFor()
  engine = startEngine(place)
  await engine.ready
  ssoUrl = `http://127.0.0.1:${place.settings.ssoPort}`
  credential = await credentialOf(database, clock)
  client = connect({ ssoUrl, credential })
  await makeSystem(client, receiver)
})

afterAll(async () => {
  await engine?.kill('SIGTERM')
  await database?.database.close()
  await Promise.all([receiver?.close(), speech?.close()])
  await place?.remove()
})

async function startNext(): Promise<void> {
  engine = startEngine(place)
  await engine.ready
}

const kit = () => ({ sipp: findTree(place.treeDirectory)!.sipp!, clock, random })

async function cleo(person: Callee): Promise<SippAgentPhone> {
  const voice = { toneHz: AGENT_HZ, listensFor: [CALLER_HZ] }
  const phone = await answerPhone({ kit: kit(), at: place.phones.get('cleo')!, person, ...voice })
  onTestFinished(() => phone.close())
  return phone
}

async function caller(called: string, person: Caller) {
  const from = `+${++lastCaller}`
  const voice = { toneHz: CALLER_HZ, listensFor: [AGENT_HZ] }
  const call = { kit: kit(), target: place.sip, from: place.carrier.host, called, caller: from, person, ...voice }
  const phone = await callIn(call)
  onTestFinished(() => phone.close())
  return { ...phone, from }
}

type Call = AnswerOf<'POST /svcems/calls/search'>[number]

const known = new Set<string>()

/** The call of the next event; every event comes once. */
async function nextTold(): Promise<Call> {
  const news = () => [...receiver.heard.keys()].filter((id) => !known.has(id))
  expect(await becomesTrue(clock, () => news().length > 0)).toBe(true)
  const eactIds = news()
  for (const id of eactIds) known.add(id)
  expect([eactIds.length, receiver.complaints]).toEqual([1, []])
  return callOf(eactIds[0]!)
}

async function callOf(eactId: string | number): Promise<Call> {
  return (await client.ask('POST /svcems/calls/search', { body: { eactIds: [eactId] } }))[0]!
}

const TALK_MS = 6_000
const agrees = { presses: [{ afterMs: 500, keys: '1' }], hangsUpAfterMs: TALK_MS }
const declines = { presses: [{ afterMs: 500, keys: '2' }], hangsUpAfterMs: TALK_MS }

async function tonesIn({ recordings }: Pick<Call, 'recordings'>): Promise<boolean[][][]> {
  const sounds = recordings.map(({ cfreId }) => fetchRecording(client, credential, cfreId!, 'bytes=44-'))
  return (await Promise.all(sounds)).map(({ sound }) => tonesOf(sound, [CALLER_HZ, AGENT_HZ]))
}

/** Caller left, agent right. */
const BOTH_VOICES = [
  [true, false],
  [false, true],
]

test('a talk is recorded: file, transcript and summary; a legal hold keeps them, erasure removes them', async () => {
  await cleo({ does: 'answer', afterMs: 100 })
  const { from } = await caller(ALWAYS, declines)
  const call = await nextTold()
  expect(call).toMatchObject({ callNumber: from, direction: 1, resultName: 'ANSWERED', recordings: [{}] })
  expect(await tonesIn(call)).toEqual([BOTH_VOICES])
  const [{ startTs, endTs, pcreId }] = call.recordings as [Call['recordings'][number]]
  // Neither the flow before the agent nor the wait is in it.
  expect(startTs! > call.startTs! && endTs! > startTs!).toBe(true)
  expect(await becomesTrue(clock, async () => (await callOf(call.eactId)).summaryStatus === 'ready')).toBe(true)
  const search = { referenceIds: [pcreId], referenceTables: [{ id: 21_001 as const }] }
  const transcripts = () => client.ask('POST /rest/core/transcript/search', { body: search })
  expect(await transcripts()).toMatchObject([{ text: 'customer: Good day\nagent: Good day' }])
  const reason = 'lawsuit 1'
  const { holdId } = await client.ask('POST /rest/core/legalholds', { body: { number: from, reason } })
  const erase = () => client.ask('POST /rest/core/persons/erase', { body: { number: from, reason } })
  await expect(erase()).rejects.toMatchObject({ status: 409 })
  expect(await tonesIn(await callOf(call.eactId))).toEqual([BOTH_VOICES])
  await client.ask('DELETE /rest/core/legalholds/{holdId}', { params: { holdId: String(holdId) } })
  expect(await erase()).toMatchObject({ calls: 1 })
  expect([(await callOf(call.eactId)).recordings, await transcripts()]).toMatchObject([[{ cfreId: null }], []])
})

test.each([
  { name: 'who agrees, on a number that asks', called: BY_CONSENT, person: agrees, recorded: [BOTH_VOICES] },
  { name: 'who declines, on a number that asks', called: BY_CONSENT, person: declines, recorded: [] },
  { name: 'who agrees, on a number without a setting', called: UNRECORDED, person: agrees, recorded: [] },
  { name: 'of a team whose talks are recorded', called: CHOSEN, person: declines, recorded: [BOTH_VOICES] },
  { name: 'whom the step leaves out', called: CHOSEN, person: agrees, recorded: [] },
])('of a caller $name', async ({ called, person, recorded }) => {
  const agent = await cleo({ does: 'answer', afterMs: 100 })
  await caller(called, person)
  const call = await nextTold()
  expect(agent.ear.heardTone(CALLER_HZ)).toBeGreaterThan(1_000)
  expect(await tonesIn(call)).toEqual(recorded)
})

test('each talk of a caller has its own recording; no transcript where excluded', async () => {
  await cleo({ does: 'answer', afterMs: 100, hangsUpAfterMs: 2_500 })
  await caller(UNWRITTEN, { ...declines, hangsUpAfterMs: 20_000 })
  const call = await nextTold()
  const [first, second] = call.recordings
  // The last talk may be too short to have a sound.
  expect(await tonesIn({ recordings: call.recordings.slice(0, 2) })).toEqual([BOTH_VOICES, BOTH_VOICES])
  expect(first!.endTs! <= second!.startTs!).toBe(true)
  const jobs = 'select id from call_jobs where activity_id = $1 union select id from transcripts where activity_id = $1'
  const excluded = 'select transcription_decided from recordings where activity_id = $1'
  const rows = async (text: string) => (await database.database.pools.jobs.query(text, [call.eactId])).rows
  expect([await rows(jobs), new Set((await rows(excluded)).map((row) => row.transcription_decided))]).toEqual([
    [],
    new Set([true]),
  ])
})

/** Cleo's phone, which hangs up when the test says so. The call that it is in, once the caller is heard. */
async function talkingCleo(hangsUpAfterMs: number) {
  const voice = { toneHz: AGENT_HZ, listensFor: [CALLER_HZ] }
  const contactOf = () => ({ does: 'answer', afterMs: 100 }) as const
  const phone = await openCarrier({ clock, random, ...place.phones.get('cleo')!, ...voice, contactOf })
  onTestFinished(() => phone.close())
  const { result } = await caller(ALWAYS, { ...declines, hangsUpAfterMs })
  expect(await becomesTrue(clock, () => phone.invites().length > 0)).toBe(true)
  const talk = await phone.contact(phone.invites()[0]!.number)
  await talk.ear.whenHeard(CALLER_HZ, 1_000)
  return { phone, talk, result }
}

test('a recording goes on through a kill of the engine, and is filed with the call', async () => {
  const { phone, talk } = await talkingCleo(110_000)
  await engine.kill('SIGKILL')
  const killedAtMs = clock.nowMs()
  await startNext()
  const heard = talk.ear.heardTone(CALLER_HZ)
  expect(await becomesTrue(clock, () => talk.ear.heardTone(CALLER_HZ) > heard + 1_000)).toBe(true)
  talk.hangUp()
  const call = await nextTold()
  expect([await tonesIn(call), phone.invites().length]).toEqual([[BOTH_VOICES], 1])
  const [{ startTs, endTs }] = call.recordings as [Call['recordings'][number]]
  expect(Date.parse(startTs!) < killedAtMs && Date.parse(endTs!) > killedAtMs).toBe(true)
})

test('the recording of a talk that ended while no engine was there is filed with the call', async () => {
  const { phone, result } = await talkingCleo(10_000)
  await engine.kill('SIGKILL')
  await result
  await phone.close()
  await startNext()
  const call = await nextTold()
  expect(call).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'cleo' } })
  expect(await tonesIn(call)).toEqual([BOTH_VOICES])
  expect(call.recordings[0]!.endTs! <= call.endTs!).toBe(true)
})

test('an agent says that the caller agrees: the recording begins then', async () => {
  await cleo({ does: 'answer', afterMs: 100 })
  const [agent] = await agentsAtWork(database, clock, ssoUrl, ['cleo'])
  onTestFinished(() => agent!.leave())
  await caller(BY_CONSENT, { ...declines, hangsUpAfterMs: 8_000 })
  await agent!.hears(({ type }) => type === 'call')
  expect(await agent!.order({ type: 'recordingConsent' })).toMatchObject({ status: 200 })
  expect(await tonesIn(await nextTold())).toEqual([BOTH_VOICES])
})
