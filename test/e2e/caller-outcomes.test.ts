/** Outcomes of callers over HTTP, on a real Asterisk: refusals, a killed engine, the webhook (campaigns-110). */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'
import { bodyOf, type RunningServer, sendJson, serve } from '../../demo/servers/web-server.ts'
import { answerPhone, type SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import { callIn } from '../../demo/sip/sipp-phone.ts'
import { type Client, connect } from '../../src/client/client.ts'
import { SwitchboardProblem } from '../../src/client/problem.ts'
import { openWebhook } from '../../src/client/webhook.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { SOON } from '../support/soon.ts'
import { credentialOf, integratorOf } from './campaign-live.ts'
import { makePlace, type Place, TEAM } from './campaign-place.ts'
import { type EngineProcess, startEngine } from './engine-process.ts'
import { type SteadyAgent, steadyAgent } from './steady-agent.ts'

const LINE = '+4570001000'
const [CALLER_HZ, AGENT_HZ] = [440, 620]
const FLOW = `flow: direct
start: team
steps:
  team: { queue: { team: ${TEAM}, timeout: 10m }, next: bye, on: { timeout: bye, full: bye, closed: bye } }
  bye: { hangup: { say: Goodbye. } }
`
const FIELDS = [
  { name: 'About', kind: 'choice' as const, choices: ['rate', 'debt'], required: true },
  { name: 'Day', kind: 'date' as const, required: true },
]

const clock = new RealClock()
const random = seededRandom(process.pid)
/** Of the webhook, as they came: what the receiver answered, and which message it was. */
const deliveries: { readonly status: number; readonly id: string; readonly data: Record<string, unknown> }[] = []
const complaints: string[] = []
let secret = ''
let receiver: RunningServer
let place: Place
let engine: EngineProcess
let client: Client
let anna: SteadyAgent
const as = new Map<string, Client>()
let phone: SippAgentPhone
const outcomes = { answered: 0, promised: 0, retired: 0, ofOtherQueue: 0 }
let callers = 0

beforeAll(async () => {
  receiver = await serve((request, response) => {
    void bodyOf(request).then((body) => {
      const opened = openWebhook(request.headers, body, [secret], clock)
      if (!opened.genuine) return void complaints.push(opened.why)
      const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
      if (type !== 'phone-call-outcome.creation') complaints.push(type)
      const id = String(request.headers['webhook-id'])
      // Each message is refused when it comes for the first time.
      const status = deliveries.some((one) => one.id === id) ? 200 : 500
      deliveries.push({ status, id, data })
      sendJson(response, status, {})
    })
  })
  place = await makePlace({
    agents: ['anna', 'ben'],
    teams: ['second'],
    treeDirectory: process.env['SWITCHBOARD_TEST_TREE']!,
    numbers: [`"${LINE}": { flow: direct, language: en }`],
    flows: { direct: FLOW },
    allowedHosts: [new URL(receiver.url).host],
    env: { DEMO_INTEGRATOR_URL: 'http://127.0.0.1:9', DEMO_CASE_INFO_TOKEN: 'none' },
    more: ['env: { integrator: DEMO_INTEGRATOR_URL }', 'secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }'],
  })
  engine = startEngine(place)
  await engine.ready
  const database = await place.openDatabaseFor()
  const ssoUrl = `http://127.0.0.1:${place.env['SSO_PORT']}`
  client = await integratorOf(database, clock, ssoUrl)
  await makeCatalogues()
  const hook = { url: `${receiver.url}/hooks`, events: ['phone-call-outcome.creation' as const] }
  secret = (await client.ask('POST /rest/core/webhooks', { body: hook })).secret
  const kit = { sipp: findTree(place.treeDirectory)!.sipp!, clock, random }
  const person = { does: 'answer', afterMs: 100 } as const
  phone = await answerPhone({ kit, at: place.phones.get('anna')!, person, toneHz: AGENT_HZ, listensFor: [CALLER_HZ] })
  const credentials = new Map<string, Awaited<ReturnType<typeof credentialOf>>>()
  for (const name of ['anna', 'ben']) {
    credentials.set(name, await credentialOf(database, clock, name))
    as.set(name, connect({ ssoUrl, credential: credentials.get(name)! }))
  }
  await database.database.close()
  anna = await steadyAgent('anna', ssoUrl, credentials.get('anna')!, clock)
  await anna.is('ready')
})

afterAll(async () => {
  await anna?.leave()
  await engine?.kill('SIGTERM')
  await phone?.close()
  await place?.remove()
  await receiver?.close()
})

async function makeCatalogues() {
  const queues = await client.ask('GET /rest/svcpbx/queue')
  const params = (code: string) => ({ ucquId: String(queues.find((queue) => queue.code === code)!.ucquId) })
  const add = async (queue: string, body: { name: string; fields?: typeof FIELDS }) =>
    (await client.ask('POST /rest/svcpbx/queue/{ucquId}/outcomes', { params: params(queue), body })).outcomeId
  outcomes.answered = await add(TEAM, { name: 'Answered' })
  outcomes.promised = await add(TEAM, { name: 'Promised', fields: FIELDS })
  outcomes.retired = await add(TEAM, { name: 'Retired' })
  outcomes.ofOtherQueue = await add('second', { name: 'Of the other queue' })
  await client.ask('PATCH /rest/svcpbx/queue/{ucquId}/outcomes/{outcomeId}', {
    params: { ucquId: params(TEAM).ucquId, outcomeId: String(outcomes.retired) },
    body: { active: false },
  })
}

interface Talk {
  readonly callId: string
  readonly caller: string
}

/** Somebody calls in, and Anna talks with them. */
async function talk(): Promise<Talk> {
  const caller = `+455100000${++callers}`
  const heard = phone.ear.heardTone(CALLER_HZ)
  const made = await callIn({
    kit: { sipp: findTree(place.treeDirectory)!.sipp!, clock, random },
    target: place.sip,
    from: place.carrier.host,
    called: LINE,
    caller,
    toneHz: CALLER_HZ,
    listensFor: [AGENT_HZ],
    person: {},
  })
  onTestFinished(() => made.close())
  const { callId } = await anna.hears(
    ({ type, number, caller: from }) => type === 'call' && [number, from].includes(caller),
  )
  await expect.poll(() => phone.ear.heardTone(CALLER_HZ), SOON).toBeGreaterThan(heard + 300)
  return { callId: String(callId), caller }
}

/** `200`, or the status with the fields that the refusal names. */
async function said(name: string, order: Readonly<Record<string, unknown>>): Promise<string> {
  return as
    .get(name)!
    .ask('POST /svcpbx/agents/me/orders', { body: order as never })
    .then(
      () => '200',
      (error: unknown) => {
        if (!(error instanceof SwitchboardProblem)) throw error
        return [error.status, ...error.errors.map(({ path }) => path)].join(' ')
      },
    )
}

async function hangUp({ callId, caller }: Talk) {
  expect(await said('anna', { type: 'hangUp', callId })).toBe('200')
  await expect.poll(() => recorded(caller), SOON).toBeDefined()
}

/** The call of this caller, once it is over. */
async function recorded(caller: string) {
  const { calls } = await client.ask('GET /svcems/calls', { query: { number: caller } })
  const [found] = calls
  if (!found) return undefined
  const [call] = await client.ask('POST /svcems/calls/search', { body: { eactIds: [found.eactId] } })
  return call
}

const deliveriesOf = (eactId: unknown) => deliveries.filter(({ data }) => data['phoneCallId'] === String(eactId))

test('what does not fit the queue, the call or the agent is refused with the field, and nothing is kept', async () => {
  const { callId, caller } = await talk()
  const about = { type: 'outcome', callId }
  const about1 = { name: 'About', value: 'rate' }
  const wrong: readonly (readonly [object, string])[] = [
    [{ outcomeId: outcomes.ofOtherQueue }, '400 outcomeId'],
    [{ outcomeId: 999_999 }, '400 outcomeId'],
    [{ outcomeId: outcomes.retired }, '400 outcomeId'],
    [{ outcomeId: outcomes.promised }, '400 fields'],
    [{ outcomeId: outcomes.promised, fields: [about1] }, '400 fields'],
    [{ outcomeId: outcomes.promised, fields: [about1, { name: 'Day', value: '2026-02-30' }] }, '400 fields[1].value'],
    [{ outcomeId: outcomes.promised, fields: [{ name: 'About', value: 'love' }] }, '400 fields[0].value'],
    [{ outcomeId: outcomes.answered, callBackTs: '2036-01-02T03:04:05Z' }, '400 callBackTs'],
    [{ outcomeId: outcomes.answered, note: 'y'.repeat(1_001) }, '400 note'],
  ]
  for (const [order, answer] of wrong) {
    expect([order, await said('anna', Object.assign({}, about, order))]).toEqual([order, answer])
  }
  expect(await said('anna', { type: 'feedback', callId, feedbackType: 'free' })).toBe('409')
  // Ben is of the same team, and has no part in this call.
  expect(await said('ben', Object.assign({ outcomeId: outcomes.answered }, about))).toBe('409')
  expect(await said('anna', Object.assign({ outcomeId: outcomes.answered }, about, { callId: 'nobody' }))).toBe('409')
  await hangUp({ callId, caller })
  expect(await said('ben', Object.assign({ outcomeId: outcomes.answered }, about))).toBe('409')
  expect(await recorded(caller)).toMatchObject({ direction: 1, feedback: [] })
  expect(deliveries).toEqual([])
})

test('what was said before the engine was killed in the call stays, and is said once more after it', async () => {
  const it = await talk()
  const { callId, caller } = it
  expect(await said('anna', { type: 'outcome', callId, outcomeId: outcomes.answered, note: 'before' })).toBe('200')
  await engine.kill('SIGKILL')
  engine = startEngine(place)
  await engine.ready
  await expect.poll(() => anna.state, SOON).toBe('talking')
  const fields = [
    { name: 'About', value: 'debt' },
    { name: 'Day', value: '2026-12-24' },
  ]
  const after = { type: 'outcome', callId, outcomeId: outcomes.promised, fields, note: 'after' }
  expect(await said('anna', Object.assign({}, after, { fields: [] }))).toBe('400 fields')
  expect(await said('anna', Object.assign({}, after, { outcomeId: outcomes.ofOtherQueue }))).toBe('400 outcomeId')
  expect(await said('ben', after)).toBe('409')
  expect(await said('anna', after)).toBe('200')
  await hangUp(it)
  const words = [
    { feedbackType: 'Answered', note: 'before', outcome: { outcomeId: outcomes.answered }, agent: { name: 'anna' } },
    { feedbackType: 'Promised', note: 'after', outcome: { outcomeId: outcomes.promised }, fields },
  ]
  await expect.poll(() => recorded(caller), SOON).toMatchObject({ direction: 1, feedback: words })
})

test('the webhook is signed, comes again after an error with the same id, and tells of each outcome once', async () => {
  const call = await recorded(`+455100000${callers}`)
  const taken = () => deliveriesOf(call?.eactId).filter(({ status }) => status === 200)
  await expect.poll(() => taken().length, SOON).toBe(2)
  expect(
    taken()
      .map(({ data }) => [data['outcomeNumber'], data['outcomeId']])
      .sort(),
  ).toEqual([
    [1, outcomes.answered],
    [2, outcomes.promised],
  ])
  const ids = new Set(deliveriesOf(call?.eactId).map(({ id }) => id))
  expect([ids.size, deliveriesOf(call?.eactId).length]).toEqual([2, 4])
  expect(complaints).toEqual([])
})
