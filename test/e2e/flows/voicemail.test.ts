/** Callers on a real Asterisk who leave a message: what the file holds, who is told, and what a crash takes. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { recordingsFolder } from '../../../asterisk/general.ts'
import { findTree } from '../../../asterisk/tree.ts'
import { FRAME_MS, FRAME_SAMPLES } from '../../../demo/sip/audio.ts'
import { callIn } from '../../../demo/sip/sipp-phone.ts'
import type { OpenDatabase } from '../../../src/app/repositories.ts'
import { type Client, type Credential, connect } from '../../../src/client/client.ts'
import type { AnswerOf } from '../../../src/client/request.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { shareOfTone } from '../../../src/listening/tone.ts'
import type { Caller } from '../../../src/sim/person.ts'
import { becomesTrue, credentialOf, makeSystem, type Receiver, startReceiver } from '../campaign-live.ts'
import { makePlace, type Place, TEAM } from '../campaign-place.ts'
import { type EngineProcess, startEngine } from '../engine-process.ts'
import { fetchRecording } from '../recorded-channels.ts'

const NUMBER = '+4570005001'
const CALLER_HZ = 440
const FLOW = `flow: voicemail
start: message
vars: { outcome: none }
activity: { systemLookupCode: "\${outcome} \${message.url | default '-'}" }
onHangup:
  - set: { over: true }
steps:
  message:
    record: { prompt: Speak., max: 20s, silence: 4s, team: ${TEAM} }
    as: message
    next: left
    on: { noInput: silent, failed: broken }
  left: { set: { outcome: left }, next: bye }
  silent: { set: { outcome: silent }, next: bye }
  broken: { set: { outcome: broken }, next: bye }
  bye: { hangup: { say: Goodbye. } }
`

const clock = new RealClock()
const random = seededRandom(process.pid)
let receiver: Receiver
let place: Place
let engine: EngineProcess
let database: OpenDatabase
let credential: Credential
let client: Client
let lastCaller = 4_553_000_000

beforeAll(async () => {
  receiver = await startReceiver(clock)
  place = await makePlace({
    agents: ['cleo'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    numbers: [`"${NUMBER}": { flow: voicemail, language: en }`],
    flows: { voicemail: FLOW },
    allowedHosts: [new URL(receiver.url).host],
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  database = await place.openDatabaseFor()
  engine = startEngine(place)
  await engine.ready
  credential = await credentialOf(database, clock)
  client = connect({ ssoUrl: `http://127.0.0.1:${place.settings.ssoPort}`, credential })
  await makeSystem(client, receiver)
})

afterAll(async () => {
  await engine?.kill('SIGTERM')
  await database?.database.close()
  await receiver?.close()
  await place?.remove()
})

/** Where Asterisk writes. */
const folder = () => recordingsFolder(join(place.settings.dataDir, 'asterisk-run'))

async function caller(person: Caller) {
  const kit = { sipp: findTree(place.treeDirectory)!.sipp!, clock, random }
  const from = `+${++lastCaller}`
  const call = { kit, target: place.sip, from: place.carrier.host, called: NUMBER, caller: from, person }
  const phone = await callIn({ ...call, toneHz: CALLER_HZ })
  onTestFinished(() => phone.close())
  return phone
}

type Call = AnswerOf<'POST /svcems/calls/search'>[number]

const known = new Set<string>()

/** The call of the next event, as a user finds it. */
async function nextTold(): Promise<Call> {
  const news = () => [...receiver.heard.keys()].filter((id) => !known.has(id))
  expect(await becomesTrue(clock, () => news().length > 0)).toBe(true)
  const eactIds = news()
  for (const id of eactIds) known.add(id)
  expect([eactIds.length, receiver.complaints]).toEqual([1, []])
  return (await client.ask('POST /svcems/calls/search', { body: { eactIds } }))[0]!
}

/** Of a message that is downloaded: channels, its length, how long it has the caller's tone, and when that begins. */
async function listenTo({ cfreId }: Call['recordings'][number]) {
  const { sound } = await fetchRecording(client, credential, cfreId!, 'bytes=0-')
  const samples = Array.from({ length: (sound.length - 44) / 2 }, (_, at) => sound.readInt16LE(44 + at * 2))
  const frames = Array.from({ length: Math.floor(samples.length / FRAME_SAMPLES) }, (_, at) =>
    samples.slice(at * FRAME_SAMPLES, (at + 1) * FRAME_SAMPLES),
  )
  const isTone = frames.map((frame) => shareOfTone(frame, CALLER_HZ) > 0.5)
  return {
    channels: sound.readUInt16LE(22),
    ms: frames.length * FRAME_MS,
    toneMs: isTone.filter(Boolean).length * FRAME_MS,
    fromMs: isTone.indexOf(true) * FRAME_MS,
    untilMs: (isTone.lastIndexOf(true) + 1) * FRAME_MS,
  }
}

test('a message holds what the caller said, and nothing of us; team and address are with the call', async () => {
  await caller({ speaks: [{ afterMs: 4_000, forMs: 3_000 }] })
  const call = await nextTold()
  const [message] = call.recordings
  expect(call).toMatchObject({ queue: { name: TEAM }, recordings: [{ voicemail: true }], resultName: 'ANSWERED' })
  expect(call.systemLookupCode).toBe(`left /rest/core/corefile?cfreId=${message!.cfreId}`)
  const heard = await listenTo(message!)
  expect([heard.channels, Math.round(heard.toneMs / 500)]).toEqual([1, 6])
  // Of the silence at the end, 0.2 s stay.
  expect(heard.ms - heard.untilMs).toBeLessThan(1_000)
})

test('the finish key ends the message', async () => {
  await caller({ speaks: [{ afterMs: 0, forMs: 30_000 }], presses: [{ afterMs: 6_000, keys: '#' }] })
  const [message] = (await nextTold()).recordings
  const heard = await listenTo(message!)
  expect(heard.toneMs).toBeGreaterThan(2_000)
  expect(heard.ms).toBeLessThan(10_000)
})

test('a caller who hangs up while they speak has left a message, and the flow knows its address', async () => {
  await caller({ speaks: [{ afterMs: 0, forMs: 30_000 }], hangsUpAfterMs: 7_000 })
  const call = await nextTold()
  const [message] = call.recordings
  expect(call).toMatchObject({ hangupBy: 'caller', recordings: [{ voicemail: true }] })
  expect(call.systemLookupCode).toBe(`none /rest/core/corefile?cfreId=${message!.cfreId}`)
  expect((await listenTo(message!)).toneMs).toBeGreaterThan(2_000)
})

test('of a caller who says nothing, nothing is kept', async () => {
  await caller({ speaks: [] })
  expect(await nextTold()).toMatchObject({ systemLookupCode: 'silent -', recordings: [] })
})

test('a message is kept although the engine is killed; the caller is asked again', async () => {
  await caller({ speaks: [{ afterMs: 0, forMs: 60_000 }], hangsUpAfterMs: 60_000 })
  const before = new Set(readdirSync(folder()))
  // One second of the caller is on disk.
  const isLong = (name: string) => !before.has(name) && statSync(join(folder(), name)).size > 16_000
  expect(await becomesTrue(clock, () => readdirSync(folder()).some(isLong))).toBe(true)
  await engine.kill('SIGKILL')
  engine = startEngine(place)
  await engine.ready
  const call = await nextTold()
  expect(call.recordings.length).toBe(2)
  const heard = await Promise.all(call.recordings.map(listenTo))
  for (const { toneMs, ms } of heard) expect(toneMs).toBeGreaterThan(ms / 2)
})

test('where the switch cannot write, the flow goes on, and row and journal say why', async () => {
  renameSync(folder(), `${folder()}.away`)
  writeFileSync(folder(), 'no folder')
  await caller({ speaks: [{ afterMs: 0, forMs: 30_000 }], hangsUpAfterMs: 20_000 })
  const call = await nextTold()
  rmSync(folder())
  renameSync(`${folder()}.away`, folder())
  expect(call).toMatchObject({ systemLookupCode: 'broken -', recordings: [{ cfreId: null, voicemail: true }] })
  const { rows } = await database.database.pools.jobs.query('select why from recordings where activity_id = $1', [
    call.eactId,
  ])
  const journal = readdirSync(join(place.settings.dataDir, 'journal'), { recursive: true, encoding: 'utf8' })
  const lines = journal.flatMap((name) =>
    readFileSync(join(place.settings.dataDir, 'journal', name), 'utf8').split('\n'),
  )
  expect(lines.filter((line) => line.includes('"step.left"') && line.includes(rows[0]!.why))).toHaveLength(1)
})
