import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CampaignId } from '../../../src/kernel/ids.ts'
import { CAMPAIGN, type DialerWorld, debtors, importOf, openDialerWorld, SETTINGS } from './dialer-world.ts'

let world: DialerWorld

beforeAll(async () => {
  world = await openDialerWorld()
})
afterAll(() => world.close())

/** Places of debtors that no other test uses. */
let nextPlace = 0
const fresh = (count: number) => {
  nextPlace += count
  return debtors(nextPlace - count, nextPlace)
}
const one = (change: object = {}) => ({ ...fresh(1)[0]!, ...change })
const errorsOf = async (callTasks: readonly unknown[]) => (await world.importTasks(callTasks)).body.callTaskErrors

describe('the answer to an import', () => {
  test('given valid call tasks, has no errors and the number of created ones', async () => {
    const { status, body } = await world.importTasks(fresh(3))
    expect(status).toBe(200)
    expect(body).toEqual({ callTaskErrors: [], importId: expect.stringMatching(/^imp_/), importedCount: 3 })
  })

  test.each([3, 4_000])('names the one of %d call tasks that has U+0000', async (count) => {
    const list = Array.from({ length: count }, () => one())
    list[count - 2] = one({ callReceiverName: 'Bo\0' })
    const { status, body } = await world.importTasks(list)
    expect([status, body.statusText]).toEqual([
      400,
      expect.stringContaining(` in callTasks[${count - 2}].callReceiverName;`),
    ])
  })

  test('both spellings of the path are served', async () => {
    const answer = await world.call('POST', '/rest/svcdialer/calltaskimport', importOf(fresh(1)))
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  })

  test('has one entry for each refused call task, and none for the others', async () => {
    const [good, alsoGood] = fresh(2)
    const errors = await errorsOf([good, one({ callNumberList: [] }), alsoGood, one({ callReceiverName: ' ' })])
    expect(errors).toEqual([
      { callTaskIndex: 1, errorCodes: [102], errorText: expect.stringContaining('empty') },
      { callTaskIndex: 3, errorCodes: [101], errorText: expect.stringContaining('name') },
    ])
    const made = await world.search({ systemLookupCodes: [good!.systemLookupCode, alsoGood!.systemLookupCode] })
    expect(made.body.foundRows).toBe(2)
  })

  test('has the call tasks on request, whole and in their order', async () => {
    const [first, second] = fresh(2)
    const list = [first, one({ callNumberList: undefined }), second]
    const { body } = await world.importTasks(list, {}, '?returnImportedCallTasks=TRUE')
    expect(body.callTaskErrors).toHaveLength(1)
    expect(body.callTasks).toMatchObject([
      {
        callTaskIndex: 0,
        callReceiverName: first!.callReceiverName,
        callCode: CAMPAIGN,
        statusId: 1,
        maxCallAttempts: 3,
      },
      { callTaskIndex: 2, callNumberList: [{ e164: second!.callNumberList[0], position: 0, stopped: false }] },
    ])
    expect((await world.importTasks(fresh(1))).body).not.toHaveProperty('callTasks')
  })

  test('given the key of an earlier request, has the same call tasks and none is created', async () => {
    const body = importOf(fresh(2))
    const options = { headers: { 'idempotency-key': 'again' } }
    const path = '/svcdialer/calltaskimport?returnImportedCallTasks=true'
    const first = await world.call('POST', path, body, options)
    const again = await world.call('POST', path, body, options)
    expect(first.body.callTasks).toHaveLength(2)
    expect(again.body).toEqual(first.body)
    expect(again.headers['svc-idempotent-replay']).toBe('true')
  })

  test('a query that is neither true nor false is refused in the contract’s form', async () => {
    const { status, body } = await world.importTasks(fresh(1), {}, '?importAsync=maybe')
    expect([status, body.statusCode]).toEqual([400, 1])
    expect(body.statusText).toContain('importAsync')
  })
})

describe('an invalid request', () => {
  const refused = async (change: object) => {
    const { status, body } = await world.importTasks(fresh(1), change)
    expect(Object.keys(body).sort()).toEqual(['statusCode', 'statusText'])
    return [status, body.statusCode]
  }

  test.each([
    ['nothing at all', undefined],
    ['no JSON', '{"systemCode":'],
    ['a list', '[]'],
    ['a text', '"import"'],
    ['null', 'null'],
  ])('given %s, code 2', async (_, text) => {
    const path = '/svcdialer/calltaskimport'
    const options = text === undefined ? {} : { text }
    const { status, body } = await world.call('POST', path, undefined, options)
    expect([status, body.statusCode, typeof body.statusText]).toEqual([400, 2, 'string'])
  })

  test('the system: missing is 3, unknown, inactive or foreign is 4', async () => {
    for (const systemCode of [undefined, null, '', '  ']) expect(await refused({ systemCode })).toEqual([400, 3])
    for (const systemCode of ['NONE', 'OLD', 'THEIRS', 3, true, ['DEBT']]) {
      expect(await refused({ systemCode })).toEqual([400, 4])
    }
  })

  test('the campaign: missing is 5, unknown, foreign or not a whole number is 6', async () => {
    for (const callCode of [undefined, null]) expect(await refused({ callCode })).toEqual([400, 5])
    for (const callCode of [99, 9, 7.5, 'seven', true, { callCode: 7 }])
      expect(await refused({ callCode })).toEqual([400, 6])
    expect((await world.importTasks(fresh(1), { callCode: '7' })).status).toBe(200)
  })

  test('the attempts: missing is 7, anything but 1 to 100 is 8', async () => {
    for (const maxCallAttempts of [undefined, null]) expect(await refused({ maxCallAttempts })).toEqual([400, 7])
    for (const maxCallAttempts of [0, -1, 101, 2.5, '3', true, [3]])
      expect(await refused({ maxCallAttempts })).toEqual([400, 8])
    const { body } = await world.importTasks(fresh(1), { maxCallAttempts: 100 }, '?returnImportedCallTasks=1')
    expect(body.callTasks).toMatchObject([{ maxCallAttempts: 100 }])
  })

  test('the interval: missing is 9, anything but 0 to 8760 is 10', async () => {
    for (const minCallIntervalHours of [undefined, null])
      expect(await refused({ minCallIntervalHours })).toEqual([400, 9])
    for (const minCallIntervalHours of [-1, 8761, 0.5, '4'])
      expect(await refused({ minCallIntervalHours })).toEqual([400, 10])
    const { body } = await world.importTasks(fresh(1), { minCallIntervalHours: 0 }, '?returnImportedCallTasks=1')
    expect(body.callTasks).toMatchObject([{ minCallIntervalHours: 0 }])
  })

  test('the call tasks: missing, empty or not a list is 11', async () => {
    for (const callTasks of [undefined, null, [], {}, 'none']) expect(await refused({ callTasks })).toEqual([400, 11])
  })

  test('a campaign that cannot dial is 12, with what it lacks', async () => {
    const id = 71 as CampaignId
    const bare = { id, corporation: 1 as never, name: 'Bare', active: true, settings: {} }
    await world.dialerRepository.saveCampaign(bare, 0)
    const { status, body } = await world.importTasks(fresh(1), { callCode: id })
    expect([status, body.statusCode]).toEqual([400, 12])
    for (const name of ['team', 'callerId', 'callWindows']) expect(body.statusText).toContain(name)
    await world.dialerRepository.saveCampaign(
      { ...bare, team: 'collectors' as never, settings: { ...SETTINGS, requiresPopup: true } },
      0,
    )
    expect(await refused({ callCode: id, systemCode: 'BARE' })).toEqual([400, 12])
    expect((await world.importTasks(fresh(1), { callCode: id })).status).toBe(200)
  })

  test('the first of several mistakes sets the code, and all of them the text; nothing is created', async () => {
    const [task] = fresh(1)
    const { body } = await world.importTasks([task], {
      callCode: 99,
      maxCallAttempts: 0,
      minCallIntervalHours: undefined,
    })
    expect(body.statusCode).toBe(6)
    for (const name of ['callCode', 'maxCallAttempts', 'minCallIntervalHours']) expect(body.statusText).toContain(name)
    expect((await world.search({ extCustIds: [task!.extCustId] })).body.foundRows).toBe(0)
  })

  test('more than 10,000 call tasks at once are refused with the remedy', async () => {
    const { status, body } = await world.importTasks(Array.from({ length: 10_001 }, () => ({})))
    expect([status, body.statusCode]).toEqual([400, 1])
    expect(body.statusText).toContain('importAsync')
  })

  test('without a credential, or without the scope, the body has the contract’s form too', async () => {
    const path = '/svcdialer/calltaskimport'
    const nobody = await world.call('POST', path, importOf([]), { as: null })
    const reader = await world.call('POST', path, importOf([]), { as: await world.credential(['dialer:read']) })
    for (const [answer, status] of [
      [nobody, 401],
      [reader, 403],
    ] as const) {
      expect([answer.status, answer.body.statusCode, typeof answer.body.statusText]).toEqual([status, 1, 'string'])
    }
  })
})
