/** §2.1, §2.2, §4.1: imports of call tasks, and what is kept of them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { makeCampaign, makeSystem } from './place/campaigns.ts'
import { integrator, place } from './place/doors.ts'
import { runCli } from './place/start-place.ts'
import { issueCredential, type Reply, type Sending, send } from './place/wire.ts'

const systemCode = 'TASKS'
const FIELD = 'Amount of TASKS'
let client: Client
let endpoint: string
let itsyId: number
let callCode: number
let emprId: number

beforeAll(async () => {
  client = await integrator()
  endpoint = await client.endpoint()
  itsyId = await makeSystem(client, systemCode)
  callCode = await makeCampaign(client, 'tasks', itsyId, { active: false })
  emprId = (await client.ask('POST /rest/svcems/infofields', { body: { name: FIELD } })).emprId
})

let made = 0
/** A call task that nobody else has. */
const task = (change: object = {}) => {
  made++
  const number = `+45261${String(made).padStart(5, '0')}`
  const own = { callReceiverName: `Tilde ${made}`, callNumberList: [number] }
  return { ...own, extCustId: `tilde-${made}`, systemLookupCode: `T-${made}`, ...change }
}
const request = (callTasks: unknown, change: object = {}) => {
  return { systemCode, callCode, maxCallAttempts: 3, minCallIntervalHours: 4, callTasks, ...change }
}

/** Imports with a credential that has its whole allowance; the body is sent as it is. */
async function importing() {
  const as = await issueCredential(client)
  return (json: unknown, query = '', sending: Sending = {}): Promise<Reply> =>
    send(endpoint, 'POST', `/svcdialer/calltaskimport${query}`, { as, json, ...sending })
}

async function kept(filter: object) {
  const { callTasks } = await client.ask('POST /dialer/calltaskget', { body: { detail: true, limit: 0, ...filter } })
  return callTasks.toSorted((one, other) => one.itcaId - other.itcaId)
}
const keptOf = (...tasks: readonly { readonly extCustId: string }[]) =>
  kept({ callCodes: [{ callCode }], extCustIds: tasks.map(({ extCustId }) => extCustId) })

describe('a call task', () => {
  test('is kept as it was sent [acc 13, 30, 32–37, 40, 41, 51, 159 by HTTP]', async () => {
    const send = await importing()
    const numbers = ['+4526190003', '+4526190001', '+4526190002']
    const [first, second, third] = [task({ callNumberList: numbers }), task(), task()]
    const answer = await send(request([first, second], { maxCallAttempts: 7, minCallIntervalHours: 31 }))
    expect([answer.status, answer.body['callTaskErrors']]).toEqual([200, []])
    await send(request([third], { maxCallAttempts: 100, minCallIntervalHours: 0 }))
    const common = { callCode, externalSystem: { itsyId, systemCode }, finished: false, answered: false }
    expect(await keptOf(first, second, third)).toMatchObject([
      {
        ...common,
        callReceiverName: first.callReceiverName,
        callNumberList: numbers.map((number, position) => ({ number, e164: number, position })),
        extCustId: first.extCustId,
        systemLookupCode: first.systemLookupCode,
        maxCallAttempts: 7,
        minCallIntervalHours: 31,
        properties: [],
      },
      { ...common, callReceiverName: second.callReceiverName, maxCallAttempts: 7, minCallIntervalHours: 31 },
      { ...common, callReceiverName: third.callReceiverName, maxCallAttempts: 100, minCallIntervalHours: 0 },
    ])
  })

  test('needs neither customer nor case: each may be given alone [acc 40, 41 by HTTP]', async () => {
    const send = await importing()
    const bare = { extCustId: undefined, systemLookupCode: undefined }
    const list = [task({ systemLookupCode: undefined }), task({ extCustId: undefined }), task(bare)]
    const { body } = await send(request(list), '?returnImportedCallTasks=true')
    expect(body).toMatchObject({
      callTaskErrors: [],
      callTasks: [
        { extCustId: list[0]!.extCustId, systemLookupCode: null },
        { extCustId: null, systemLookupCode: list[1]!.systemLookupCode },
        { extCustId: null, systemLookupCode: null },
      ],
    })
  })

  test('its name and its numbers are a text and a list of texts [acc 36, 37 by HTTP]', async () => {
    const send = await importing()
    const wrong = [
      ...[undefined, null, 7, ['Tilde'], ''].map((callReceiverName) => [task({ callReceiverName }), 101] as const),
      ...[undefined, null, '+4526100000', {}].map((callNumberList) => [task({ callNumberList }), 102] as const),
      ...[26100000, null, { number: '+4526100000' }].map((one) => [task({ callNumberList: [one] }), 103] as const),
    ]
    const { status, body } = await send(request(wrong.map(([one]) => one)))
    expect([status, body['importedCount']]).toEqual([200, 0])
    expect(body['callTaskErrors']).toMatchObject(
      wrong.map(([, code], callTaskIndex) => ({ callTaskIndex, errorCodes: [code] })),
    )
  })
})

describe('properties of a call task', () => {
  test('are set on their fields, and added to the name on demand alone [acc 43–48 by HTTP]', async () => {
    const send = await importing()
    const other = (await client.ask('POST /rest/svcems/infofields', { body: { name: 'Debt of TASKS' } })).emprId
    const list = [
      task({ properties: [{ emprId, value: '310 kr', addToCallTaskName: true }] }),
      task({ properties: [{ emprId, value: '320 kr', addToCallTaskName: false }] }),
      task({ properties: [{ emprId, value: '330 kr' }] }),
      task({
        properties: [
          { emprId, value: '340 kr' },
          { emprId: other, value: 'rent', addToCallTaskName: true },
        ],
      }),
      task({ properties: [] }),
      task(),
    ]
    expect((await send(request(list))).body['callTaskErrors']).toEqual([])
    const nameOf = (place: number) => list[place]!.callReceiverName
    const amount = (value: string) => ({ emprId, name: FIELD, value })
    const found = await keptOf(...list)
    expect(found.map(({ callReceiverName, properties }) => [callReceiverName, properties])).toEqual([
      [`${nameOf(0)} 310 kr`, [amount('310 kr')]],
      [nameOf(1), [amount('320 kr')]],
      [nameOf(2), [amount('330 kr')]],
      [`${nameOf(3)} rent`, [amount('340 kr'), { emprId: other, name: 'Debt of TASKS', value: 'rent' }]],
      [nameOf(4), []],
      [nameOf(5), []],
    ])
  })

  test('need the id of a field that exists, and a text [acc 43, 44, 45, 47 by HTTP]', async () => {
    const send = await importing()
    const wrong = [
      [{ value: 'x' }],
      [{ emprId: null, value: 'x' }],
      [{ emprId: emprId + 0.5, value: 'x' }],
      [{ emprId: 987_654_321, value: 'x' }],
      [{ emprId }],
      [{ emprId, value: null }],
      [{ emprId, value: { text: 'x' } }],
      [{ emprId, value: 'x', addToCallTaskName: 'true' }],
      [{ emprId, value: 'x' }, { emprId }],
      'x',
      ['x'],
    ]
    const list = wrong.map((properties) => task({ properties }))
    const { status, body } = await send(request(list))
    expect(status).toBe(200)
    expect(body['callTaskErrors']).toMatchObject(wrong.map((_, callTaskIndex) => ({ callTaskIndex, errorCodes: [12] })))
    expect(await keptOf(...list)).toEqual([])
  })
})

describe('the answer', () => {
  test('names each call task that was not imported, and no other [acc 51–55, 159 by HTTP]', async () => {
    const send = await importing()
    const list = [
      task(),
      task({ callNumberList: [] }),
      task(),
      task({ callReceiverName: '', callNumberList: ['nobody'] }),
    ]
    const { status, body } = await send(request(list))
    expect(status).toBe(200)
    expect(body['callTaskErrors']).toEqual([
      { callTaskIndex: 1, errorCodes: [102], errorText: expect.stringMatching(/numbers.*empty/) },
      { callTaskIndex: 3, errorCodes: [101, 103], errorText: expect.stringMatching(/name.*number 1/) },
    ])
    const ids = (await keptOf(...list)).map(({ extCustId }) => extCustId)
    expect(ids).toEqual([list[0]!.extCustId, list[2]!.extCustId])
    const none = await send(request([task({ callNumberList: [] })]))
    expect([none.status, none.body]).toMatchObject([200, { callTaskErrors: [{ callTaskIndex: 0 }] }])
    expect(Object.keys({ ...body, ...none.body })).not.toEqual(expect.arrayContaining(['statusCode']))
    expect(Object.keys({ ...body, ...none.body })).not.toEqual(expect.arrayContaining(['statusText']))
  })

  test('has the created call tasks if they are asked for [acc 155, 156 by HTTP]', async () => {
    const send = await importing()
    for (const query of ['', '?returnImportedCallTasks=false']) {
      const { status, body } = await send(request([task()]), query)
      expect([status, Object.hasOwn(body, 'callTasks')]).toEqual([200, false])
    }
    const list = [task(), task({ callNumberList: [] }), task(), task()]
    const { body } = await send(request(list), '?returnImportedCallTasks=true')
    const right = list.filter((_, place) => place !== 1)
    expect(body['callTasks']).toMatchObject(right.map(({ extCustId }) => ({ extCustId, callCode })))
    const ids = (body['callTasks'] as readonly { itcaId: number }[]).map(({ itcaId }) => itcaId)
    expect((await keptOf(...list)).map(({ itcaId }) => itcaId)).toEqual(ids)
    const maybe = await send(request([task()]), '?returnImportedCallTasks=maybe')
    expect(maybe.status).toBe(400)
  })

  test('has a code and a text whenever it is not 200, and nothing is imported [acc 49, 50, 160 by HTTP]', async () => {
    const send = await importing()
    const reader = await issueCredential(client, { scopes: ['dialer:read'] })
    const sent = task()
    const good = request([sent])
    const refused: readonly (readonly [number, Promise<Reply>])[] = [
      [400, send({ ...good, callCode: 987_654_321 })],
      [400, send({ ...good, maxCallAttempts: 0 })],
      [400, send({ ...good, callTasks: [...Array.from({ length: 10_000 }, () => ({})), sent] })],
      [400, send(good, '?importAsync=maybe')],
      [400, send(undefined, '', { text: JSON.stringify(good).slice(0, -1) })],
      [401, send(good, '', { as: {} })],
      [403, send(good, '', { as: reader })],
      [415, send(good, '', { headers: { 'content-type': 'text/plain' } })],
      [413, send({ ...good, more: 'x'.repeat(16 * 1024 * 1024) })],
    ]
    for (const [status, asked] of refused) {
      const answer = await asked
      expect([answer.status, Object.keys(answer.body).sort()]).toEqual([status, ['statusCode', 'statusText']])
      expect(Number.isInteger(answer.body['statusCode'])).toBe(true)
      expect(answer.body['statusText']).toMatch(/\w+ \w+/)
    }
    expect(await keptOf(sent)).toEqual([])
  })

  test('comes when all is done, or at once on demand [acc 157, 158 by HTTP]', async () => {
    const send = await importing()
    for (const query of ['', '?importAsync=false']) {
      const sent = task()
      const { body } = await send(request([sent]), query)
      expect([body['importedCount'], (await keptOf(sent)).length]).toEqual([1, 1])
    }
    const list = [task(), task({ callReceiverName: '' }), task()]
    const { status, body } = await send(request(list), '?importAsync=true')
    expect([status, body]).toMatchObject([200, { callTaskErrors: [], importStatus: 'queued' }])
    expect(Object.hasOwn(body, 'importedCount')).toBe(false)
    await expect.poll(() => keptOf(...list)).toMatchObject([list[0]!, list[2]!].map(({ extCustId }) => ({ extCustId })))
    const wrong = await send(request([task()], { systemCode: '' }), '?importAsync=true')
    expect([wrong.status, wrong.body['statusCode']]).toEqual([400, 3])
  })
})

test('a spreadsheet makes the same call tasks and the same errors [acc 14 by HTTP, CLI, file]', async () => {
  const send = await importing()
  const rows = [
    ['Thea Torp', '+4526198001', '+4526198002', 'sheet-1', 'S-1', '75 kr'],
    ['Ture', '+4526198003', '', '', '', ''],
    ['', '+4526198004', '', 'sheet-3', 'S-3', ''],
    ['Tove', '', '', 'sheet-4', 'S-4', ''],
    ['Troels', '112', '', 'sheet-5', 'S-5', ''],
    ['Thea again', '+4526198006', '', 'sheet-1', 'S-1', ''],
  ]
  const list = rows.map(([callReceiverName, one, two, extCustId, systemLookupCode, value]) => ({
    callReceiverName,
    callNumberList: [one, two].filter((number) => number !== ''),
    ...(extCustId !== '' && { extCustId, systemLookupCode }),
    ...(value !== '' && { properties: [{ emprId, value }] }),
  }))
  const headings = ['Name', 'Phone 1', 'Phone 2', 'Customer no', 'Case no', FIELD]
  const file = join(place.directory, 'tasks.csv')
  writeFileSync(file, [headings, ...rows].map((row) => row.join(';')).join('\r\n'))
  const campaigns = await Promise.all([1, 2, 3].map(() => makeCampaign(client, 'tasks', itsyId, { active: false })))
  const [byApi, byCli, byForm] = campaigns as [number, number, number]

  const { body } = await send(request(list, { callCode: byApi }))
  const errors = body['callTaskErrors'] as readonly { callTaskIndex: number; errorCodes: number[]; errorText: string }[]
  expect(errors.map(({ errorCodes }) => errorCodes)).toEqual([[101], [102], [103], [201]])
  const options = ['--campaign', String(byCli), '--system', systemCode, '--attempts', '3', '--interval-hours', '4']
  const printed = await runCli(place, 'import', file, ...options).catch(({ stdout }: { stdout: string }) => stdout)
  for (const { callTaskIndex, errorCodes, errorText } of errors) {
    expect(printed).toContain(`row ${callTaskIndex + 2}: ${errorCodes.join(' ')} ${errorText}`)
  }
  const form = new FormData()
  form.append('file', new Blob([[headings, ...rows].map((row) => row.join(',')).join('\n')]), 'tasks.csv')
  const query = { systemCode, callCode: String(byForm), maxCallAttempts: '3', minCallIntervalHours: '4' }
  const sheet = await client.ask('POST /svcdialer/calltasksheet', { query, body: form } as never)
  expect(sheet).toMatchObject({ importedCount: 2, callTaskErrors: errors })

  const madeBy = async (code: number) =>
    (await kept({ callCodes: [{ callCode: code }] })).map((one) => {
      const { itcaId, callCode, importId, creationTs, updateTs, nextCallTs, ...same } = one
      return same
    })
  const [whole, short] = await madeBy(byApi)
  expect(whole).toMatchObject({ callReceiverName: 'Thea Torp', extCustId: 'sheet-1', systemLookupCode: 'S-1' })
  expect(whole).toMatchObject({ callNumberList: [{ e164: '+4526198001' }, { e164: '+4526198002' }] })
  expect(whole).toMatchObject({ properties: [{ value: '75 kr' }], maxCallAttempts: 3, minCallIntervalHours: 4 })
  expect(await madeBy(byCli)).toEqual([whole, short])
  expect(await madeBy(byForm)).toEqual([whole, short])
})
