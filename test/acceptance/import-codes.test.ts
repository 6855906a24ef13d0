/** §7: each code of an import, and when it is given. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { attemptsOf, makeCampaign, makeSystem } from './place/campaigns.ts'
import { integrator, openScreen } from './place/doors.ts'
import { carrierOf, phoneOf } from './place/phones.ts'
import { issueCredential, type Reply, send } from './place/wire.ts'

const systemCode = 'CODES'
let client: Client
let endpoint: string
let itsyId: number
let callCode: number

beforeAll(async () => {
  client = await integrator()
  endpoint = await client.endpoint()
  itsyId = await makeSystem(client, systemCode)
  callCode = await makeCampaign(client, 'codes', itsyId, { active: false })
})

let made = 0
/** A call task that nobody else has. */
const task = (change: object = {}) => {
  made++
  const callNumberList = [`+45262${String(made).padStart(5, '0')}`]
  return {
    callReceiverName: `Carl ${made}`,
    callNumberList,
    extCustId: `c-${made}`,
    systemLookupCode: `C-${made}`,
    ...change,
  }
}

/** Imports with an allowance of its own, into `callCode` unless the change says otherwise. */
async function importing() {
  const as = await issueCredential(client)
  return (callTasks: unknown, change: object = {}, query = ''): Promise<Reply> => {
    const json = { systemCode, callCode, maxCallAttempts: 3, minCallIntervalHours: 4, callTasks, ...change }
    return send(endpoint, 'POST', `/svcdialer/calltaskimport${query}`, { as, json })
  }
}

/** The codes of each call task, of none where it was imported. */
function codesIn({ status, body }: Reply, count: number): readonly (readonly number[])[] {
  expect(status).toBe(200)
  const errors = body['callTaskErrors'] as readonly { callTaskIndex: number; errorCodes: readonly number[] }[]
  return Array.from(
    { length: count },
    (_, index) => errors.find(({ callTaskIndex }) => callTaskIndex === index)?.errorCodes ?? [],
  )
}

const keptOf = (tasks: readonly { readonly extCustId: string }[]) =>
  client.ask('POST /dialer/calltaskget', {
    body: { callCodes: [{ callCode }], extCustIds: tasks.map(({ extCustId }) => extCustId) },
  })

describe('the code of a request that is refused as a whole', () => {
  const good = task()
  /** The change of a good request → the code. */
  const refusals: readonly (readonly [name: string, code: number, changes: readonly object[]])[] = [
    ['no system', 3, [{ systemCode: undefined }, { systemCode: null }, { systemCode: '' }, { systemCode: '  ' }]],
    ['a wrong system', 4, [{ systemCode: 'codes' }, { systemCode: 'NOBODY' }, { systemCode: 4 }, { systemCode: [] }]],
    ['no campaign', 5, [{ callCode: undefined }, { callCode: null }]],
    ['a wrong campaign', 6, [{ callCode: 987_654_321 }, { callCode: 6.5 }, { callCode: 'six' }, { callCode: [6] }]],
    ['no maximum of attempts', 7, [{ maxCallAttempts: undefined }, { maxCallAttempts: null }]],
    ['a wrong maximum of attempts', 8, [0, -1, 101, 2.5, '3', true].map((maxCallAttempts) => ({ maxCallAttempts }))],
    ['no interval', 9, [{ minCallIntervalHours: undefined }, { minCallIntervalHours: null }]],
    ['a wrong interval', 10, [-1, 8761, 0.5, '4', false].map((minCallIntervalHours) => ({ minCallIntervalHours }))],
    ['no call tasks', 11, [undefined, null, [], {}, 'none'].map((callTasks) => ({ callTasks }))],
    ['a mistake without a code of its own', 1, [{ priority: 101 }, { callTasks: Array(10_001).fill(good) }]],
  ]

  test('names the first mistake; nothing is imported [acc 30–35, 49, 50, 160, 269, 271–279 by HTTP]', async () => {
    for (const [name, code, changes] of refusals) {
      const send = await importing()
      for (const change of changes) {
        const { status, body } = await send([good], change)
        expect([name, status, body['statusCode']]).toEqual([name, 400, code])
        expect(body['statusText'], name).toMatch(/\w+ \w+/)
      }
    }
    const send = await importing()
    const { body } = await send([good], { systemCode: undefined, callCode: null, minCallIntervalHours: -1 })
    expect(body).toEqual({ statusCode: 3, statusText: expect.stringMatching(/systemCode.*callCode.*minCallInterval/) })
    expect((await keptOf([good])).foundRows).toBe(0)
    expect(codesIn(await send([good]), 1)).toEqual([[]])
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{"systemCode": '],
    ['a list', '[]'],
    ['a text', '"import"'],
    ['null', 'null'],
  ])('is 2 for %s [acc 49, 50, 160, 270 by HTTP]', async (_name, text) => {
    const as = await issueCredential(client)
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await send(endpoint, 'POST', '/svcdialer/calltaskimport', { as, text, headers })
    expect([status, body]).toEqual([400, { statusCode: 2, statusText: expect.stringMatching(/body/) }])
  })

  test('is 4 for a system that is not in use any more [acc 31, 272 by HTTP]', async () => {
    const send = await importing()
    const old = await makeSystem(client, 'CODES2')
    expect(codesIn(await send([task()], { systemCode: 'CODES2' }), 1)).toEqual([[]])
    await client.ask('PATCH /rest/core/externalsystems/{itsyId}', { params: { itsyId: old }, body: { active: false } })
    const { status, body } = await send([task()], { systemCode: 'CODES2' })
    expect([status, body['statusCode']]).toEqual([400, 4])
  })

  test('is 12 for a campaign that lacks a setting, which the text names [acc 280 by HTTP]', async () => {
    const send = await importing()
    const lacking = { queue: 'queue', callerId: 'callerId', callWindows: 'callWindows' }
    for (const [setting, word] of Object.entries(lacking)) {
      const unready = await makeCampaign(client, 'codes', itsyId, { active: false, [setting]: null })
      const { status, body } = await send([task()], { callCode: unready })
      expect([setting, status, body['statusCode']]).toEqual([setting, 400, 12])
      expect(String(body['statusText']).replace('team', 'queue')).toContain(word)
    }
    expect(codesIn(await send([task()]), 1)).toEqual([[]])
  })
})

describe('the code of a call task', () => {
  test('is 101 without a name, 102 without numbers, 103 for wrong ones [acc 281–283, 288, 289 by HTTP]', async () => {
    const send = await importing()
    const numbers = ['abc', '112', '+4512', '+4590123456', '+12025550123', '+881612345678', 'sip:a@b.example', '']
    const list = [
      ...[undefined, null, '', ' \t', '\u200b'].map((callReceiverName) => [101, task({ callReceiverName })] as const),
      ...[undefined, null, []].map((callNumberList) => [102, task({ callNumberList })] as const),
      ...numbers.map((number) => [103, task({ callNumberList: ['+4526299999', number] })] as const),
    ]
    const { body } = await send([task(), ...list.map(([, one]) => one)])
    const errors = body['callTaskErrors'] as readonly { errorText: string }[]
    expect(errors).toMatchObject(list.map(([code], place) => ({ callTaskIndex: place + 1, errorCodes: [code] })))
    for (const { errorText } of errors.slice(-numbers.length)) expect(errorText).toContain('number 2')
  })

  test('is 1 for what has no code of its own [acc 269 by HTTP]', async () => {
    const send = await importing()
    const wrong = [task({ validFrom: 'soon' }), task({ extCustId: 'x'.repeat(65) }), task({ priority: 101 })]
    expect(codesIn(await send([...wrong, task()]), 4)).toEqual([[1], [1], [1], []])
  })

  test('is 201 while the same customer and case is open in the campaign [acc 284 by HTTP]', async () => {
    const send = await importing()
    const other = await makeCampaign(client, 'codes', itsyId, { active: false })
    const [sent] = [task()]
    expect(codesIn(await send([sent, { ...sent }, { ...sent, systemLookupCode: 'another' }]), 3)).toEqual([
      [],
      [201],
      [],
    ])
    expect(codesIn(await send([{ ...sent, callReceiverName: 'Other', callNumberList: ['+4526288888'] }]), 1)).toEqual([
      [201],
    ])
    expect(codesIn(await send([sent], { callCode: other }), 1)).toEqual([[]])
    const found = await keptOf([sent])
    const itcaId = found.callTasks.find(({ systemLookupCode }) => systemLookupCode === sent.systemLookupCode)!.itcaId
    await client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId } })
    expect(codesIn(await send([sent]), 1)).toEqual([[]])
    const bare = { extCustId: undefined, systemLookupCode: undefined, callNumberList: ['+4526277777', '+4526277778'] }
    const turned = { ...bare, callNumberList: ['+4526277778', '+4526277777'] }
    expect(
      codesIn(await send([task(bare), task(turned), task({ ...bare, callNumberList: ['+4526277777'] })]), 3),
    ).toEqual([[], [201], []])
  })

  test('is 202 for a stopped customer, 203 for a number, or both [acc 285, 286, 290 by HTTP]', async () => {
    const send = await importing()
    const list = [task(), task(), task(), task()] as const
    const persons = [list[0], list[2]].map(({ extCustId }) => ({ systemCode, extCustId }))
    const numbers = [list[1], list[2]].flatMap(({ callNumberList }) => callNumberList)
    await client.ask('POST /dialer/stoplist/persons', { body: { persons } })
    await client.ask('POST /dialer/stoplist/numbers', { body: { numbers } })
    const second = { ...list[3], callNumberList: [...list[3].callNumberList, ...list[1].callNumberList] }
    expect(codesIn(await send([...list.slice(0, 3), second, task()]), 5)).toEqual([[202], [203], [202, 203], [203], []])
    expect((await keptOf(list)).foundRows).toBe(0)
    const { extCustId } = list[0]
    await client.ask('DELETE /dialer/stoplist/persons', { query: { systemCode, extCustId } })
    await client.ask('DELETE /dialer/stoplist/numbers', { query: { numbers: list[1].callNumberList } })
    expect(codesIn(await send(list), 4)).toEqual([[], [], [202, 203], []])
  })

  test('may be one of several, in their order [acc 54, 290 by HTTP]', async () => {
    const send = await importing()
    const all = { callReceiverName: '', callNumberList: ['x'], properties: [{ emprId: 987_654_321, value: 'x' }] }
    expect(codesIn(await send([task(), task(all), task({ ...all, callNumberList: [] })]), 3)).toEqual([
      [],
      [12, 101, 103],
      [12, 101, 102],
    ])
  })

  test('is 204 after the final feedback of an agent in the campaign [acc 287 by HTTP, SIP]', async () => {
    const send = await importing()
    const dialed = await makeCampaign(client, 'codes', itsyId)
    const free = await makeCampaign(client, 'codes', itsyId, { active: false })
    onTestFinished(async () => {
      await client.ask('POST /dialer/callcode', { body: { callCode: dialed, active: false } } as never)
      await screen.close()
      await phone.close()
      await carrier.close()
    })
    const carrier = await carrierOf('codes', {
      contactOf: () => ({ does: 'answer', afterMs: 200, hangsUpAfterMs: 3_000 }),
    })
    const phone = await phoneOf('cora')
    const screen = await openScreen('cora')
    const [told, promised] = [task(), task()]
    for (const [sent, final] of [
      [promised, false],
      [told, true],
    ] as const) {
      expect(codesIn(await send([sent], { callCode: dialed }), 1)).toEqual([[]])
      const call = await screen.hears(
        ({ type, callTask }) => type === 'call' && (callTask as { extCustId?: string })?.extCustId === sent.extCustId,
      )
      const { callId, callTask } = call as { callId?: string; callTask?: { itcaId: number } }
      await screen.hears((news) => news.type === 'callEnded' && news['callId'] === callId)
      await screen.order({ type: 'feedback', callId, feedbackType: 'promised', final })
      await expect.poll(() => attemptsOf(client, callTask!.itcaId)).toMatchObject([{ feedback: [{ final }] }])
    }
    const again = [task({ extCustId: promised.extCustId }), task({ extCustId: told.extCustId })]
    expect(codesIn(await send(again, { callCode: dialed }), 2)).toEqual([[], [204]])
    expect(codesIn(await send(again, { callCode: free }), 2)).toEqual([[], []])
    await client.ask('POST /dialer/callcode', { body: { callCode: dialed, feedbackQuarantineDays: 0 } } as never)
    expect(codesIn(await send([again[1]], { callCode: dialed }), 1)).toEqual([[]])
  })
})
