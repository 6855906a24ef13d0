/** §2.3, §3.2, §4.1, §8: what a search finds, over call tasks that were called, promised, ended and left alone. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SipCarrier } from '../../demo/sip/sip-carrier.ts'
import type { SippAgentPhone } from '../../demo/sip/sipp-agent-phone.ts'
import type { Client } from '../../src/client/client.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem, type TaskIn } from './place/campaigns.ts'
import { integrator, openScreen, type Screen } from './place/doors.ts'
import { carrierOf, phoneOf } from './place/phones.ts'
import { issueCredential, send } from './place/wire.ts'

const systemCode = 'SEARCH'
const HOUR_MS = 3_600_000
/** Against hanging alone. */
const PATIENCE = { timeout: 300_000 }
let client: Client
let carrier: SipCarrier
let phone: SippAgentPhone
let sara: Screen
/** The campaign that dials, and one that does not. */
let dialed: number
let idle: number
/** One that dials last of all. */
let held: number
/** Call task of each name. */
const ids = new Map<string, number>()

/** Numbers with this end are busy; all others answer, and hang up after half a second. */
const BUSY = '02'
const person = (name: string, number: string, systemLookupCode: string): TaskIn => {
  return { callReceiverName: name, callNumberList: [number], extCustId: `s-${name}`, systemLookupCode }
}

beforeAll(async () => {
  client = await integrator()
  const itsyId = await makeSystem(client, systemCode)
  dialed = await makeCampaign(client, 'search', itsyId)
  idle = await makeCampaign(client, 'search', itsyId, { active: false })
  const talks = { does: 'answer', afterMs: 200, hangsUpAfterMs: 500 } as const
  const contactOf = (number: string) => (number.endsWith(BUSY) ? ({ does: 'busy', afterMs: 50 } as const) : talks)
  carrier = await carrierOf('search', { contactOf })
  phone = await phoneOf('sara')
  sara = await openScreen('sara')
  const put = async (callCode: number, callTasks: readonly TaskIn[], rules: object = { maxCallAttempts: 3 }) => {
    const { callTasks: made } = await importTasks(client, { systemCode, callCode, callTasks, ...rules })
    for (const [place, { itcaId }] of made!.entries()) ids.set(callTasks[place]!.callReceiverName, itcaId)
  }
  await put(idle, [person('same', '+4526300401', 'S-1'), person('ended', '+4526300501', 'S-5')])
  await put(idle, [person('open', '+4526300601', 'S-6')])
  // Imported before the others, and called after them.
  held = await makeCampaign(client, 'search', itsyId, { active: false })
  await put(held, [person('busy', `+45263002${BUSY}`, 'S-2')])
  await put(dialed, [person('spent', `+45263003${BUSY}`, 'S-3')], { maxCallAttempts: 1, minCallIntervalHours: 9 })
  const patient = [person('later', `+45263008${BUSY}`, 'S-8'), person('latest', `+45263009${BUSY}`, 'S-10')]
  await put(dialed, patient, { maxCallAttempts: 2, minCallIntervalHours: 31 })
  await talk('talked', person('talked', '+4526300101', 'S-1'), put)
  await talk('again', person('again', '+4526300701', 'S-7'), put)
  await client.ask('PUT /v1/calltasks/{itcaId}/end', { params: { itcaId: ids.get('ended')! } })
  await client.ask('POST /dialer/callcode', { body: { callCode: held, active: true } } as never)
  for (const name of ['busy', 'spent', 'later', 'latest', 'talked', 'again']) {
    await vi.waitFor(async () => {
      expect(await attemptsOf(client, ids.get(name)!)).toMatchObject([{ endTs: expect.any(String) }])
    }, PATIENCE)
  }
})

afterAll(async () => {
  for (const callCode of [dialed, held]) {
    await client.ask('POST /dialer/callcode', { body: { callCode, active: false } } as never)
  }
  await sara?.close()
  await phone?.close()
  await carrier?.close()
})

/** A conversation in which a callback is promised, which is a call task of its own. */
async function talk(
  name: string,
  who: TaskIn,
  put: (callCode: number, callTasks: readonly TaskIn[]) => Promise<void>,
): Promise<void> {
  await put(dialed, [who])
  const itcaId = ids.get(name)!
  const isIt = (news: Screen['news'][number]) => (news['callTask'] as { itcaId?: number })?.itcaId === itcaId
  const call = await sara.hears((news) => news.type === 'call' && isIt(news))
  const callId = String(call['callId'])
  await sara.hears((news) => news.type === 'callEnded' && news['callId'] === callId)
  const callBackTs = new Date(Date.now() + (24 - ids.size) * HOUR_MS).toISOString()
  await sara.order({ type: 'callback', callId, callBackTs })
  const promised = { callCodes: [{ callCode: dialed }], extCustIds: [who.extCustId!], hasCallBackDate: true }
  const [follower] = await vi.waitUntil(async () => {
    const { callTasks } = await search(promised)
    return callTasks.length > 0 && callTasks
  }, PATIENCE)
  ids.set(`${name} promised`, follower!.itcaId)
}

const search = (body: object) => client.ask('POST /dialer/calltaskget', { body: body as never })
/** Names of the call tasks that a search finds among those with a name. */
async function namesOf(filter: object): Promise<string[]> {
  const { callTasks, foundRows } = await search({ systemCodes: [systemCode], limit: 0, sort: 'itcaId', ...filter })
  expect(callTasks).toHaveLength(Math.min(foundRows, 1_000))
  const found = new Set(callTasks.map(({ itcaId }) => itcaId))
  return [...ids].filter(([, id]) => found.has(id)).map(([name]) => name)
}
const idOf = (name: string) => ids.get(name)!
const NAMED = [
  ...['same', 'ended', 'open', 'busy', 'spent', 'later', 'latest'],
  ...['talked', 'talked promised', 'again', 'again promised'],
]
const allBut = (...names: readonly string[]) => NAMED.filter((name) => !names.includes(name))

/** A filter, and whom it finds. */
const FILTERS: Readonly<Record<string, () => readonly [value: unknown, names: readonly string[]]>> = {
  systemLookupCodes: () => [
    ['S-1', 'S-2'],
    ['same', 'busy', 'talked', 'talked promised'],
  ],
  extCustIds: () => [
    ['s-talked', 's-ended'],
    ['ended', 'talked', 'talked promised'],
  ],
  itcaIds: () => [['talked', 'spent', 'open', 'same'].map(idOf), ['same', 'open', 'spent', 'talked']],
  callCodes: () => [[{ callCode: idle }], ['same', 'ended', 'open']],
  statusList: () => [
    [20, 22, 6],
    ['ended', 'busy', 'later', 'latest', 'talked', 'again'],
  ],
  answeredList: () => [[true], ['talked', 'again']],
  finishedList: () => [[true], ['ended', 'spent', 'talked', 'again']],
  callNumbers: () => [
    ['+4526300501', `+45263002${BUSY}`, '+4526300101'],
    ['ended', 'busy', 'talked', 'talked promised'],
  ],
  hasCallBackDate: () => [true, ['talked promised', 'again promised']],
}

describe('a filter', () => {
  test('finds the call tasks that fit, each alone [acc 58–66, 165 by HTTP, SIP]', async () => {
    for (const [field, filter] of Object.entries(FILTERS)) {
      const [value, names] = filter()
      expect([field, await namesOf({ [field]: value })]).toEqual([field, names])
    }
    const others: readonly (readonly [object, readonly string[]])[] = [
      [{ answeredList: [false] }, allBut('talked', 'again')],
      [{ answeredList: [true, false] }, NAMED],
      [{ finishedList: [false] }, allBut('ended', 'spent', 'talked', 'again')],
      [{ finishedList: [false, true] }, NAMED],
      [{ hasCallBackDate: false }, allBut('talked promised', 'again promised')],
      [{ statusList: [7] }, ['talked promised', 'again promised']],
      [{ statusList: [21] }, ['spent']],
      [{ statusList: [8] }, ['same', 'open']],
      [{ statusList: [99] }, []],
      [{ callNumbers: ['26 30 05 01', '0045 26300601'] }, ['ended', 'open']],
      [{ callNumbers: ['+4526300999'] }, []],
      [{ systemLookupCodes: ['S-'] }, []],
      [{ extCustIds: ['talked'] }, []],
    ]
    for (const [filter, names] of others) expect([filter, await namesOf(filter)]).toEqual([filter, names])
  })

  test('and another find what fits both, flat or in "filter" [acc 57 by HTTP]', async () => {
    const fields = Object.entries(FILTERS).map(([field, filter]) => [field, ...filter()] as const)
    for (const [place, [one, value, names]] of fields.entries()) {
      for (const [other, otherValue, otherNames] of fields.slice(place + 1)) {
        const both = names.filter((name) => otherNames.includes(name))
        const filter = { [one]: value, [other]: otherValue }
        expect([one, other, await namesOf(filter)]).toEqual([one, other, both])
      }
    }
    const all = Object.fromEntries(fields.map(([field, value]) => [field, value]))
    expect(await namesOf({ ...all, hasCallBackDate: false, callCodes: [{ callCode: dialed }] })).toEqual(['talked'])
  })

  test('is not needed: without any, everything is found [acc 56 by HTTP]', async () => {
    const { callTasks, foundRows } = await search({ limit: 50_000 })
    const found = new Set(callTasks.map(({ itcaId }) => itcaId))
    expect(NAMED.filter((name) => found.has(idOf(name)))).toEqual(NAMED)
    expect(foundRows).toBeGreaterThanOrEqual(NAMED.length)
  })

  test('that is misspelt or of another type is refused [acc 58, 60, 63, 66 by HTTP]', async () => {
    const wrong = [
      { systemLookupCode: ['S-1'] },
      { systemLookupCodes: 'S-1' },
      { itcaIds: [1.5] },
      { finishedList: ['no'] },
      { hasCallBackDate: 'perhaps' },
      { sort: 'colour' },
    ]
    const as = await issueCredential(client)
    for (const json of wrong) {
      const { status, body } = await send(await client.endpoint(), 'POST', '/dialer/calltaskget', { as, json })
      const [field] = Object.keys(json)
      expect([status, body['detail']]).toEqual([400, expect.stringContaining(field!)])
    }
  })
})

test('a case is found in all campaigns; callCodes and finishedList narrow it [acc 167, 168, 169 by HTTP]', async () => {
  const callCodes = [{ callCode: idle }]
  expect(await namesOf({ systemLookupCodes: ['S-1'] })).toEqual(['same', 'talked', 'talked promised'])
  expect(await namesOf({ systemLookupCodes: ['S-1'], callCodes })).toEqual(['same'])
  expect(await namesOf({ systemLookupCodes: ['S-2'], finishedList: [false] })).toEqual(['busy'])
  expect(await namesOf({ systemLookupCodes: ['S-3'], finishedList: [false] })).toEqual([])
  expect(await namesOf({ systemLookupCodes: ['S-1'], callCodes, finishedList: [false] })).toEqual(['same'])
})

test('a call task is either active or finished [acc 148 by HTTP, SIP]', async () => {
  const { callTasks, foundRows } = await search({ systemCodes: [systemCode], limit: 50_000, detail: true })
  for (const { finished, statusId, finishedTs } of callTasks) {
    expect([typeof finished, statusId >= 20, finishedTs !== null]).toEqual(['boolean', finished, finished])
  }
  const [active, over] = await Promise.all(
    [false, true].map((is) => search({ systemCodes: [systemCode], finishedList: [is], limit: 50_000 })),
  )
  expect(active!.callTasks.every(({ finished }) => !finished)).toBe(true)
  expect(over!.callTasks.every(({ finished }) => finished)).toBe(true)
  const apart = new Set([...active!.callTasks, ...over!.callTasks].map(({ itcaId }) => itcaId))
  expect([apart.size, active!.foundRows + over!.foundRows]).toEqual([foundRows, foundRows])
})

test('the rows are sorted by a column, up or down, ties by id [acc 68 by HTTP, SIP]', async () => {
  const columns = [
    ...['itcaId', 'callReceiverName', 'creationTs', 'updateTs', 'nextCallTs', 'lastCallTs', 'callBackTs'],
    ...['statusId', 'callAttemptCount'],
  ]
  for (const column of columns) {
    const sorted = async (sort: string) => {
      const { callTasks } = await search({ itcaIds: NAMED.map(idOf), detail: true, sort })
      expect(callTasks).toHaveLength(NAMED.length)
      return (callTasks as unknown as readonly Readonly<Record<string, string | number | null>>[])
        .filter(({ [column]: value }) => value !== null)
        .map((task) => [task[column]!, Number(task['itcaId'])] as const)
    }
    const up = await sorted(column)
    expect([column, new Set(up.map(([value]) => value)).size]).not.toEqual([column, 1])
    const byValue = up.toSorted(([a, one], [b, other]) => (a < b ? -1 : a > b ? 1 : one - other))
    expect([column, up]).toEqual([column, byValue])
    // No other order would do.
    const order = byValue.map(([, itcaId]) => itcaId)
    const isByTime = ['itcaId', 'creationTs'].includes(column)
    expect([column, `${order}` === `${order.toSorted((one, other) => one - other)}`]).toEqual([column, isByTime])
    const down = (await sorted(`${column} desc`)).map(([value]) => value)
    expect([column, down]).toEqual([column, byValue.map(([value]) => value).reverse()])
    expect((await sorted(`-${column}`)).map(([value]) => value)).toEqual(down)
  }
})

test('a row is a summary, or the whole call task on demand [acc 69, 70 by HTTP, SIP]', async () => {
  const one = { itcaIds: [idOf('talked')] }
  const summary = {
    itcaId: idOf('talked'),
    callCode: dialed,
    callReceiverName: 'talked',
    extCustId: 's-talked',
    systemLookupCode: 'S-1',
    statusId: 20,
    finished: true,
    answered: true,
    // Only unanswered ones count.
    callAttemptCount: 0,
    nextCallTs: null,
    callBackTs: null,
    creationTs: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updateTs: expect.stringMatching(/Z$/),
  }
  for (const body of [one, { ...one, detail: false }]) expect((await search(body)).callTasks).toEqual([summary])
  const [whole] = (await search({ ...one, detail: true })).callTasks
  expect(whole).toMatchObject({
    ...summary,
    callNumberList: [{ number: '+4526300101', e164: '+4526300101', position: 0, stopped: false }],
    properties: [],
    maxCallAttempts: 3,
    minCallIntervalHours: 4,
    externalSystem: { systemCode },
    corporation: { corpId: 1 },
    lastCallTs: expect.stringMatching(/Z$/),
    finishedTs: expect.stringMatching(/Z$/),
    callAttempts: [{ itcaId: idOf('talked'), attemptNo: 1, result: 1, answered: true, callNumber: '+4526300101' }],
  })
})

test('unanswered attempts are as many as the import says, and as far apart [acc 33, 34 by HTTP, SIP]', async () => {
  for (const [name, hours, statusId] of [
    ['busy', 4, 6],
    ['spent', null, 21],
    ['later', 31, 6],
    ['latest', 31, 6],
  ] as const) {
    const [task] = (await search({ itcaIds: [idOf(name)], detail: true })).callTasks
    const [attempt] = await attemptsOf(client, idOf(name))
    const gap = task!.nextCallTs === null ? null : Date.parse(task!.nextCallTs) - Date.parse(attempt!.endTs!)
    expect([name, task]).toMatchObject([name, { statusId, callAttemptCount: 1 }])
    // The clock goes on between the end and the decision.
    expect([name, gap && Math.floor(gap / HOUR_MS)]).toEqual([name, hours])
  }
})

test('an attempt is found by its id [acc 171 by HTTP, SIP]', async () => {
  const [talked] = await attemptsOf(client, idOf('talked'))
  const [busy] = await attemptsOf(client, idOf('busy'))
  const attempts = async (body: object) =>
    (await client.ask('POST /svcdialer/calltaskcallattempts/search', { body })).callAttempts
  expect(await attempts({ iccaIds: [talked!.iccaId] })).toEqual([talked])
  expect(await attempts({ iccaId: busy!.iccaId })).toMatchObject([
    { iccaId: busy!.iccaId, itcaId: idOf('busy'), callNumber: `+45263002${BUSY}`, result: 3, answered: false },
  ])
  const both = await attempts({ iccaIds: [busy!.iccaId, talked!.iccaId, 987_654_321] })
  expect(both.map(({ itcaId }) => itcaId).sort()).toEqual([idOf('talked'), idOf('busy')].sort())
  expect(await attempts({ iccaIds: [987_654_321] })).toEqual([])
})

test('the external system ends an active call task [acc 149, 170, 297 by HTTP]', async () => {
  const endpoint = await client.endpoint()
  const as = await issueCredential(client)
  const systemLookupCode = 'S-9'
  const two = ['first', 'second'].map((name, place) => person(name, `+452630090${place + 3}`, systemLookupCode))
  await importTasks(client, { systemCode, callCode: idle, callTasks: two })
  const active = { systemLookupCodes: [systemLookupCode], finishedList: [false] }
  const [first, second] = (await search(active)).callTasks.map(({ itcaId }) => itcaId)
  const end = (itcaId: unknown, json?: object) => send(endpoint, 'PUT', `/v1/calltasks/${itcaId}/end`, { as, json })
  expect((await end(first)).body).toMatchObject({ itcaId: first, finished: true, answered: false, changed: true })
  expect((await search(active)).callTasks.map(({ itcaId }) => itcaId)).toEqual([second])
  const [ended] = (await search({ itcaIds: [first], detail: true })).callTasks
  expect(ended).toMatchObject({
    statusId: 22,
    finished: true,
    answered: false,
    finishedTs: expect.stringMatching(/Z$/),
  })
  const again = await end(first)
  expect([again.status, again.body]).toMatchObject([200, { finished: true, changed: false }])
  expect((await search({ itcaIds: [first], detail: true })).callTasks).toEqual([ended])
  const paid = await end(String(second), { reasonCode: 'PAID' })
  expect([paid.status, paid.body]).toMatchObject([200, { itcaId: second, changed: true }])
  expect((await search(active)).foundRows).toBe(0)
  for (const [itcaId, status] of [
    [987_654_321, 404],
    ['first', 400],
    ['1.5', 400],
  ] as const) {
    expect([itcaId, (await end(itcaId)).status]).toEqual([itcaId, status])
  }
})
