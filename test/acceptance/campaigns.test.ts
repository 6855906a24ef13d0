/** §4.1: campaigns are created and retrieved. */
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { importTasks, makeSystem, queueOf } from './place/campaigns.ts'
import { integrator } from './place/doors.ts'
import { issueCredential, send } from './place/wire.ts'

const systemCode = 'TASKS2'
let client: Client
let itsyId: number
let ucquId: number

beforeAll(async () => {
  client = await integrator()
  itsyId = await makeSystem(client, systemCode)
  ucquId = await queueOf(client, 'tasks')
})

const windows = (from: string) => [{ days: [1, 2, 3], from, to: '19:30', timeZone: 'Europe/Copenhagen' }]
const campaign = (name: string, more: object = {}) => ({
  name,
  active: false,
  corporation: { corpId: 1 },
  externalSystem: { itsyId },
  queue: { ucquId },
  callerId: '+4570001000',
  callWindows: windows('08:15'),
  ...more,
})
/** None of them is a default. */
const SETTINGS = {
  trunk: 'tasks',
  dialMode: 'power',
  parallelCalls: 2,
  linesPerAgent: 1.5,
  linesPerAgentMax: 4,
  pacing: 'risk',
  weight: 7,
  newPercent: 35,
  maxAbandonRate: 0.02,
  ringTimeoutSeconds: 33,
  wrapUpSeconds: 44,
  holidayCalendar: 'none',
  holidays: ['2027-06-05'],
  recording: { mode: 'always' },
  messages: { dropped: { text: 'Nobody is free.', language: 'en' } },
  allowedDestinations: ['DK', 'SE'],
  frequencyCap: { calls: 3, days: 2 },
  quietMinutesAfterInbound: 17,
  voicemailMessagesMax: 2,
  afterDropped: 'quietOrAgent',
  callbackAgentMinutes: 12,
  callbackRetryMinutes: 13,
  retryMinutes: { busy: 21 },
  skipInvalidNumbers: true,
  dropStoppedNumbers: true,
  feedbackQuarantineDays: 9,
  requiresPopup: true,
  previewSeconds: 61,
  previewSkipsMax: 5,
  resultWindowMinutes: 16,
}

interface Shown {
  readonly callCode: number
  readonly [field: string]: unknown
}
const create = async (body: object) =>
  (await client.ask('POST /dialer/callcode', { body } as never)) as unknown as Shown
const listed = async (query: object) => {
  const { callCodes, ...facts } = await client.ask('GET /dialer/callcode', { query } as never)
  return { callCodes: callCodes as unknown as readonly Shown[], ...facts }
}

test('a campaign is created with all it was given, and retrieved so [acc 162, 163 by HTTP]', async () => {
  const given = campaign('Whole', SETTINGS)
  const made = await create(given)
  const shown = { ...given, externalSystem: { itsyId, systemCode }, queue: { ucquId, name: 'tasks' } }
  expect(made).toMatchObject({ ...shown, ready: true, missing: [], pausedReason: null })
  expect(Number.isInteger(made.callCode)).toBe(true)
  expect((await listed({ callCode: made.callCode })).callCodes).toEqual([made])
  const callTasks = [{ callReceiverName: 'Tim', callNumberList: ['+4526400001'] }]
  const { callTasks: tasks } = await importTasks(client, { systemCode, callCode: made.callCode, callTasks })
  expect(tasks).toMatchObject([{ callCode: made.callCode }])
})

test('a bare campaign says what it lacks, and takes what dials less [acc 162, 163 by HTTP]', async () => {
  const made = await create({ name: 'Bare', corporation: { corpId: 1 }, active: false })
  const least = { dialMode: 'preview', parallelCalls: 1, linesPerAgent: 1, maxAbandonRate: 0.03 }
  expect(made).toMatchObject({ ready: false, queue: null, externalSystem: null, ...least })
  expect(made['missing']).toEqual(['queue', 'callerId', 'callWindows'])
  expect((await listed({ callCode: made.callCode })).callCodes).toEqual([made])
  expect((await create({ name: 'Active', corporation: { corpId: 1 } }))['active']).toBe(true)
})

test('several are created together, or none [acc 162, 163 by HTTP]', async () => {
  const names = ['One of two', 'Two of two']
  const { callCodes: made } = (await create({ callCodes: names.map((name) => campaign(name)) })) as unknown as {
    callCodes: readonly Shown[]
  }
  expect(made.map(({ name }) => name)).toEqual(names)
  const found = await listed({ callCode: made.map(({ callCode }) => callCode) })
  expect(found.callCodes.toSorted((one, other) => one.callCode - other.callCode)).toEqual(made)
  const as = await issueCredential(client)
  const json = { callCodes: [campaign('Never made'), campaign('Wrong', { ringTimeoutSeconds: 1 })] }
  const refused = await send(await client.endpoint(), 'POST', '/dialer/callcode', { as, json })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('callCodes[1].ringTimeoutSeconds')])
  expect((await listed({ name: 'Never made' })).foundRows).toBe(0)
})

test('an existing one is changed where a field is given [acc 162, 163 by HTTP]', async () => {
  const made = await create(campaign('Before', { ringTimeoutSeconds: 33, wrapUpSeconds: 44 }))
  const { callCode } = made
  const changed = await create({ callCode, name: 'After', ringTimeoutSeconds: null, callWindows: windows('09:45') })
  const { updateTs } = changed
  const usual = { ringTimeoutSeconds: 25, callWindows: windows('09:45') }
  expect(changed).toEqual({ ...made, name: 'After', ...usual, updateTs })
  expect((await listed({ callCode })).callCodes).toEqual([changed])
})

test.each([
  ['no name', { name: undefined }, 'name'],
  ['no corporation', { corporation: undefined }, 'corporation'],
  ['a corporation of others', { corporation: { corpId: 987_654_321 } }, 'corporation.corpId'],
  ['a queue that does not exist', { queue: { ucquId: 987_654_321 } }, 'queue.ucquId'],
  ['a system that does not exist', { externalSystem: { itsyId: 987_654_321 } }, 'externalSystem.itsyId'],
  ['a field that does not exist', { colour: 'red' }, 'colour'],
  ['a mode that does not exist', { dialMode: 'all' }, 'dialMode'],
  ['more abandoned calls than the law allows', { maxAbandonRate: 0.04 }, 'maxAbandonRate'],
])('with %s nothing is created [acc 162 by HTTP]', async (name, change, path) => {
  const as = await issueCredential(client)
  const json = campaign(`With ${name}`, change)
  const { status, body } = await send(await client.endpoint(), 'POST', '/dialer/callcode', { as, json })
  expect([status, body['detail']]).toEqual([400, expect.stringContaining(path)])
  expect((await listed({ name: `With ${name}` })).foundRows).toBe(0)
})

test('they are retrieved by code, by state and by name, page by page [acc 163 by HTTP]', async () => {
  const made = await Promise.all(['Here 1', 'Here 2', 'Here 3'].map((name) => create(campaign(name))))
  const [first, second, third] = made as [Shown, Shown, Shown]
  await create({ callCode: second.callCode, active: true })
  const codesOf = async (query: object) => (await listed(query)).callCodes.map(({ callCode }) => callCode).sort()
  const codes = [first.callCode, second.callCode, third.callCode].sort()
  const all: number[] = []
  for await (const { callCode } of client.each('GET /dialer/callcode')) all.push(callCode)
  expect(all).toEqual(expect.arrayContaining(codes))
  expect(await codesOf({ name: 'Here' })).toEqual(codes)
  expect(await codesOf({ name: 'Here', active: true })).toEqual([second.callCode])
  expect(await codesOf({ name: 'Here', active: false })).toEqual([first.callCode, third.callCode].sort())
  expect(await codesOf({ callCode: [first.callCode, third.callCode] })).toEqual([first.callCode, third.callCode].sort())
  expect(await codesOf({ callCode: 987_654_321 })).toEqual([])
  const { callCodes, ...facts } = await listed({ name: 'Here', limit: 2, pageNumber: 2 })
  expect([callCodes.length, facts]).toEqual([1, { foundRows: 3, firstRow: 3, lastRow: 3, pageCount: 2 }])
  await create({ callCode: second.callCode, active: false })
})
