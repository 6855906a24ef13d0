/** Callers on a real Asterisk whose engine is killed: their talk goes on, and no text is sent twice or not at all. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'
import { bodyOf, type RunningServer, sendJson, serve } from '../../demo/servers/web-server.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn, type SippCaller } from '../../demo/sip/sipp-phone.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Callee } from '../../src/sim/person.ts'
import { becomesTrue } from './campaign-live.ts'
import { makePlace, type Place, TEAM } from './campaign-place.ts'
import { type EngineProcess, startEngine } from './engine-process.ts'

const LINE = '+4570001000'
const SURVEY_LINE = '+4570001001'
const CALLER_HZ = 440
const AGENT_HZ = 620
/** Longer than a kill and a start. */
const TALK_MS = 30_000
const FLOW = `flow: direct
start: text
steps:
  text:
    sms: { text: "You called \${call.called}." }
    next: team
    on: { noMobile: team, undelivered: team, timeout: team, failed: team }
  team: { queue: { team: ${TEAM}, timeout: 10m }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`

const SURVEY = `flow: survey
start: text
onHangup:
  - sms: { to: "+4551009999", text: "\${caller.number} has left." }
steps:
  text: { sms: { text: Welcome. }, next: stay, on: { failed: stay } }
  stay: { play: [{ pause: 30s }], next: bye }
  bye: { hangup: { say: Goodbye. } }
`

const clock = new RealClock()
const random = seededRandom(process.pid)
const texts: string[] = []
let gateway: RunningServer
let place: Place
let engine: EngineProcess

beforeAll(async () => {
  gateway = await serve((request, response) => {
    void bodyOf(request).then((body) => {
      texts.push(body)
      sendJson(response, 200, { id: `text-${texts.length}` })
    })
  })
  place = await makePlace({
    agents: ['cleo'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    numbers: [`"${LINE}": { flow: direct, language: en }`, `"${SURVEY_LINE}": { flow: survey, language: en }`],
    flows: { direct: FLOW, survey: SURVEY },
    allowedHosts: [new URL(gateway.url).host],
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: [
      'env: { integrator: DEMO_INTEGRATOR_URL }',
      'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }',
      `sms: { url: "${gateway.url}/texts", body: { to: "{to}", text: "{text}" } }`,
    ],
  })
  engine = startEngine(place)
  await engine.ready
})

afterAll(async () => {
  await engine?.kill('SIGTERM')
  await place?.remove()
  await gateway?.close()
})

const kit = () => ({ sipp: findTree(place.treeDirectory)!.sipp!, clock, random })

async function cleo(person: Callee): Promise<SippAgentPhone> {
  const phone = await answerPhone({
    kit: kit(),
    at: place.phones.get('cleo')!,
    person,
    toneHz: AGENT_HZ,
    listensFor: [CALLER_HZ],
  })
  onTestFinished(() => phone.close())
  return phone
}

async function caller(from: string, hangsUpAfterMs: number, called = LINE): Promise<SippCaller> {
  const phone = await callIn({
    kit: kit(),
    target: place.sip,
    from: place.carrier.host,
    called,
    caller: from,
    toneHz: CALLER_HZ,
    listensFor: [AGENT_HZ],
    person: { hangsUpAfterMs },
  })
  onTestFinished(() => phone.close())
  return phone
}

/** The calls of this caller, once they are recorded. */
async function recorded(from: string): Promise<Recorded[]> {
  const { database } = await place.openDatabaseFor()
  const text = `select result, agent, team, hung_up_by as "hungUpBy", talk_ms as "talkMs",
                  answered_at_ms as "answeredAtMs", ended_at_ms as "endedAtMs" from call_activities where caller = $1`
  let rows: Recorded[] = []
  await becomesTrue(clock, async () => {
    rows = (await database.pools.jobs.query<Recorded>(text, [from])).rows
    return rows.length > 0
  })
  await database.close()
  return rows
}

interface Recorded {
  readonly talkMs: number
  readonly answeredAtMs: number | null
  readonly endedAtMs: number
}

async function killEngine(): Promise<void> {
  await engine.kill('SIGKILL')
  engine = startEngine(place)
  await engine.ready
}

test('a talk with an agent whose phone was rung goes on when the engine is killed', async () => {
  const agent = await cleo({ does: 'answer', afterMs: 300 })
  const phone = await caller('+4551000001', TALK_MS)
  expect(await becomesTrue(clock, () => agent.ear.heardTone(CALLER_HZ) > 1_000)).toBe(true)
  await killEngine()
  const [heardByAgent, heardByCaller] = [agent.ear.heardTone(CALLER_HZ), phone.ear.heardTone(AGENT_HZ)]
  expect(await becomesTrue(clock, () => agent.ear.heardTone(CALLER_HZ) > heardByAgent + 1_000)).toBe(true)
  expect(await becomesTrue(clock, () => phone.ear.heardTone(AGENT_HZ) > heardByCaller + 1_000)).toBe(true)
  expect(agent.facts.map(({ type }) => type)).not.toContain('hungUp')
  expect(await phone.result).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
  expect(await agent.lastEnd()).toMatchObject({ type: 'hungUp', by: 'them' })
  const [call] = await recorded('+4551000001')
  expect(call).toMatchObject({ result: 'answered', agent: 'cleo', team: TEAM, hungUpBy: 'caller' })
  expect(call!.talkMs).toBeGreaterThan(TALK_MS - 5_000)
  expect(call!.endedAtMs - call!.answeredAtMs!).toBeGreaterThan(TALK_MS - 1_000)
  expect(texts).toHaveLength(1)
})

test('a caller who is served again after a kill gets no second text', async () => {
  texts.splice(0)
  const agent = await cleo({ does: 'ignore', afterMs: 0 })
  const phone = await caller('+4551000002', TALK_MS)
  expect(await becomesTrue(clock, () => agent.rings === 1)).toBe(true)
  await killEngine()
  // The flow has led the caller past the text again.
  expect(await becomesTrue(clock, () => agent.rings === 2)).toBe(true)
  expect(texts).toHaveLength(1)
  await phone.result
  expect(await recorded('+4551000002')).toMatchObject([{ result: 'lost', team: TEAM }])
})

test('the steps of onHangup run once for a caller who hangs up while no engine runs', async () => {
  texts.splice(0)
  const phone = await caller('+4551000003', 4_000, SURVEY_LINE)
  expect(await becomesTrue(clock, () => texts.length === 1)).toBe(true)
  await engine.kill('SIGKILL')
  expect(await phone.result).toMatchObject({ hungUpBy: 'caller' })
  engine = startEngine(place)
  await engine.ready
  expect(await recorded('+4551000003')).toMatchObject([{ result: 'answered' }])
  expect(texts.filter((text) => text.includes('+4551000003 has left'))).toHaveLength(1)
})

test('a caller who gives up in the queue while no engine runs is lost, and had talked to nobody', async () => {
  await cleo({ does: 'ignore', afterMs: 0 })
  const phone = await caller('+4551000004', 8_000)
  const { database } = await place.openDatabaseFor()
  const text = `select from open_calls where caller = $1 and progress ? 'queuedAtMs'`
  const isQueued = async () => (await database.pools.jobs.query(text, ['+4551000004'])).rows.length > 0
  expect(await becomesTrue(clock, isQueued)).toBe(true)
  await database.close()
  await engine.kill('SIGKILL')
  expect(await phone.result).toMatchObject({ outcome: 'connected', hungUpBy: 'caller' })
  engine = startEngine(place)
  await engine.ready
  expect(await recorded('+4551000004')).toMatchObject([{ result: 'lost', team: TEAM, talkMs: 0 }])
})
