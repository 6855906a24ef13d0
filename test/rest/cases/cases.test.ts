/** Cases as an integrator creates, changes and reads them (contract.md §2.7, §4.5, D-21, D-22). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdExpiryWorker } from '../../../src/core/workers/hold-expiry-worker.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { everythingAwaited, VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, THEIRS } from '../rest-world.ts'
import { type CaseWorld, openCaseWorld } from './case-world.ts'

const NOON = Date.UTC(2026, 0, 2, 12)
const text = (atMs: number) => new Date(atMs).toISOString()
const DAY_MS = 24 * 3_600_000

let clock: VirtualClock
let world: CaseWorld

beforeAll(async () => {
  clock = new VirtualClock(NOON)
  world = await openCaseWorld(clock)
})
afterAll(() => world.close())

describe('a new case', () => {
  test('is returned whole, under both spellings', async () => {
    const body = {
      description: 'Rent of January',
      status: 8,
      corporation: { corpId: OURS },
      entityExtension: { eeexId: 31 },
      queue: { ucquId: 21 },
      deadlineTs: text(NOON + DAY_MS),
      onHoldToTs: NOON + DAY_MS,
      onHoldComment: 'Waits for\u0007 the bank',
      emsTags: ['vip', { name: 'rent' }],
      propValues: [{ emprId: 5, value: '100' }],
      members: [{ role: 1, user: { userId: 11 } }],
    }
    for (const path of ['/rest/svcems/case', '/svcems/case', '/itxems/case']) {
      const { status, headers, body: made } = await world.call('POST', path, body)
      expect([status, headers['svc-created'], headers['etag']]).toEqual([200, 'true', `"${made.eactId}-1"`])
      expect(made).toMatchObject({
        corporation: { corpId: OURS },
        activityType: { eatyId: 15, name: 'case' },
        status: 8,
        description: 'Rent of January',
        creationTs: text(NOON),
        updateTs: text(NOON),
        creator: null,
        entityExtension: { eeexId: 31 },
        category: null,
        queue: { ucquId: 21, name: 'Desk' },
        priority: { name: 'Normal', default: true },
        emsStatus: { internalStatus: 8, default: true, active: true },
        emsStatusLastOpen: { internalStatus: 1 },
        emsStatusChangeTs: text(NOON),
        internalUpdateTs: null,
        externalUpdateTs: null,
        mergedTo: null,
        deadlineTs: text(NOON + DAY_MS),
        onHoldToTs: text(NOON + DAY_MS),
        onHoldComment: 'Waits for the bank',
        members: [
          { role: 1, startTs: text(NOON), endTs: null, user: { userId: 11, userName: 'ann', name: 'Ann' } },
          { role: 20, startTs: text(NOON), endTs: null, user: null, entityExtension: { eeexId: 31 } },
        ],
        links: [],
        texts: [],
        coreFileReferences: [],
        emsTags: [{ name: 'rent' }, { name: 'vip' }],
        propValues: [{ emprId: 5, name: 'Amount', value: '100' }],
      })
      expect(made.priority.emprId).toBe(made.priority.empriId)
      expect(made.logs[0]).toMatchObject({
        what: 'created',
        oldValue: null,
        user: null,
        reason: null,
        creationTs: text(NOON),
        newValue: { status: 8, emsStatus: { emstId: made.emsStatus.emstId } },
      })
      expect(await world.read(made.eactId)).toEqual(made)
    }
  })

  test('names its creator, if that is a person', async () => {
    const user = { id: 11, userName: 'ann', name: 'Ann', active: true }
    const as = await world.credential(['cases:write', 'cases:read'], [OURS], { user: user as never })
    const { body } = await world.save({ description: 'Rent', status: 1, corporation: { corpId: OURS } }, { as })
    expect(body).toMatchObject({
      creator: { userId: 11, userName: 'ann', name: 'Ann' },
      logs: [{ user: { userId: 11 } }],
    })
    expect((await world.comment(body.eactId, 'x')).status).toBe(200)
  })

  test('is numbered consecutively, also if some are refused', async () => {
    const first = await world.create()
    const refused = await world.save({
      description: 'x',
      status: 1,
      corporation: { corpId: OURS },
      queue: { ucquId: 29 },
    })
    expect(refused.status).toBe(400)
    expect((await world.create()).seqNo).toBe(first.seqNo + 1)
  })

  test.each([1, 2, 3, 4, 6, 7])('with status %i only gets its default status and priority', async (status) => {
    const made = await world.create({ status })
    expect(made).toMatchObject({ status, emsStatus: { internalStatus: status, default: true } })
    expect(made.priority.default).toBe(true)
  })

  test('keeps a matching emsStatus, and gets another one otherwise', async () => {
    const name = { name: 'Promised', internalStatus: 1 }
    const { body: own } = await world.call('POST', '/rest/svcems/statuses', name)
    expect(await world.create({ emsStatus: { emstId: own.emstId } })).toMatchObject({ emsStatus: own, status: 1 })
    const other = await world.create({ status: 2, emsStatus: { emstId: own.emstId } })
    expect(other).toMatchObject({ status: 2, emsStatus: { internalStatus: 2, default: true } })
  })

  test.each(['empriId', 'emprId'])('accepts a priority as %s, and returns both', async (key) => {
    const { body: priorities } = await world.call('GET', '/rest/svcems/priorities')
    const { empriId } = priorities[0]
    expect((await world.create({ priority: { [key]: empriId } })).priority).toMatchObject({ empriId, emprId: empriId })
  })

  test('accepts a category of the list', async () => {
    const { body: category } = await world.call('POST', '/rest/svcems/categories', { name: 'Rent' })
    expect((await world.create({ category: { ctnoId: category.ctnoId } })).category).toEqual(category)
  })

  test.each(['categories', 'statuses', 'priorities'])('a name that shows nothing is none in the %s', async (list) => {
    const given = { name: ' \u200b\u0001', internalStatus: 1, level: 7 }
    const blank = { status: 400, body: { errors: [{ path: 'name', code: 'blank' }] } }
    expect(await world.call('POST', `/rest/svcems/${list}`, given)).toMatchObject(blank)
    const { body } = await world.call('POST', `/rest/svcems/${list}`, { ...given, name: `Seen of ${list}` })
    const id = body.ctnoId ?? body.emstId ?? body.empriId
    expect(await world.call('PATCH', `/rest/svcems/${list}/${id}`, { name: '\u200b' })).toMatchObject(blank)
  })

  test.each([
    ['no title', { description: null }, 'description'],
    ['a title that shows nothing', { description: '\u200b\u0001' }, 'description'],
    ['a title that is too long', { description: 'x'.repeat(1_001) }, 'description'],
    ['no status', { status: null }, 'status'],
    ['a status that there is not', { status: 9 }, 'status'],
    ['no corporation', { corporation: null }, 'corporation'],
    ['a corporation of others', { corporation: { corpId: THEIRS } }, 'corporation.corpId'],
    ['a contact of others', { entityExtension: { eeexId: 39 } }, 'entityExtension.eeexId'],
    ['a queue of others', { queue: { ucquId: 29 } }, 'queue.ucquId'],
    ['a category that there is not', { category: { ctnoId: 404 } }, 'category.ctnoId'],
    ['a status that nobody defined', { emsStatus: { emstId: 404 } }, 'emsStatus.emstId'],
    ['a priority that there is not', { priority: { empriId: 404 } }, 'priority.empriId'],
    ['two priorities', { priority: { empriId: 1, emprId: 2 } }, 'priority'],
    ['a user of others', { members: [{ role: 1, user: { userId: 19 } }] }, 'members'],
    ['a member who is nobody', { members: [{ role: 2 }] }, 'members[0]'],
    ['a contact who is a user', { members: [{ role: 20, user: { userId: 11 } }] }, 'members[0]'],
    ['a role that there is not', { members: [{ role: 3, user: { userId: 11 } }] }, 'members[0].role'],
    ['a field of others', { propValues: [{ emprId: 9, value: 'x' }] }, 'propValues'],
    ['status 8 without an end', { status: 8 }, 'onHoldToTs'],
    ['status 8 with an end in the past', { status: 8, onHoldToTs: NOON - 1 }, 'onHoldToTs'],
    ['an instant that is none', { deadlineTs: 'tomorrow' }, 'deadlineTs'],
    ['status 5', { status: 5 }, 'mergedTo.eactId'],
    ['where it is merged to', { mergedTo: { eactId: 1 } }, 'mergedTo'],
  ])('is refused with %s, and nothing is created', async (_, change, path) => {
    const before = (await world.find({ statuses: [1, 2, 3, 4, 5, 6, 7, 8] })).headers['totalfound']
    const { status, body } = await world.save({ description: 'x', status: 1, corporation: { corpId: OURS }, ...change })
    expect([status, body.errors?.[0]?.path]).toEqual([400, path])
    expect((await world.find({ statuses: [1, 2, 3, 4, 5, 6, 7, 8] })).headers['totalfound']).toBe(before)
  })

  test('ignores fields that a client cannot set (F-J18)', async () => {
    const given = {
      seqNo: 1,
      creator: { userId: 19 },
      creationTs: text(0),
      logs: [],
      texts: [{ text: 'x' }],
      scopes: [],
    }
    const made = await world.create({ ...given, version: 99, links: [{ type: 14 }] })
    expect(made).toMatchObject({ creator: null, creationTs: text(NOON), texts: [], links: [] })
    expect(made.seqNo).toBeGreaterThan(1)
    const { headers } = await world.save({ eactId: made.eactId, ...given })
    expect(headers['svc-ignored-fields']?.split(', ')).toEqual(Object.keys(given))
    expect(await world.read(made.eactId)).toEqual(made)
  })
})

describe('a changed case', () => {
  test('keeps absent fields, and clears null ones', async () => {
    const { eactId } = await world.create({ entityExtension: { eeexId: 31 }, queue: { ucquId: 21 }, deadlineTs: NOON })
    const { status, headers, body } = await world.save({ eactId, description: 'New' })
    expect([status, headers['svc-created'], headers['etag']]).toEqual([200, 'false', `"${eactId}-2"`])
    expect(body).toMatchObject({
      description: 'New',
      status: 1,
      entityExtension: { eeexId: 31 },
      queue: { ucquId: 21 },
    })
    const nothing = { entityExtension: null, queue: null, deadlineTs: null, priority: null, members: null }
    expect((await world.save({ eactId, ...nothing })).body).toMatchObject({
      description: 'New',
      entityExtension: null,
      queue: null,
      deadlineTs: null,
      priority: { default: true },
    })
  })

  test('by emsStatus gets its status, and the other way round', async () => {
    const { eactId, emsStatus: open } = await world.create()
    const closed = (await world.save({ eactId, status: 2 })).body
    expect(closed).toMatchObject({ status: 2, emsStatus: { internalStatus: 2 } })
    const back = (await world.save({ eactId, emsStatus: { emstId: open.emstId } })).body
    expect(back).toMatchObject({ status: 1, emsStatus: open })
    const both = (await world.save({ eactId, status: 7, emsStatus: { emstId: open.emstId } })).body
    expect(both).toMatchObject({ status: 7, emsStatus: { internalStatus: 7, default: true } })
    const moves = both.logs.filter(({ what }: { what: string }) => what === 'status')
    expect(moves.map(({ newValue }: { newValue: { status: number } }) => newValue.status)).toEqual([2, 1, 7])
  })

  test('has one assigned user and one contact, and keeps the former ones', async () => {
    const { eactId } = await world.create({ members: [{ role: 1, user: { userId: 11 } }] })
    clock.run(1_000)
    const followers = [11, 12].map((userId) => ({ role: 2, user: { userId } }))
    const members = [{ role: 1, user: { userId: 12 } }, ...followers, { role: 20, entityExtension: { eeexId: 32 } }]
    const { body } = await world.save({ eactId, members })
    const now = text(clock.nowMs())
    expect(body.members).toMatchObject([
      { role: 1, user: { userId: 11 }, endTs: now },
      { role: 1, user: { userId: 12 }, startTs: now, endTs: null },
      { role: 2, user: { userId: 11 }, endTs: null },
      { role: 2, user: { userId: 12 }, endTs: null },
      { role: 20, entityExtension: { eeexId: 32 }, endTs: null },
    ])
    expect(body.entityExtension).toEqual({ eeexId: 32 })
    const change = body.logs.find(({ what, oldValue }: Record<string, unknown>) => what === 'assigned user' && oldValue)
    expect(change).toMatchObject({ oldValue: { userId: 11 }, newValue: { userId: 12 }, creationTs: now })
    const left = await world.save({ eactId, members: [{ role: 2, user: { userId: 11 }, active: false }, { role: 1 }] })
    const active = left.body.members.filter(({ endTs }: { endTs: string | null }) => endTs === null)
    expect(active).toMatchObject([{ role: 2, user: { userId: 12 } }, { role: 20 }])
  })

  test('may be sent back as it was read: nothing changes', async () => {
    const { eactId } = await world.create({
      status: 8,
      onHoldToTs: clock.nowMs() + DAY_MS,
      emsTags: ['a'],
      propValues: [{ emprId: 5, value: 'x' }],
      members: [{ role: 1, user: { userId: 11 } }],
    })
    await world.save({ eactId, members: [{ role: 1, user: { userId: 12 } }] })
    const read = await world.read(eactId)
    expect((await world.save(read)).body).toEqual(read)
    // And with another status: the hold ends.
    expect((await world.save({ ...read, status: 1, emsStatus: undefined })).body).toMatchObject({ onHoldToTs: null })
  })

  test('is not overwritten: If-Match and updateTs refuse with 412 (F-I11)', async () => {
    const { eactId, updateTs } = await world.create()
    clock.run(1_000)
    const ifMatch = (etag: string) => ({ headers: { 'if-match': etag } })
    expect((await world.save({ eactId, description: 'One' }, ifMatch(`"${eactId}-1"`))).status).toBe(200)
    const stale = [
      await world.save({ eactId, description: 'Two' }, ifMatch(`"${eactId}-1"`)),
      await world.save({ eactId, description: 'Two' }, ifMatch(`W/"${eactId}-2"`)),
      await world.save({ eactId, description: 'Two' }, ifMatch(`"7-2", "${eactId}-1" , W/"${eactId}-2"`)),
      await world.save({ eactId, description: 'Two' }, ifMatch(`"7-2"`)),
      await world.save({ eactId, description: 'Two' }, ifMatch('nonsense')),
      await world.save({ eactId, description: 'Two', updateTs }),
    ]
    expect(stale.map(({ status }) => status)).toEqual([412, 412, 412, 412, 412, 412])
    const listed = ifMatch(`"7-2", "a, \\", W/"x","${eactId}-2"`)
    expect((await world.save({ eactId, description: 'Listed' }, listed)).status).toBe(200)
    const { headers } = await world.save({ eactId, description: 'Three' }, ifMatch('*'))
    expect((await world.save({ eactId, description: 'Four' }, ifMatch(headers['etag'] ?? ''))).body.description).toBe(
      'Four',
    )
  })

  test('is not made anew where the eactId beside If-Match is missing: 412, and nothing is created', async () => {
    const body = { description: 'Whole', status: 1, corporation: { corpId: OURS } }
    const { seqNo, eactId } = await world.create()
    for (const tag of [`"${eactId}-1"`, '*', 'W/"x"']) {
      expect((await world.save(body, { headers: { 'if-match': tag } })).status).toBe(412)
    }
    expect((await world.create()).seqNo).toBe(seqNo + 1)
  })

  test('is not found by others, nor under another corporation', async () => {
    const { eactId } = await world.create()
    const theirs = await world.credential(['cases:read', 'cases:write'], [THEIRS])
    for (const [body, as] of [
      [{ eactId, description: 'x' }, theirs],
      [{ eactId, description: 'x', corporation: { corpId: THEIRS } }, world.values],
      [{ eactId: 999_999, description: 'x' }, world.values],
    ] as const) {
      expect((await world.save(body, { as })).status).toBe(404)
    }
    expect((await world.read(eactId)).description).toBe('Rent')
  })

  test('is deleted manually, and restored by an administrator only', async () => {
    const { eactId } = await world.create()
    const clerk = await world.credential(['cases:read', 'cases:write'])
    expect((await world.save({ eactId, status: 4 }, { as: clerk })).body.status).toBe(4)
    expect((await world.save({ eactId, status: 4 }, { as: clerk })).status).toBe(200)
    expect((await world.save({ eactId, description: 'x' }, { as: clerk })).status).toBe(409)
    expect((await world.save({ eactId, status: 1 }, { as: clerk })).status).toBe(403)
    expect((await world.save({ eactId, status: 3 })).status).toBe(409)
    expect((await world.comment(eactId, 'late')).status).toBe(409)
    expect((await world.save({ eactId, status: 1 })).body.status).toBe(1)
  })
})

describe('a case on hold', () => {
  test('is open again within a minute of its end, without a request', async () => {
    const until = clock.nowMs() + 10 * 60_000
    const { eactId } = await world.create({ status: 8, onHoldToTs: until, onHoldComment: 'holiday' })
    const { cases } = world.parts
    // The real clock is not awaited for work that the clock starts.
    const looks: Promise<number>[] = []
    const watched = {
      endHolds: (nowMs: number) => {
        const look = cases.endHolds(nowMs)
        looks.push(look)
        return look
      },
    }
    const keeper = holdExpiryWorker({ cases: watched, clock, log: silentLog })
    keeper.start()
    for (let minute = 0; minute < 24; minute++) {
      await Promise.all(looks)
      await everythingAwaited()
      clock.run(30_000)
    }
    await keeper.stop()
    const { status, logs, onHoldToTs, updateTs } = await world.read(eactId)
    expect([status, onHoldToTs]).toEqual([1, null])
    expect(Date.parse(updateTs) - until).toBeLessThanOrEqual(60_000)
    expect(logs.at(-1)).toMatchObject({
      what: 'status',
      user: null,
      reason: 'the time on hold has passed',
      oldValue: { status: 8, onHoldToTs: text(until), onHoldComment: 'holiday' },
      newValue: { status: 1 },
    })
    expect(logs).toHaveLength(2)
  })

  test('does not change when an activity arrives', async () => {
    const { eactId } = await world.create({ status: 8, onHoldToTs: clock.nowMs() + DAY_MS })
    await world.comment(eactId, 'reply', { external: true })
    expect(await world.read(eactId)).toMatchObject({ status: 8, externalUpdateTs: text(clock.nowMs()) })
  })
})
