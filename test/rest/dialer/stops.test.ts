/** Stop lists and the kill switch. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallId, callOf, type PhoneNumber } from '../../../src/kernel/ids.ts'
import { LOCKS } from '../../../src/store/db/advisory-locks.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, THEIRS } from '../rest-world.ts'
import { ANNA, CAMPAIGN, type DialerWorld, debtor, numberOf, OTHER_CAMPAIGN, openDialerWorld } from './dialer-world.ts'

let world: DialerWorld
const clock = new VirtualClock(Date.UTC(2026, 0, 5, 12))

beforeAll(async () => {
  world = await openDialerWorld({ clock })
})
afterAll(() => world.close())

describe('the stop list of numbers', () => {
  const path = '/dialer/stoplist/numbers'

  test('accepts numbers in any spelling, shows who added them, and removes them', async () => {
    const national = numberOf(1).slice(3)
    const added = await world.call('POST', path, { numbers: [numberOf(2), national, numberOf(1)], reason: 'asked' })
    expect([added.status, added.body]).toEqual([200, { count: 2 }])
    const again = await world.call('POST', path, { numbers: [numberOf(2)] })
    expect(again.body).toEqual({ count: 1 })
    const { body } = await world.call('GET', path)
    expect(body).toMatchObject({ foundRows: 2, firstRow: 1, lastRow: 2, pageCount: 1 })
    expect(body.numbers).toEqual([
      {
        number: numberOf(1),
        corporation: { corpId: 1 },
        reason: 'asked',
        addedBy: world.values.rcntrl,
        creationTs: '2026-01-05T12:00:00.000Z',
        callId: null,
        eactId: null,
      },
      expect.objectContaining({ number: numberOf(2), reason: 'asked' }),
    ])
    const removed = await world.call(
      'DELETE',
      `${path}?numbers=${encodeURIComponent(numberOf(2))},${numberOf(3).slice(3)}`,
    )
    expect(removed.body).toEqual({ count: 1 })
    expect((await world.call('GET', path)).body.foundRows).toBe(1)
  })

  test('is read on from the last entry: nobody is missed or doubled when others come and go', async () => {
    const numbers = [610, 620, 630, 640].map((place) => numberOf(place))
    await world.call('POST', path, { numbers })
    const page = async (after: string) => (await world.call('GET', `${path}?limit=2&after=${after}`)).body
    const all = (await world.call('GET', path)).body.numbers.map(({ number }: { number: string }) => number)
    const first = await page('')
    const [gone] = first.numbers
    await world.call('DELETE', `${path}?numbers=${encodeURIComponent(gone.number)}`)
    const pages = [first]
    while (pages.length < 9 && typeof pages.at(-1).next === 'string') pages.push(await page(pages.at(-1).next))
    expect(pages.flatMap((one) => one.numbers.map(({ number }: { number: string }) => number))).toEqual(all)
    await world.call('POST', path, { numbers: [gone.number] })
    for (const after of ['x', Buffer.from('[1]').toString('base64url')]) {
      const { status, body } = await world.call('GET', `${path}?after=${after}`)
      expect([status, body.errors?.[0]?.path]).toEqual([400, 'after'])
    }
    await world.call('DELETE', `${path}?numbers=${numbers.map(encodeURIComponent).join(',')}`)
  })

  test('accepts none of them if one is not a number', async () => {
    const { status, body } = await world.call('POST', path, { numbers: [numberOf(9), 'nobody'] })
    expect([status, body.errors[0].path]).toEqual([400, 'numbers[1]'])
    expect((await world.call('GET', path)).body.numbers).not.toContainEqual(
      expect.objectContaining({ number: numberOf(9) }),
    )
  })

  test('blocks a number from the moment of the answer', async () => {
    await world.importTasks([debtor(20)])
    await world.call('POST', path, { numbers: [numberOf(20)] })
    const lease = await world.lease()
    const stopped: boolean[] = []
    await world.dialerRepository.claimDueTasks({
      lease,
      campaign: CAMPAIGN,
      tasksMax: 10,
      atMs: clock.nowMs(),
      dialedSinceAtMs: 0,
      decide: ({ numbers }) => {
        stopped.push(...numbers.map((number) => number.stopped))
        return { verdict: 'leave' }
      },
    })
    expect(stopped).toEqual([true])
  })

  test('blocks a national number in the country of every campaign', async () => {
    const change = { callCode: OTHER_CAMPAIGN, callerId: '+4722000001' }
    expect((await world.call('POST', '/dialer/callcode', change)).status).toBe(200)
    const imported = async (number: string, callCode = CAMPAIGN) => {
      const task = debtor(40, { extCustId: number, systemLookupCode: number, callNumberList: [number] })
      return (await world.importTasks([task], { callCode })).body.importedCount
    }
    expect(await imported('+4722123457', OTHER_CAMPAIGN), 'another number').toBe(1)
    await world.call('POST', path, { numbers: ['22 12 34 56'] })
    expect(await imported('+4722123456', OTHER_CAMPAIGN)).toBe(0)
    expect(await imported('+4522123456')).toBe(0)
  })

  test('is separate for each corporation', async () => {
    const as = await world.credential(['dialer:read', 'dialer:write', 'config:write'], [THEIRS])
    expect((await world.call('GET', path, undefined, { as })).body.foundRows).toBe(0)
    const removed = await world.call('DELETE', `${path}?numbers=${encodeURIComponent(numberOf(1))}`, undefined, { as })
    expect(removed.body).toEqual({ count: 0 })
    const foreign = await world.call('POST', path, { numbers: [numberOf(1)], corporation: { corpId: 1 } }, { as })
    expect(foreign.status).toBe(400)
  })
})

test('a person who asked an agent is on both lists, with the call as evidence', async () => {
  await world.importTasks([debtor(30, { extCustId: 'c30' })])
  const attempts = await world.claim(await world.lease())
  const { activity, leg, number, task } = attempts.find((attempt) => attempt.number === numberOf(30))!
  const evidence = { call: callOf(leg), activity, by: 'anna', reason: 'leave me alone' }
  const request = { corporation: OURS, number, task: task.id, ...evidence, atMs: clock.nowMs() }
  expect(await world.dialerRepository.doNotCall(request)).toEqual([task.id])
  const said = { callId: leg, eactId: activity, addedBy: 'anna', reason: 'leave me alone' }
  const shown = { ...said, creationTs: '2026-01-05T12:00:00.000Z' }
  const { body: numbers } = await world.call('GET', '/dialer/stoplist/numbers')
  expect(numbers.numbers).toContainEqual(expect.objectContaining({ number, ...shown }))
  const { body: persons } = await world.call('GET', '/dialer/stoplist/persons')
  expect(persons.persons).toEqual([expect.objectContaining(shown)])
  await world.call('DELETE', `/dialer/stoplist/persons?systemCode=DEBT&extCustId=${persons.persons[0].extCustId}`)
})

describe('the stop list of persons', () => {
  const path = '/dialer/stoplist/persons'

  test('accepts customers of external systems, shows them, and removes them', async () => {
    const persons = [
      { systemCode: 'DEBT', extCustId: '47:11' },
      { systemCode: 'BARE', extCustId: '4711' },
    ]
    expect((await world.call('POST', path, { persons })).body).toEqual({ count: 2 })
    const { body } = await world.call('GET', `${path}?limit=1&pageNumber=1`)
    expect(body).toMatchObject({
      foundRows: 2,
      pageCount: 2,
      persons: [{ systemCode: 'DEBT', extCustId: '47:11', reason: null }],
    })
    expect((await world.call('DELETE', `${path}?systemCode=DEBT&extCustId=47:11`)).body).toEqual({ count: 1 })
    expect((await world.call('DELETE', `${path}?systemCode=DEBT&extCustId=47:11`)).body).toEqual({ count: 0 })
  })

  test('of a credential of two corporations takes customers of the corporation that is named alone', async () => {
    await world.pools.jobs.query(
      `insert into external_systems (id, corporation_id, code, name) values (7, 2, 'DEBT', '')`,
    )
    const as = await world.credential(['dialer:read', 'dialer:write'], [OURS, THEIRS])
    const call = (body: object) => world.call('POST', path, body, { as })
    const unnamed = await call({ persons: [{ systemCode: 'THEIRS', extCustId: 'x' }] })
    expect([unnamed.status, unnamed.body.errors[0].path]).toEqual([400, 'persons[0].systemCode'])
    const corporation = { corpId: THEIRS }
    const theirs = await call({ persons: [{ systemCode: 'DEBT', extCustId: 'of two' }], corporation })
    expect(theirs.body).toEqual({ count: 1 })
    const { rows } = await world.pools.jobs.query(`select * from stopped_persons where person_key like '%of two'`)
    expect(rows).toMatchObject([{ corporation_id: THEIRS, person_key: '7:of two' }])
    const imported = await world.call(
      'POST',
      '/svcdialer/calltaskimport',
      { systemCode: 'DEBT', callCode: 'AUTUMN', maxCallAttempts: 3, minCallIntervalHours: 1, callTasks: [debtor(1)] },
      { as },
    )
    expect([imported.status, imported.body.statusText]).toEqual([400, expect.stringContaining('several corporations')])
    await world.pools.jobs.query('delete from external_systems where id = 7')
  })

  test('refuses an unknown system, by its place', async () => {
    const persons = [
      { systemCode: 'DEBT', extCustId: 'x' },
      { systemCode: 'THEIRS', extCustId: 'x' },
    ]
    const { status, body } = await world.call('POST', path, { persons })
    expect([status, body.errors[0].path]).toEqual([400, 'persons[1].systemCode'])
    expect((await world.call('POST', path, { persons: [] })).status).toBe(400)
  })
})

describe('the kill switch', () => {
  const turn = (body: object, as = world.values) => world.call('PUT', '/dialer/killswitch', body, { as })
  const state = async () => (await world.call('GET', '/dialer/killswitch')).body

  test('stops everything in one step, and is lifted in two', async () => {
    expect(await state()).toEqual({ on: false, by: null, ts: null })
    const on = await turn({ on: true })
    expect([on.status, on.body]).toEqual([200, { on: true, by: world.values.rcntrl, ts: '2026-01-05T12:00:00.000Z' }])
    expect(await world.dialerRepository.isKillSwitchOn()).toBe(true)
    const asked = await turn({ on: false })
    expect(asked.body).toMatchObject({
      on: true,
      confirm: expect.any(String),
      confirmUntilTs: '2026-01-05T12:02:00.000Z',
    })
    expect(await world.dialerRepository.isKillSwitchOn()).toBe(true)
    const second = await world.credential(['admin'])
    expect((await turn({ on: false, confirm: asked.body.confirm })).status).toBe(409)
    const lifted = await turn({ on: false, confirm: asked.body.confirm }, second)
    expect(lifted.body).toMatchObject({ on: false })
    expect(await world.dialerRepository.isKillSwitchOn()).toBe(false)
  })

  test('is not lifted by a wrong, used, older or expired word, or by whoever asked', async () => {
    await turn({ on: true })
    const older = (await turn({ on: false })).body.confirm
    const newer = (await turn({ on: false })).body.confirm
    const other = await world.credential(['admin'])
    expect((await turn({ on: false, confirm: 'guess' }, other)).status).toBe(409)
    expect((await turn({ on: false, confirm: older }, other)).status).toBe(409)
    expect((await turn({ on: false, confirm: newer })).status).toBe(409)
    clock.run(120_000)
    expect((await turn({ on: false, confirm: newer }, other)).status).toBe(409)
    expect((await state()).on).toBe(true)
    const right = (await turn({ on: false })).body.confirm
    expect((await turn({ on: false, confirm: right }, other)).status).toBe(200)
    await turn({ on: true })
    expect((await turn({ on: false, confirm: right }, other)).status).toBe(409)
  })

  test('turned on again is not lifted by an answer to the former question', async () => {
    await turn({ on: true })
    const before = (await turn({ on: false })).body.confirm
    clock.run(1)
    await turn({ on: true })
    expect((await turn({ on: false, confirm: before }, await world.credential(['admin']))).status).toBe(409)
    expect((await state()).on).toBe(true)
  })

  test('is operated by administrators only', async () => {
    const as = await world.credential(['dialer:write', 'dialer:read'])
    expect((await turn({ on: false }, as)).status).toBe(403)
    expect((await world.call('GET', '/dialer/killswitch', undefined, { as })).status).toBe(200)
  })
})

/** Whether somebody waits for the lock that excludes orders from claims. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await world.pools.jobs.query(`select count(*)::int as count from pg_locks
    where locktype = 'advisory' and not granted and database = (select oid from pg_database
      where datname = current_database())`)
  return rows[0].count > 0
}

/** Otherwise a claim that has read the lists begins an attempt after the answer, and nobody looks for it then. */
describe('given a claim that has read its orders, the answer comes after its attempts:', () => {
  const persons = [{ systemCode: 'DEBT', extCustId: 'waits' }]
  const orders: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['of a stopped number', () => world.call('POST', '/dialer/stoplist/numbers', { numbers: [numberOf(70)] })],
    ['of a stopped person', () => world.call('POST', '/dialer/stoplist/persons', { persons })],
    ['of the kill switch', () => world.call('PUT', '/dialer/killswitch', { on: true })],
    [
      'of a person who asked in a call',
      () => {
        const said = { corporation: OURS, number: numberOf(71) as PhoneNumber, reason: 'asked', atMs: clock.nowMs() }
        return world.dialerRepository.doNotCall({ ...said, call: 'asked-71' as CallId, by: ANNA })
      },
    ],
  ]

  test.each(orders)('%s', async (_, order) => {
    const claim = await world.pools.jobs.connect()
    try {
      await claim.query('begin')
      await claim.query('select pg_advisory_xact_lock_shared($1)', [LOCKS.orders])
      let isAnswered = false
      const answer = order().then(() => {
        isAnswered = true
      })
      await expect.poll(async () => isAnswered || (await isWaiting()), { interval: 10 }).toBe(true)
      expect(isAnswered).toBe(false)
      await claim.query('commit')
      await answer
    } finally {
      claim.release(true)
    }
  })
})

test('given an order that is being written, a claim does not read the lists before it', async () => {
  await world.importTasks([debtor(72)])
  const seen: boolean[] = []
  const look = async () => {
    await world.dialerRepository.claimDueTasks({
      lease: await world.lease(),
      campaign: CAMPAIGN,
      tasksMax: 10,
      atMs: clock.nowMs(),
      dialedSinceAtMs: 0,
      decide: ({ numbers }) => {
        seen.push(...numbers.flatMap(({ number, stopped }) => (number === numberOf(72) ? [stopped] : [])))
        return { verdict: 'leave' }
      },
    })
  }
  await look()
  expect(seen).toEqual([false])
  const order = await world.pools.jobs.connect()
  try {
    await order.query('begin')
    await order.query('select pg_advisory_xact_lock($1)', [LOCKS.orders])
    const stop = 'insert into stopped_numbers (corporation_id, number, created_at_ms) values ($1, $2, 0)'
    await order.query(stop, [OURS, numberOf(72)])
    let isOver = false
    // One that waits for too long gives up: it dials nothing either.
    const claim = look()
      .catch(() => {})
      .finally(() => {
        isOver = true
      })
    await expect.poll(async () => isOver || (await isWaiting()), { interval: 10 }).toBe(true)
    await order.query('commit')
    await claim
    expect(seen).not.toEqual([false, false])
  } finally {
    order.release(true)
  }
})
