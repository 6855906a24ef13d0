/** Outcomes through the doors of a started service: supervisors make them, agents save them, integrators read them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { bodyOf, sendJson, serve } from '../../demo/servers/web-server.ts'
import { openDatabaseFor } from '../../src/app/repositories.ts'
import { readSettings } from '../../src/app/settings.ts'
import { type Client, connect } from '../../src/client/client.ts'
import { SwitchboardProblem } from '../../src/client/problem.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { credentialOf, integratorOf, makeCampaign, makeSystem, SYSTEM_CODE } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { type SteadyAgent, steadyAgent } from '../e2e/steady-agent.ts'
import { SOON } from '../support/soon.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess } from './service-process.ts'

const clock = new RealClock()
const closes: (() => Promise<unknown>)[] = []
const events: { type: string; data: Record<string, unknown> }[] = []
let client: Client
let annasClient: Client
let anna: SteadyAgent
let itsyId: number
/** A campaign with a catalogue, and its outcomes. */
let callCode: number
const outcomes = { paid: 0, later: 0, noWords: 0 }
let people = 0

beforeAll(async () => {
  const receiver = await serve((request, response) => {
    void bodyOf(request).then((body) => {
      events.push(JSON.parse(body))
      sendJson(response, 200, {})
    })
  })
  const place = await openServicePlace(`
trunks: { carrier: { host: 127.0.0.81, callerIds: ["${CALLER_ID}"] } }
teams: { ${TEAM}: { title: Campaign, agents: [anna] } }
agents: { anna: { phone: { host: 127.0.0.101 } } }
allowedHosts: ["${new URL(receiver.url).host}"]
`)
  const env = await place.env({ DATABASE_URL: (await place.database()).url })
  const opened = await openDatabaseFor(readSettings(env).settings!, { clock, log: silentLog, onLine: () => {} })
  if (!opened.ok) throw new Error(opened.why)
  closes.push(
    () => receiver.close(),
    () => place.close(),
    () => opened.database.close(),
  )
  const service = startServiceProcess(env)
  closes.push(() => service.stop())
  await service.ready
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  client = await integratorOf(opened, clock, ssoUrl)
  itsyId = await makeSystem(client, undefined)
  const url = `${receiver.url}/hooks`
  await client.ask('POST /rest/core/webhooks', { body: { url, events: ['phone-call-outcome.creation'] } })
  callCode = await makeCampaign(client, itsyId, { dialMode: 'manual' })
  const add = async (body: object) => {
    const request = { params: { callCode: String(callCode) }, body: body as { name: string } }
    return (await client.ask('POST /dialer/callcode/{callCode}/outcomes', request)).outcomeId
  }
  outcomes.paid = await add({ name: 'Promised to pay', key: '1', final: true, fields: FIELDS })
  outcomes.later = await add({ name: 'Call again', key: '2', needsCallBackDate: true })
  outcomes.noWords = await add({ name: 'Said nothing', key: '3' })
  const credential = await credentialOf(opened, clock, 'anna')
  annasClient = connect({ ssoUrl, credential })
  anna = await steadyAgent('anna', ssoUrl, credential, clock)
  closes.push(() => anna.leave())
  await anna.is('ready')
})
afterAll(async () => {
  for (const close of closes.reverse()) await close()
})

const FIELDS = [
  { name: 'Amount', kind: 'number', required: true },
  { name: 'Day', kind: 'date' },
  { name: 'How', kind: 'choice', choices: ['transfer', 'card'] },
  { name: 'Word', kind: 'text' },
]

interface Talk {
  readonly itcaId: number
  readonly callId: string
  readonly eactId: number
  readonly extCustId: string
}

/** Call tasks as an integrator imports them, each of a person of its own who answers and stays. */
function personOf(number: number) {
  const id = String(number).padStart(3, '0')
  return {
    callReceiverName: `Person ${id}`,
    callNumberList: [`+45201${id}01`],
    extCustId: `P-${id}`,
    systemLookupCode: `case-${id}`,
  }
}

async function imported(campaign: number, person: ReturnType<typeof personOf>) {
  return client.ask('POST /svcdialer/calltaskimport', {
    query: { returnImportedCallTasks: true },
    body: {
      systemCode: SYSTEM_CODE,
      callCode: campaign,
      maxCallAttempts: 3,
      minCallIntervalHours: 4,
      callTasks: [person],
    },
  })
}

/** Anna dials somebody new, and they talk. */
async function talk(campaign = callCode): Promise<Talk> {
  const person = personOf(++people)
  const { itcaId } = (await imported(campaign, person)).callTasks![0]!
  expect(await anna.order({ type: 'dial', itcaId })).toMatchObject({ status: 200, body: { ok: true } })
  const isIt = ({ type, callTask }: { type: string; callTask?: unknown }) =>
    type === 'call' && (callTask as { itcaId?: number } | undefined)?.itcaId === itcaId
  const { callId, eactId } = await anna.hears(isIt as never)
  await anna.is('talking')
  return { itcaId, callId: String(callId), eactId: Number(eactId), extCustId: person.extCustId }
}
async function hangUp({ eactId, callId }: Talk): Promise<void> {
  expect(await anna.order({ type: 'hangUp', callId })).toMatchObject({ status: 200 })
  await expect.poll(() => callOf(eactId), SOON).toBeDefined()
  await anna.is('ready')
}
const save = ({ callId }: Talk, outcomeId: number, more: object = {}) =>
  anna.order({ type: 'outcome', callId, outcomeId, ...more })
/** The error of an order that is refused: its status, and the field that it names. */
async function refusal(order: Readonly<Record<string, unknown>>) {
  const asked = annasClient.ask('POST /svcpbx/agents/me/orders', { body: order as never })
  return asked.then(
    () => 'not refused',
    (error: unknown) => {
      if (!(error instanceof SwitchboardProblem)) throw error
      return [error.status, ...error.errors.map(({ path }) => path)].join(' ')
    },
  )
}
const callOf = async (eactId: number) =>
  (await client.ask('POST /svcems/calls/search', { body: { eactIds: [String(eactId)] } }))[0]
const taskOf = async (itcaId: number) =>
  (await client.ask('POST /dialer/calltaskget', { body: { itcaIds: [itcaId], detail: true } })).callTasks[0]!
const openTasksOf = async (extCustId: string) =>
  (await client.ask('POST /dialer/calltaskget', { body: { extCustIds: [extCustId], finishedList: [false] } })).foundRows
const callbackOf = async ({ itcaId }: Talk) => {
  const { callbacks } = await client.ask('GET /dialer/callbacks', { query: { callCode } })
  return callbacks.find(({ itcaId: of, follows }) => of === itcaId || follows?.itcaId === itcaId)
}
const eventsOf = ({ eactId }: Talk) => events.filter(({ data }) => data['phoneCallId'] === String(eactId))
const inAnHour = () => new Date(clock.nowMs() + 3_600_000).toISOString()

test('an outcome is in the call, attempt and call task, and a webhook tells of it when the call is over', async () => {
  const said = await talk()
  const callBackTs = inAnHour()
  const more = { note: 'after work', callBackTs, callBackForMe: true }
  expect(await save(said, outcomes.later, more)).toMatchObject({ status: 200 })
  expect(eventsOf(said)).toEqual([])
  await hangUp(said)
  const outcome = { outcomeId: outcomes.later, name: 'Call again' }
  const words = { feedbackType: 'Call again', final: false, note: 'after work', agent: { name: 'anna' } }
  const feedback = [{ ...words, outcome, fields: [], callBackTs, callBackForMe: true }]
  expect(await callOf(said.eactId)).toMatchObject({ feedback })
  const { callAttempts } = await client.ask('POST /svcdialer/calltaskcallattempts/search', {
    body: { itcaIds: [said.itcaId] },
  })
  expect(callAttempts).toMatchObject([{ feedback }])
  const lastOutcome = { ...outcome, eactId: said.eactId }
  expect(await taskOf(said.itcaId)).toMatchObject({ callAttempts: [{ feedback }], lastOutcome })
  expect(await callbackOf(said)).toMatchObject({ callBackTs, userName: 'anna' })
  const found = await client.ask('POST /dialer/calltaskget', { body: { outcomeIds: [outcomes.later] } })
  expect(found.callTasks.map(({ itcaId }) => itcaId)).toEqual([said.itcaId])
  await expect
    .poll(() => eventsOf(said), SOON)
    .toMatchObject([{ type: 'phone-call-outcome.creation', data: { outcomeId: outcomes.later, outcomeNumber: 1 } }])
})

test('a final outcome ends the call task with its callback, and the customer is not imported again (204)', async () => {
  const said = await talk()
  expect(await save(said, outcomes.later, { callBackTs: inAnHour() })).toMatchObject({ status: 200 })
  await hangUp(said)
  expect(await callbackOf(said)).toMatchObject({ userName: null })
  const fields = [
    { name: 'Amount', value: 250.5 },
    { name: 'Day', value: '2026-12-24' },
    { name: 'How', value: 'card' },
  ]
  expect(await save(said, outcomes.paid, { fields })).toMatchObject({ status: 200 })
  expect(await callOf(said.eactId)).toMatchObject({
    feedback: [{ feedbackType: 'Call again' }, { feedbackType: 'Promised to pay', final: true, fields }],
  })
  expect([await callbackOf(said), await openTasksOf(said.extCustId)]).toEqual([undefined, 0])
  expect(await taskOf(said.itcaId)).toMatchObject({ statusId: 20, lastOutcome: { name: 'Promised to pay' } })
  expect((await imported(callCode, personOf(people))).callTaskErrors).toMatchObject([{ errorCodes: [204] }])
  expect(await refusal({ type: 'outcome', ...about(said), outcomeId: outcomes.later, callBackTs: inAnHour() })).toBe(
    '400 callBackTs',
  )
  await expect.poll(() => eventsOf(said).map(({ data }) => data['outcomeNumber']), SOON).toEqual([1, 2])
})

test('a final outcome in the conversation takes back its callback, and its agent is told nothing', async () => {
  const said = await talk()
  await save(said, outcomes.later, { callBackTs: inAnHour() })
  expect(await save(said, outcomes.paid, { fields: [{ name: 'Amount', value: 1 }] })).toMatchObject({ status: 200 })
  await hangUp(said)
  expect(await taskOf(said.itcaId)).toMatchObject({ statusId: 20, answered: true })
  expect([await callbackOf(said), await openTasksOf(said.extCustId)]).toEqual([undefined, 0])
  const told = anna.news.filter(({ type }) => type === 'taskEnded' || type === 'callbackRefused')
  expect(told).toEqual([])
})

test('an outcome without a date takes back the callback of the one that it corrects', async () => {
  const said = await talk()
  await save(said, outcomes.later, { callBackTs: inAnHour() })
  await expect.poll(() => callbackOf(said), SOON).toBeDefined()
  expect(await save(said, outcomes.noWords)).toMatchObject({ status: 200 })
  await expect.poll(() => callbackOf(said), SOON).toBeUndefined()
  await hangUp(said)
  expect([await callbackOf(said), await openTasksOf(said.extCustId)]).toEqual([undefined, 0])
  expect(anna.news.filter(({ type }) => type === 'callbackRefused')).toEqual([])
})

test('what does not fit the catalogue is refused with the field, and nothing of it is saved', async () => {
  const said = await talk()
  const other = await makeCampaign(client, itsyId, { dialMode: 'manual' })
  const foreign = await client.ask('POST /dialer/callcode/{callCode}/outcomes', {
    params: { callCode: String(other) },
    body: { name: 'Of another campaign' },
  })
  const retired = await client.ask('POST /dialer/callcode/{callCode}/outcomes', {
    params: { callCode: String(callCode) },
    body: { name: 'Retired' },
  })
  await client.ask('PATCH /dialer/callcode/{callCode}/outcomes/{outcomeId}', {
    params: { callCode: String(callCode), outcomeId: String(retired.outcomeId) },
    body: { active: false },
  })
  const callBackTs = inAnHour()
  const amount = { name: 'Amount', value: 1 }
  const wrong: readonly (readonly [object, string])[] = [
    [{ outcomeId: 999_999 }, '400 outcomeId'],
    [{ outcomeId: foreign.outcomeId }, '400 outcomeId'],
    [{ outcomeId: retired.outcomeId }, '400 outcomeId'],
    [{ outcomeId: outcomes.later }, '400 callBackTs'],
    [{ outcomeId: outcomes.later, callBackTs: '2020-01-01T00:00:00Z' }, '400 callBackTs'],
    [{ outcomeId: outcomes.later, callBackTs: 'tomorrow' }, '400'],
    [{ outcomeId: outcomes.noWords, callBackForMe: true }, '400'],
    [{ outcomeId: outcomes.paid, fields: [amount], callBackTs }, '400 callBackTs'],
    [{ outcomeId: outcomes.paid }, '400 fields'],
    [{ outcomeId: outcomes.paid, fields: [{ name: 'Amount', value: 'much' }] }, '400 fields[0].value'],
    [{ outcomeId: outcomes.paid, fields: [amount, amount] }, '400 fields[1].value'],
    [{ outcomeId: outcomes.paid, fields: [amount, { name: 'Day', value: '2026-02-30' }] }, '400 fields[1].value'],
    [{ outcomeId: outcomes.paid, fields: [amount, { name: 'How', value: 'cash' }] }, '400 fields[1].value'],
    [{ outcomeId: outcomes.paid, fields: [amount, { name: 'Word', value: ' ' }] }, '400 fields[1].value'],
    [{ outcomeId: outcomes.paid, fields: [amount, { name: 'Colour', value: 'red' }] }, '400 fields[1].value'],
    [{ outcomeId: outcomes.noWords, note: 'y'.repeat(1_001) }, '400 note'],
  ]
  for (const [order, answer] of wrong) {
    expect([order, await refusal({ type: 'outcome', ...about(said), ...order })]).toEqual([order, answer])
  }
  expect(await refusal({ type: 'feedback', ...about(said), feedbackType: 'free', final: true })).toBe('409')
  await hangUp(said)
  expect([await callOf(said.eactId), await callbackOf(said)]).toMatchObject([{ feedback: [] }, undefined])
})

test('the event socket takes outcomes too, and names the field that is wrong', async () => {
  const said = await talk()
  const { ticket } = await annasClient.ask('POST /svcpbx/agents/me/tickets')
  const address = `${(await annasClient.endpoint()).replace(/^http/, 'ws')}/svcpbx/agents/me/events?ticket=${ticket}`
  const socket = new WebSocket(address)
  const answers: { id: number; ok: boolean; field?: string; why?: string }[] = []
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type === 'answer') answers.push(message)
  })
  await new Promise((opened) => socket.once('open', opened))
  const order = { type: 'outcome', ...about(said), outcomeId: outcomes.paid }
  socket.send(JSON.stringify({ id: 1, order }))
  await expect
    .poll(() => answers, SOON)
    .toMatchObject([{ id: 1, ok: false, field: 'fields', why: /its field "Amount"/ }])
  socket.send(JSON.stringify({ id: 2, order: { ...order, fields: [{ name: 'Amount', value: 7 }] } }))
  await expect.poll(() => answers[1], SOON).toEqual({ type: 'answer', id: 2, ok: true })
  socket.close()
  await hangUp(said)
  expect(await callOf(said.eactId)).toMatchObject({ feedback: [{ fields: [{ name: 'Amount', value: 7 }] }] })
})

test('an answer keeps the name that its outcome had', async () => {
  const said = await talk()
  expect(await save(said, outcomes.noWords)).toMatchObject({ status: 200 })
  await hangUp(said)
  await client.ask('PATCH /dialer/callcode/{callCode}/outcomes/{outcomeId}', {
    params: { callCode: String(callCode), outcomeId: String(outcomes.noWords) },
    body: { name: 'Silent', active: false },
  })
  const outcome = { outcomeId: outcomes.noWords, name: 'Said nothing' }
  expect(await callOf(said.eactId)).toMatchObject({ feedback: [{ outcome }] })
})

test('a campaign without a catalogue takes free feedback, as before', async () => {
  const said = await talk(await makeCampaign(client, itsyId, { dialMode: 'manual' }))
  expect(await anna.order({ type: 'feedback', ...about(said), feedbackType: 'hasPaid', note: 'thanks' })).toMatchObject(
    {
      status: 200,
    },
  )
  expect(await refusal({ type: 'outcome', ...about(said), outcomeId: outcomes.paid })).toBe('400 outcomeId')
  await hangUp(said)
  expect(await callOf(said.eactId)).toMatchObject({
    feedback: [{ feedbackType: 'hasPaid', note: 'thanks', outcome: null, fields: [], callBackTs: null }],
  })
  expect(eventsOf(said)).toEqual([])
})

test('notes and field values are exported and erased with the person; the outcome stays', async () => {
  const said = await talk()
  const fields = [
    { name: 'Amount', value: 1 },
    { name: 'Word', value: 'wordofmouth' },
  ]
  expect(await save(said, outcomes.paid, { note: 'noteofhand', fields })).toMatchObject({ status: 200 })
  await hangUp(said)
  const body = { systemCode: SYSTEM_CODE, extCustId: said.extCustId, reason: 'request 7' }
  const exported = JSON.stringify(await client.ask('POST /rest/core/persons/export', { body }))
  expect([exported.includes('wordofmouth'), exported.includes('noteofhand')]).toEqual([true, true])
  await client.ask('POST /rest/core/persons/erase', { body })
  const erased = { note: null, fields: [], outcome: { outcomeId: outcomes.paid } }
  await expect.poll(() => callOf(said.eactId), SOON).toMatchObject({ feedback: [erased] })
})

function about({ callId }: Talk) {
  return { callId }
}
