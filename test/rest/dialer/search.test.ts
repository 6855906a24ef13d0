import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallTaskId } from '../../../src/kernel/ids.ts'
import { CallTask } from '../../../src/rest/dialer/call-task-schema.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { THEIRS } from '../rest-world.ts'
import {
  ANNA,
  CAMPAIGN,
  type DialerWorld,
  debtor,
  debtors,
  endOf,
  importOf,
  numberOf,
  OTHER_CAMPAIGN,
  openDialerWorld,
} from './dialer-world.ts'

let world: DialerWorld
/** Call task of each place. */
let itcaIds: number[]

beforeAll(async () => {
  world = await openDialerWorld()
  const { body } = await world.importTasks(debtors(0, 10), {}, '?returnImportedCallTasks=true')
  itcaIds = body.callTasks.map(({ itcaId }: { itcaId: number }) => itcaId)
  await world.importTasks([debtor(0)], { callCode: OTHER_CAMPAIGN })
  const lease = await world.lease()
  const nowMs = world.parts.clock.nowMs()
  const [first] = await world.claim(lease, CAMPAIGN, itcaIds[0] as CallTaskId)
  const [second] = await world.claim(lease, CAMPAIGN, itcaIds[1] as CallTaskId)
  await world.dialerRepository.endAttempt(endOf(first!, lease, nowMs))
  const answered = { result: 'answered', reach: 'answered', answeredAtMs: nowMs, next: { status: 'answered' } } as const
  await world.dialerRepository.endAttempt(endOf(second!, lease, nowMs, answered))
  const task = itcaIds[3] as never
  await world.dialerRepository.setCallback({ task, atMs: nowMs + 3_600_000, askedByContact: true, agent: ANNA, nowMs })
  await world.pools.jobs.query(
    `insert into feedback (activity_id, task_id, agent, feedback_type, is_final, created_at_ms)
     values (nextval('activity_ids'), $1, 'anna', '77', false, 0)`,
    [itcaIds[5]],
  )
})
afterAll(() => world.close())

const placesOf = async (filter: object) => {
  const { status, body } = await world.search(filter)
  expect(status).toBe(200)
  const codes = body.callTasks.map(({ systemLookupCode }: { systemLookupCode: string }) => systemLookupCode)
  expect(body.foundRows).toBe(codes.length)
  return codes.map((code: string) => Number(code.slice(5)))
}

describe('filters', () => {
  test('without any, all tasks of the corporation are found, also without a body', async () => {
    expect((await world.search({})).body.foundRows).toBe(11)
    expect((await world.call('POST', '/rest/dialer/calltaskget')).body.foundRows).toBe(11)
  })

  test('by case number, in every campaign; callCodes narrows it', async () => {
    const { body } = await world.search({ systemLookupCodes: ['case 0'] })
    expect(body.callTasks.map(({ callCode }: { callCode: number }) => callCode)).toEqual([CAMPAIGN, OTHER_CAMPAIGN])
    for (const callCodes of [[{ callCode: OTHER_CAMPAIGN, name: 'x' }], [OTHER_CAMPAIGN], ['8']]) {
      const narrowed = await world.search({ systemLookupCodes: ['case 0'], callCodes })
      expect(narrowed.body.callTasks).toMatchObject([{ callCode: OTHER_CAMPAIGN }])
    }
  })

  test('by customer, by call task, by status', async () => {
    expect(await placesOf({ extCustIds: ['c2', 'c7'] })).toEqual([2, 7])
    expect(await placesOf({ itcaIds: [itcaIds[6], String(itcaIds[8])] })).toEqual([6, 8])
    expect(await placesOf({ statusList: [20] })).toEqual([1])
    expect(await placesOf({ statusList: [6, 20] })).toEqual([0, 1])
    expect(await placesOf({ statusList: [99] })).toEqual([])
  })

  test('by whether the person was reached, and whether the task is finished; both is all', async () => {
    expect(await placesOf({ answeredList: [true] })).toEqual([1])
    expect(await placesOf({ finishedList: [true] })).toEqual([1])
    expect((await world.search({ answeredList: [false] })).body.foundRows).toBe(10)
    expect((await world.search({ answeredList: [true, false], finishedList: [false, true] })).body.foundRows).toBe(11)
  })

  test('every call task is either active or finished, as its status says', async () => {
    const { callTasks } = (await world.search({})).body as { callTasks: { statusId: number; finished: boolean }[] }
    expect(new Set(callTasks.map(({ finished }) => finished))).toEqual(new Set([true, false]))
    for (const { statusId, finished } of callTasks) expect(finished).toBe(statusId >= 20)
    const [active, over] = [await world.search({ finishedList: [false] }), await world.search({ finishedList: [true] })]
    expect(active.body.foundRows + over.body.foundRows).toBe(callTasks.length)
  })

  test('by number, in any spelling', async () => {
    const national = numberOf(4).slice(3)
    expect(await placesOf({ callNumbers: [numberOf(3), `0045 ${national}`] })).toEqual([3, 4])
    expect(await placesOf({ callNumbers: [`${national.slice(0, 4)} ${national.slice(4)}`] })).toEqual([4])
    const wrong = await world.search({ callNumbers: [numberOf(3), 'nobody'] })
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'callNumbers[1]'])
  })

  test('by whether a callback date is set', async () => {
    expect(await placesOf({ hasCallBackDate: true })).toEqual([3])
    expect((await world.search({ hasCallBackDate: false })).body.foundRows).toBe(10)
  })

  test('by corporation, assigned user, system, feedback and time spans', async () => {
    expect((await world.search({ corporationIds: [1, 2] })).body.foundRows).toBe(11)
    expect((await world.search({ corporationIds: [2] })).body.foundRows).toBe(0)
    expect(await placesOf({ assignedUserIds: [41] })).toEqual([3])
    expect((await world.search({ systemCodes: ['DEBT', 'X'] })).body.foundRows).toBe(11)
    expect((await world.search({ systemCodes: ['THEIRS'] })).body.foundRows).toBe(0)
    expect(await placesOf({ feedbackTypeIds: [77] })).toEqual([5])
    const inAnHour = new Date(world.parts.clock.nowMs() + 3_590_000).toISOString()
    expect(await placesOf({ callBackTsFrom: inAnHour })).toEqual([3])
    expect(await placesOf({ callBackTsTo: inAnHour })).toEqual([])
    expect(await placesOf({ creationTsTo: 0 })).toEqual([])
    expect(await placesOf({ lastCallTsFrom: '2020-01-01T00:00:00+02:00' })).toEqual([0, 1])
    expect(await placesOf({ nextCallTsFrom: inAnHour, nextCallTsTo: '2100-01-01T00:00:00Z' })).toEqual([0, 3])
  })

  test('fields are combined, flat or within "filter"; an empty list sets no condition', async () => {
    const finished = { finishedList: [true], extCustIds: ['c1', 'c2'], callCodes: [], statusList: null }
    expect(await placesOf(finished)).toEqual([1])
    expect(await placesOf({ filter: finished, limit: 5 })).toEqual([1])
    expect(await placesOf({ filter: { finishedList: [true] }, extCustIds: ['c1', 'c2'] })).toEqual([1])
    const twice = await world.search({ filter: { finishedList: [true] }, finishedList: [false] })
    expect([twice.status, twice.body.errors[0].path]).toEqual([400, 'filter.finishedList'])
  })

  test('case number and finishedList false find the active call task of a case', async () => {
    expect(await placesOf({ systemLookupCodes: ['case 1'], finishedList: [false] })).toEqual([])
    expect(await placesOf({ systemLookupCodes: ['case 2'], finishedList: [false] })).toEqual([2])
  })

  test.each([
    [{ systemLookupCode: ['case 1'] }, 'systemLookupCode'],
    [{ filter: { itcaId: [1] } }, 'filter.itcaId'],
    [{ systemLookupCodes: 'case 1' }, 'systemLookupCodes'],
    [{ finishedList: ['no'] }, 'finishedList[0]'],
    [{ itcaIds: [1.5] }, 'itcaIds[0]'],
    [{ creationTsFrom: 'yesterday' }, 'creationTsFrom'],
    [{ creationTsFrom: '2028-02-30T00:00:00Z' }, 'creationTsFrom'],
    [{ creationTsFrom: Date.UTC(10_000, 0) }, 'creationTsFrom'],
    [{ limit: 'many' }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ sort: 'receiver_name; drop table call_tasks' }, 'sort'],
    [{ sort: 'constructor' }, 'sort'],
    [{ itcaIds: Array.from({ length: 1_001 }, () => 1) }, 'itcaIds'],
  ])('a filter that is wrong is refused with its place: %#', async (body, path) => {
    const answer = await world.search(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].path).toBe(path)
  })

  test('texts that look like SQL find nothing and break nothing', async () => {
    expect(await placesOf({ extCustIds: [`') or 1=1 --`, `c%`, `c_`] })).toEqual([])
  })

  test('call tasks of another corporation are not found', async () => {
    const as = await world.credential(['dialer:read'], [THEIRS])
    const { body } = await world.call('POST', '/dialer/calltaskget', { itcaIds, corporationIds: [1] }, { as })
    expect(body).toEqual({ callTasks: [], foundRows: 0, firstRow: 0, lastRow: 0, pageCount: 0 })
  })
})

describe('pages', () => {
  const page = async (body: object) => {
    const { callTasks, ...facts } = (await world.search({ callCodes: [CAMPAIGN], ...body })).body
    return { facts, places: callTasks.map(({ extCustId }: { extCustId: string }) => Number(extCustId.slice(1))) }
  }

  const nextOf = async (body: object) => (await world.search({ callCodes: [CAMPAIGN], ...body })).body.next
  const walk = async (body: object) => {
    const places: number[] = []
    for (let after = ''; places.length < 100; ) {
      places.push(...(await page({ ...body, after })).places)
      const next = await nextOf({ ...body, after })
      if (typeof next !== 'string') return places
      after = next
    }
    return places
  }

  test('rows, first, last and pages are returned', async () => {
    expect(await page({ limit: 4 })).toEqual({
      facts: { foundRows: 10, firstRow: 1, lastRow: 4, pageCount: 3 },
      places: [0, 1, 2, 3],
    })
    expect(await page({ limit: 4, pageNumber: 3 })).toEqual({
      facts: { foundRows: 10, firstRow: 9, lastRow: 10, pageCount: 3 },
      places: [8, 9],
    })
    expect(await page({ limit: 5, pageNumber: 2 })).toMatchObject({ facts: { foundRows: 10, pageCount: 2 } })
    expect(await page({ limit: 4, pageNumber: 4 })).toEqual({
      facts: { foundRows: 10, firstRow: 0, lastRow: 0, pageCount: 3 },
      places: [],
    })
  })

  test('page 1 by default, and for every number below', async () => {
    for (const pageNumber of [undefined, 0, -7, '1']) {
      expect((await page({ limit: 2, pageNumber })).places).toEqual([0, 1])
    }
    expect((await page({ pageNumber: Number.MAX_SAFE_INTEGER, limit: 50_000 })).facts).toMatchObject({ foundRows: 10 })
  })

  test('50 rows by default, 1000 for 0 or less, 50000 for more', async () => {
    await world.importTasks(debtors(1_000, 2_100), { callCode: OTHER_CAMPAIGN })
    const rows = async (limit: number | undefined) => {
      const { body } = await world.search({ callCodes: [OTHER_CAMPAIGN], limit })
      return [body.callTasks.length, body.pageCount]
    }
    expect(await rows(undefined)).toEqual([50, 23])
    expect(await rows(0)).toEqual([1_000, 2])
    expect(await rows(-5)).toEqual([1_000, 2])
    expect(await rows(999_999_999)).toEqual([1_101, 1])
  })

  test('by next and after: the same rows as on one page, in every order, none of them twice', async () => {
    const columns = ['itcaId', 'callReceiverName', 'creationTs', 'updateTs', 'nextCallTs', 'lastCallTs', 'callBackTs']
    for (const column of [...columns, 'statusId', 'callAttemptCount']) {
      for (const sort of [column, `-${column}`]) {
        const walked = await walk({ sort, limit: 3 })
        expect([sort, walked]).toEqual([sort, (await page({ sort })).places])
      }
    }
    const { body } = await world.search({
      callCodes: [CAMPAIGN],
      limit: 3,
      after: await nextOf({ limit: 3, after: '' }),
    })
    expect(body).toMatchObject({ foundRows: 10, pageCount: 4 })
  })

  test('by next and after: a call task that ends between two pages leaves no gap', async () => {
    await world.importTasks(debtors(3_000, 3_006), { callCode: OTHER_CAMPAIGN })
    const customers = [0, 1, 2, 3, 4, 5].map((place) => `c${3_000 + place}`)
    const search = { extCustIds: customers, finishedList: [false], limit: 2 }
    const first = (await world.search({ ...search, after: '' })).body
    await world.call('PUT', `/v1/calltasks/${first.callTasks[0].itcaId}/end`, {})
    const seen = [first]
    while (seen.length < 9 && typeof seen.at(-1).next === 'string')
      seen.push((await world.search({ ...search, after: seen.at(-1).next })).body)
    const found = seen.flatMap(({ callTasks }) => callTasks.map(({ extCustId }: { extCustId: string }) => extCustId))
    expect(found).toEqual(customers)
  })

  test('by an after that is none: 400', async () => {
    const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const huge = Number.MAX_SAFE_INTEGER
    for (const [sort, after] of [
      ['itcaId', 'x'],
      ['itcaId', text({ id: 1 })],
      ['itcaId', text(['id', false, '1', null])],
      ['itcaId', text(['id', true, 1, 1])],
      ['callReceiverName', text(['receiverName', false, 1, 5])],
      ['callReceiverName', text(['receiverName', false, 1, 'a\u0000'])],
      ['nextCallTs', text(['nextCallAtMs', false, 1, 'now'])],
      ['nextCallTs', text(['id', false, 1, 1])],
    ] as const) {
      const { status, body } = await world.search({ sort, after })
      expect([after, status, body.errors?.[0]?.path]).toEqual([after, 400, 'after'])
    }
    const far = await world.search({ sort: 'callAttemptCount', after: text(['attemptsCounted', false, huge, huge]) })
    expect([far.status, far.body.callTasks]).toEqual([200, []])
  })

  test('sorted by a column, in either direction; ties by id', async () => {
    expect((await page({ sort: 'callReceiverName desc', limit: 3 })).places).toEqual([9, 8, 7])
    expect((await page({ sort: '-itcaId', limit: 3 })).places).toEqual([9, 8, 7])
    expect((await page({ sort: 'statusId', limit: 2 })).places).toEqual([2, 4])
    expect((await page({ sort: '-statusId', limit: 3 })).places).toEqual([1, 3, 0])
    for (const sort of ['creationTs', 'updateTs', 'nextCallTs', 'lastCallTs', 'callBackTs', 'callAttemptCount']) {
      expect((await page({ sort })).places).toHaveLength(10)
    }
  })
})

describe('the object', () => {
  test('is a summary', async () => {
    const { body } = await world.search({ extCustIds: ['c1'] })
    expect(body.callTasks).toEqual([
      {
        itcaId: itcaIds[1],
        callCode: CAMPAIGN,
        callReceiverName: 'Debtor 1',
        extCustId: 'c1',
        systemLookupCode: 'case 1',
        statusId: 20,
        finished: true,
        answered: true,
        callAttemptCount: 1,
        nextCallTs: null,
        callBackTs: null,
        creationTs: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updateTs: expect.any(String),
      },
    ])
  })

  test('is complete with detail: numbers, properties, attempts and all', async () => {
    const number = numberOf(4_000)
    await world.importTasks([debtor(4_000, { properties: [{ emprId: 5, value: '1 kr' }] })])
    await world.call('POST', '/dialer/stoplist/numbers', { numbers: [number] })
    const { body } = await world.search({ extCustIds: ['c0', 'c4000'], callCodes: [CAMPAIGN], detail: true })
    expect(body.callTasks).toMatchObject([
      {
        maxCallAttempts: 3,
        minCallIntervalHours: 4,
        externalSystem: { itsyId: 3, systemCode: 'DEBT' },
        corporation: { corpId: 1 },
        assignedUser: null,
        lastAttempt: { iccaId: 1, result: 2 },
        finishedTs: null,
        finishReason: null,
        importId: expect.stringMatching(/^imp_/),
        callAttempts: [
          { iccaId: 1, itcaId: itcaIds[0], attemptNo: 1, result: 2, resultName: 'NO_ANSWER', ringSeconds: 25 },
        ],
      },
      {
        callNumberList: [{ number, e164: number, position: 0, stopped: true }],
        properties: [{ emprId: 5, name: 'Amount', value: '1 kr' }],
        lastAttempt: null,
        callAttempts: [],
      },
    ])
    const assigned = await world.search({ assignedUserIds: [41], detail: true })
    expect(assigned.body.callTasks).toMatchObject([{ assignedUser: { userId: 41, name: 'Anna Berg' } }])
  })

  test('always matches its schema in the reference', async () => {
    const described = Compile(CallTask)
    for (const detail of [false, true]) {
      const { body } = await world.search({ detail })
      for (const task of body.callTasks) expect([...described.Errors(task)]).toEqual([])
    }
  })
})

test('ready and waiting are distinguished by the clock', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 12))
  const other = await openDialerWorld({ clock })
  await other.call('POST', '/svcdialer/calltaskimport', importOf(debtors(0, 1)))
  const statusIds = async () => (await other.search({ statusList: [1, 2, 6] })).body.callTasks
  expect(await statusIds()).toMatchObject([{ statusId: 1 }])
  const lease = await other.lease()
  const [attempt] = await other.claim(lease)
  await other.dialerRepository.endAttempt(endOf(attempt!, lease, clock.nowMs()))
  expect(await statusIds()).toMatchObject([{ statusId: 6 }])
  clock.run(3_600_000)
  expect(await statusIds()).toMatchObject([{ statusId: 2 }])
  await other.close()
})
