/** Every call in leaves one true activity and one event, whatever the caller, the engine or the switch does. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopAsterisk } from '../../asterisk/start.ts'
import { findTree } from '../../asterisk/tree.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import type { OpenDatabase } from '../../src/app/repositories.ts'
import type { Client } from '../../src/client/client.ts'
import type { AnswerOf } from '../../src/client/request.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Caller } from '../../src/sim/person.ts'
import { cancelledCall, refusedCall, runSipp, unheardCall } from '../asterisk/sipp.ts'
import { integratorOf, makeSystem, type Receiver, startReceiver } from './campaign-live.ts'
import { makePlace, type Place } from './campaign-place.ts'
import { type EngineProcess, startEngine } from './engine-process.ts'

const LINE = '+4570003000'
const FLOW = `flow: greeting
start: hello
steps:
  hello: { play: "Welcome. All our offices are open from eight to five, and we are glad that you called.", next: hello }
`

/** SIGWINCH sets the clock of the engine back by five seconds. */
const CLOCK = 'data:text/javascript,const now=Date.now;process.on("SIGWINCH",()=>{Date.now=()=>now()-5000})'

const clock = new RealClock()
const random = seededRandom(process.pid)
const treeDirectory = process.env['SWITCHBOARD_TEST_TREE']!
const { sipp } = findTree(treeDirectory)!
let receiver: Receiver
let place: Place
let database: OpenDatabase
let engine: EngineProcess
let client: Client

beforeAll(async () => {
  receiver = await startReceiver(clock)
  place = await makePlace({
    agents: ['anna'],
    treeDirectory,
    numbers: [`"${LINE}": { flow: greeting, language: en }`],
    flows: { greeting: FLOW },
    allowedHosts: [new URL(receiver.url).host],
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  database = await place.openDatabaseFor()
  engine = startEngine(place, ['--import', CLOCK])
  await engine.ready
  client = await integratorOf(database, clock, `http://127.0.0.1:${place.settings.ssoPort}`)
  await makeSystem(client, receiver)
})

afterAll(async () => {
  await engine?.kill('SIGTERM')
  await receiver?.close()
  await database?.database.close()
  await place?.remove()
})

const known = new Set<string>()
type Call = AnswerOf<'POST /svcems/calls/search'>[number]

/** The calls of so many new events, oldest first; each event came once. */
async function told(count: number): Promise<Call[]> {
  const news = () => [...receiver.heard.keys()].filter((id) => !known.has(id))
  await expect.poll(news).toHaveLength(count)
  const eactIds = news()
  for (const id of eactIds) known.add(id)
  expect([receiver.complaints, eactIds.filter((id) => receiver.heard.get(id) !== 1)]).toEqual([[], []])
  const calls = await client.ask('POST /svcems/calls/search', { body: { eactIds } })
  return calls.toSorted((one, other) => one.creationTs!.localeCompare(other.creationTs!))
}

const phone = (caller: string, person: Caller) =>
  callIn({
    kit: { sipp: sipp!, clock, random },
    target: place.sip,
    from: place.carrier.host,
    called: LINE,
    caller,
    person,
  })

async function nextEngine(): Promise<void> {
  engine = startEngine(place)
  await engine.ready
}

test('callers who give up at once are no longer on the line: what is known of them can be erased', async () => {
  const number = '+4556000100'
  const calls = 200
  await runSipp(
    { sipp: sipp!, from: place.carrier.host, to: place.sip, service: LINE, calls },
    cancelledCall(number, 10),
  )
  await told(calls)
  const body = { number, reason: 'erasure request 1' }
  expect(await client.ask('POST /rest/core/persons/erase', { body })).toMatchObject({ calls })
})

test('a call over which the clock was set back is recorded with its caller', async () => {
  const caller = await phone('+4556000201', { hangsUpAfterMs: 2_000 })
  await caller.answered
  process.kill(engine.pid, 'SIGWINCH')
  await caller.result
  const [call] = await told(1)
  expect(call).toMatchObject({ callNumber: '+4556000201', resultName: 'ANSWERED', hangupBy: 'caller' })
  expect(call!.endTs! >= call!.startTs!).toBe(true)
})

test('callers who hear the apology while no engine is there are recorded when it is back', async () => {
  await engine.kill('SIGKILL')
  const [patient, hasty] = await Promise.all([
    phone('+4556000301', {}),
    phone('+4556000302', { hangsUpAfterMs: 1_000 }),
  ])
  expect(await Promise.all([patient.result, hasty.result])).toMatchObject([
    { outcome: 'connected', hungUpBy: 'switch' },
    { outcome: 'connected', hungUpBy: 'caller' },
  ])
  await nextEngine()
  const calls = await told(2)
  expect(calls.toSorted((one, other) => one.callNumber.localeCompare(other.callNumber))).toMatchObject([
    { callNumber: '+4556000301', calledNumber: LINE, direction: 1, resultName: 'DROPPED', hangupBy: 'us' },
    { callNumber: '+4556000302', calledNumber: LINE, direction: 1, resultName: 'LOST', hangupBy: 'caller' },
  ])
  for (const { startTs, endTs } of calls) expect(endTs! > startTs!).toBe(true)
})

test('a call that ends with engine and switch was answered all the same', async () => {
  const caller = await phone('+4556000501', {})
  await caller.answered
  // At once: a switch that outlives the engine ends the call, and tells how.
  await Promise.all([engine.kill('SIGKILL'), stopAsterisk(join(place.directory, 'asterisk-run'))])
  await caller.result
  await nextEngine()
  expect(await told(1)).toMatchObject([
    { callNumber: '+4556000501', resultName: 'UNKNOWN', startTs: expect.any(String) },
  ])
})

test('an engine that starts once more finds nothing new', async () => {
  await engine.kill('SIGTERM')
  await nextEngine()
  const caller = await phone('+4556000601', { hangsUpAfterMs: 500 })
  await caller.result
  expect(await told(1)).toMatchObject([{ callNumber: '+4556000601' }])
})

test('call show finds a call by its activity, a number and a minute', async () => {
  const calls: Awaited<ReturnType<typeof told>>[number][] = []
  const minutes = () => new Set(calls.map(({ creationTs }) => creationTs!.slice(0, 16)))
  // A minute with one call shows that call; with two, a list.
  while (minutes().size === calls.length) {
    await (await phone(`+45560007${10 + calls.length}`, { hangsUpAfterMs: 500 })).result
    calls.push(...(await told(1)))
  }
  const call = calls.at(-1)
  const number = call!.callNumber!
  const show = (what: string) => runCli('call', 'show', what)
  expect(await show(String(call!.eactId))).toContain('flow greeting@')
  expect(await show(number)).toContain('flow greeting@')
  const list = await show(call!.creationTs!.slice(0, 16))
  expect(list).toMatch(new RegExp(`activity ${call!.eactId}  sb-call-`))
  expect(list).not.toContain(number.slice(1))
  expect(await show('+4556000301')).toMatch(/dropped.*\n.*no engine served it/)
  const line = logLines().find(({ activity }) => activity === Number(call!.eactId))
  expect(line).toMatchObject({
    msg: 'a call ended',
    caller: `+45••••••${number.slice(-2)}`,
    result: 'answered',
    hungUpBy: 'caller',
  })
})

test('a refused caller leaves a line with our number, the reason, the remedy and a count', async () => {
  const refused = (number: string) => ({ sipp: sipp!, from: place.carrier.host, to: place.sip, service: number })
  for (const number of ['+4570003001', '+4570003002']) {
    expect(await runSipp(refused(number), refusedCall('+4556000801', 404))).toMatchObject({ ok: true })
  }
  const lines = () => logLines().filter(({ msg }) => msg === 'a call was refused')
  // The engine hears of it beside the answer that the caller gets.
  await expect.poll(lines, { timeout: 30_000 }).toMatchObject([
    { called: '+4570003001', why: 'no flow answers this number', count: 1 },
    { called: '+4570003002', remedy: expect.stringContaining('switchboard.yaml'), count: 2 },
  ])
})

test('a caller whose carrier offers none of our codecs leaves such a line too', async () => {
  const to = { sipp: sipp!, from: place.carrier.host, to: place.sip, service: LINE }
  expect(await runSipp(to, unheardCall('+4556000802'))).toMatchObject({ ok: true })
  const lines = () => logLines().filter(({ msg, called }) => msg === 'a call was refused' && called === LINE)
  await expect.poll(lines).toMatchObject([{ why: expect.stringContaining('codecs'), count: 1 }])
  expect(lines()[0]).toMatchObject({ remedy: expect.stringContaining('G.711') })
})

function logLines(): Record<string, unknown>[] {
  const lines = readFileSync(join(place.directory, 'engine.log'), 'utf8').split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
}

async function runCli(...words: string[]): Promise<string> {
  const options = { cwd: join(import.meta.dirname, '../..'), env: { PATH: process.env['PATH'], ...place.env } }
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/switchboard.ts', ...words], options)
  return stdout
}
