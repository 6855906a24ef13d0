import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CampaignId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { callTaskImportRoutes } from '../../../src/rest/dialer/call-task-import.ts'
import { openRestWorld, THEIRS } from '../rest-world.ts'
import {
  CAMPAIGN,
  type DialerWorld,
  debtors,
  importOf,
  numberOf,
  OTHER_CAMPAIGN,
  openDialerWorld,
  SETTINGS,
  SYSTEM,
} from './dialer-world.ts'

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
const errorsOf = async (callTasks: readonly unknown[], change: object = {}) => {
  const { status, body } = await world.importTasks(callTasks, change)
  expect(status).toBe(200)
  return body.callTaskErrors
}
const codesOf = async (...callTasks: readonly object[]) =>
  (await errorsOf(callTasks)).map(({ errorCodes }: { errorCodes: number[] }) => errorCodes)

describe('an invalid call task', () => {
  test('the name: missing, not a text, blank or only invisible is 101', async () => {
    const names = [undefined, null, '', ' \t', 7, ['x'], '\u200b\u202e', '\u200d', 'x'.repeat(256)]
    const codes = await codesOf(...names.map((callReceiverName) => one({ callReceiverName })))
    expect(codes).toEqual(names.map(() => [101]))
  })

  test('the numbers: missing, empty or not a list is 102', async () => {
    const lists = [undefined, null, [], '+4526000001', {}]
    expect(await codesOf(...lists.map((callNumberList) => one({ callNumberList })))).toEqual(lists.map(() => [102]))
  })

  test('a forbidden number is 103, named by its place and never repeated', async () => {
    const bad = [
      'abc',
      '112',
      '+4512',
      '+4590123456',
      '+881612345678',
      '+12025550123',
      '٢٦٠٠٠٠٠١',
      'tel:+4526000001',
      '26 00 00 01 ext 9',
      '500&PJSIP/itsp/1416',
      'sip:a@b.example',
      26000001,
      null,
      `+45${'2'.repeat(300)}`,
    ]
    const errors = await errorsOf(bad.map((number) => one({ callNumberList: [numberOf(1), number] })))
    expect(errors.map(({ errorCodes }: { errorCodes: number[] }) => errorCodes)).toEqual(bad.map(() => [103]))
    for (const { errorText } of errors) {
      expect(errorText).toContain('number 2')
      expect(errorText).not.toMatch(/[0-9]{4}/)
    }
  })

  test('a number that the bundled plan does not know is 103, unless the campaign accepts possible ones', async () => {
    const possible = { callNumberList: ['+4540012345', '40 01 23 46'] }
    const [strict] = await errorsOf([one(possible)])
    expect(strict).toMatchObject({ errorCodes: [103], errorText: expect.stringContaining('not in use') })
    const save = (accept: boolean | null) =>
      world.call('POST', '/dialer/callcode', { callCode: CAMPAIGN, acceptPossibleNumbers: accept })
    expect((await save(true)).body).toMatchObject({ acceptPossibleNumbers: true })
    const { body } = await world.importTasks([one(possible)], {}, '?returnImportedCallTasks=true')
    expect(body.callTasks).toMatchObject([{ callNumberList: [{ e164: '+4540012345' }, { e164: '+4540012346' }] }])
    const change = { callNumberList: ['+4540012399'] }
    const patch = () => world.call('PATCH', `/dialer/calltask/${body.callTasks[0].itcaId}`, change)
    expect((await patch()).status).toBe(200)
    const costly = ['+454001234', '+4590123456', '+4640012345678'].map((number) => one({ callNumberList: [number] }))
    expect(await codesOf(...costly)).toEqual([[103], [103], [103]])
    expect((await save(null)).body).toMatchObject({ acceptPossibleNumbers: false })
    expect(await codesOf(one({ callNumberList: ['+4540012347'] }))).toEqual([[103]])
    expect((await patch()).status).toBe(400)
  })

  test('different spellings of a number are the same number', async () => {
    const written = [
      '26 00 11 22',
      '0045 26001122',
      '＋４５ ２６００１１２２',
      '\u202a+45 26-00-11-22\u202c',
      '+45 (26) 00.11.22',
    ]
    const [task] = fresh(1)
    const { body } = await world.importTasks([{ ...task, callNumberList: written }], {}, '?returnImportedCallTasks=1')
    expect(body.callTasks[0].callNumberList.map(({ e164 }: { e164: string }) => e164)).toEqual(
      written.map(() => '+4526001122'),
    )
  })

  test('more than 20 numbers are 103, more than 50 properties are 12', async () => {
    const callNumberList = Array.from({ length: 21 }, (_, place) => numberOf(900_000 + place))
    const properties = Array.from({ length: 51 }, () => ({ emprId: 5, value: 'x' }))
    expect(await codesOf(one({ callNumberList }), one({ properties }))).toEqual([[103], [12]])
  })

  test('a property needs the id of an information field of ours, and a value', async () => {
    const wrong = [
      [{ value: 'x' }],
      [{ emprId: 99, value: 'x' }],
      [{ emprId: 6, value: 'x' }],
      [{ emprId: 5 }],
      ['x'],
      'x',
      [{ emprId: 5, value: { a: 1 } }],
      [{ emprId: 5, value: 'x', addToCallTaskName: 'yes' }],
      [{ emprId: 5, value: 'x'.repeat(1_001) }],
    ]
    const codes = await codesOf(...wrong.map((properties) => one({ properties })))
    expect(codes).toEqual(wrong.map(() => [12]))
  })

  test('several codes stand in one entry, ascending', async () => {
    const task = one({ callReceiverName: '', callNumberList: ['x'], properties: [{ emprId: 99, value: '' }] })
    expect(await codesOf(task)).toEqual([[12, 101, 103]])
  })

  test('a campaign may omit the invalid numbers', async () => {
    const id = 72 as CampaignId
    await saveCampaign(id, { skipInvalidNumbers: true })
    const [task] = fresh(1)
    const mixed = { ...task, callNumberList: ['112', ...task!.callNumberList] }
    const { body } = await world.importTasks(
      [mixed, one({ callNumberList: ['112'] })],
      { callCode: id },
      '?returnImportedCallTasks=1',
    )
    expect(body.callTaskErrors).toMatchObject([{ callTaskIndex: 1, errorCodes: [103] }])
    expect(body.callTasks).toMatchObject([{ callNumberList: [{ e164: task!.callNumberList[0] }] }])
  })
})

describe('the stored call task', () => {
  const kept = async (change: object) => {
    const { body } = await world.importTasks([one(change)], {}, '?returnImportedCallTasks=1')
    expect(body.callTaskErrors).toEqual([])
    return body.callTasks[0]
  }

  test('properties are set, and added to the name on request', async () => {
    const properties = [
      { emprId: 5, value: '100 kr', addToCallTaskName: true },
      { emprId: '5', value: 'hidden', addToCallTaskName: false },
      { emprId: 5, value: 'also hidden' },
    ]
    const task = await kept({ callReceiverName: 'Jane Doe', properties })
    expect(task.callReceiverName).toBe('Jane Doe 100 kr')
    expect(task.properties).toEqual([
      { emprId: 5, name: 'Amount', value: '100 kr' },
      { emprId: 5, name: 'Amount', value: 'hidden' },
      { emprId: 5, name: 'Amount', value: 'also hidden' },
    ])
  })

  test('one property may come without its list', async () => {
    expect((await kept({ properties: { emprId: 5, value: 'x' } })).properties).toHaveLength(1)
  })

  test('customer and case are optional; whole numbers are stored as texts', async () => {
    expect(await kept({ extCustId: undefined, systemLookupCode: null })).toMatchObject({
      extCustId: null,
      systemLookupCode: null,
    })
    expect(await kept({ extCustId: 4711, systemLookupCode: 7.0 })).toMatchObject({
      extCustId: '4711',
      systemLookupCode: '7',
    })
    expect(
      await codesOf(one({ extCustId: 1.5 }), one({ systemLookupCode: true }), one({ extCustId: 'x'.repeat(65) })),
    ).toEqual([[1], [1], [1]])
  })

  test('names are stored composed, in one line, without direction marks and invisible characters', async () => {
    const { callReceiverName } = await kept({ callReceiverName: '\u202eA\u030a sa\u0007\r\n\u{1F600} Berg\u2066' })
    expect(callReceiverName).toBe('Å sa \u{1F600} Berg')
  })
})

describe('conflicts of a call task with stored data', () => {
  test('an unfinished one with the same system, customer and case in the campaign is 201', async () => {
    const [task, other] = fresh(2)
    expect(await codesOf(task!, task!)).toEqual([[201]])
    expect(await codesOf(task!, other!)).toEqual([[201]])
    expect(await errorsOf([task], { callCode: OTHER_CAMPAIGN })).toEqual([])
  })

  test('without customer and case the set of numbers identifies the person', async () => {
    const [first, second] = [nextPlace++, nextPlace++].map(numberOf)
    const nameless = (callNumberList: unknown[]) => ({ callReceiverName: 'X', callNumberList })
    expect(await codesOf(nameless([first, second]), nameless([second, first]), nameless([first]))).toEqual([[201]])
  })

  test('a finished one may be imported again', async () => {
    const [task] = fresh(1)
    const { body } = await world.importTasks([task], {}, '?returnImportedCallTasks=1')
    await world.call('PUT', `/v1/calltasks/${body.callTasks[0].itcaId}/end`)
    expect(await errorsOf([task])).toEqual([])
  })

  test('a customer on the stop list is 202, a number on it 203', async () => {
    const [person, number, both] = fresh(3)
    await world.call('POST', '/dialer/stoplist/persons', {
      persons: [person, both].map((task) => ({ systemCode: 'DEBT', extCustId: task!.extCustId })),
    })
    await world.call('POST', '/dialer/stoplist/numbers', {
      numbers: [number, both].flatMap((task) => task!.callNumberList),
    })
    expect(await codesOf(person!, number!, both!)).toEqual([[202], [203], [202, 203]])
  })

  test('a campaign may omit the stopped numbers', async () => {
    const id = 73 as CampaignId
    await saveCampaign(id, { dropStoppedNumbers: true })
    const [task, stopped] = fresh(2)
    await world.call('POST', '/dialer/stoplist/numbers', { numbers: stopped!.callNumberList })
    const mixed = { ...task, callNumberList: [...stopped!.callNumberList, ...task!.callNumberList] }
    const { body } = await world.importTasks([mixed, stopped], { callCode: id }, '?returnImportedCallTasks=1')
    expect(body.callTaskErrors).toMatchObject([{ callTaskIndex: 1, errorCodes: [203] }])
    expect(body.callTasks).toMatchObject([{ callNumberList: [{ e164: task!.callNumberList[0] }] }])
  })

  test('a customer with a final feedback in this campaign is 204 until the quarantine is over', async () => {
    const [task] = fresh(1)
    const nowMs = world.parts.clock.nowMs()
    const told = (days: number, isFinal: boolean) =>
      world.pools.jobs.query(
        `insert into feedback (activity_id, campaign_id, person_key, agent, feedback_type, is_final, created_at_ms)
         values (nextval('activity_ids'), $1, $2, 'anna', 'promised', $3, $4)`,
        [CAMPAIGN, `${SYSTEM}:${task!.extCustId}`, isFinal, nowMs - days * 24 * 3_600_000],
      )
    await told(31, true)
    await told(1, false)
    expect(await errorsOf([{ ...task, systemLookupCode: 'first' }])).toEqual([])
    await told(29, true)
    expect(await codesOf({ ...task!, systemLookupCode: 'second' })).toEqual([[204]])
    expect(await errorsOf([task], { callCode: OTHER_CAMPAIGN })).toEqual([])
  })

  test('given 20 concurrent imports of the same list, each call task is created once', async () => {
    const list = fresh(50)
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.importTasks(list)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const made = answers.reduce((sum, { body }) => sum + body.importedCount, 0)
    expect(made).toBe(50)
    for (const { body } of answers) expect(body.importedCount + body.callTaskErrors.length).toBe(50)
    const found = await world.search({ extCustIds: list.map(({ extCustId }) => extCustId), limit: 1 })
    expect(found.body.foundRows).toBe(50)
  })

  test('given a mistake of ours in the middle, 500 with code 1, and nothing is created', async () => {
    const [task] = fresh(1)
    const broken = { ...world.parts, dialerRepository: { ...world.dialerRepository, importCallTasks: failing } }
    const other = await openRestWorld({ parts: () => ({ log: silentLog }), routes: () => callTaskImportRoutes(broken) })
    const { status, body } = await other.call('POST', '/svcdialer/calltaskimport', importOf([task]))
    await other.close()
    expect([status, body.statusCode]).toEqual([500, 1])
    expect((await world.search({ extCustIds: [task!.extCustId] })).body.foundRows).toBe(0)
  })

  test('another corporation sees neither the campaign nor the import', async () => {
    const [task] = fresh(1)
    await world.importTasks([task])
    const as = await world.credential(['dialer:read', 'dialer:write'], [THEIRS])
    const theirs = await world.call('POST', '/svcdialer/calltaskimport', importOf([task]), { as })
    expect([theirs.status, theirs.body.statusCode]).toEqual([400, 4])
    const found = await world.call('POST', '/dialer/calltaskget', { extCustIds: [task!.extCustId] }, { as })
    expect(found.body.foundRows).toBe(0)
  })
})

const failing = async (): Promise<never> => {
  throw new Error('planted')
}

async function saveCampaign(id: CampaignId, settings: object): Promise<void> {
  await world.dialerRepository.saveCampaign(
    {
      id,
      corporation: 1 as never,
      name: 'x',
      active: true,
      team: 'collectors' as never,
      settings: { ...SETTINGS, ...settings },
    },
    0,
  )
}
