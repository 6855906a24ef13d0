/** Searching cases, and the lists of their values (contract.md §4.5, D-22, D-23). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { THEIRS } from '../rest-world.ts'
import { type CaseWorld, openCaseWorld } from './case-world.ts'

let world: CaseWorld

beforeAll(async () => {
  world = await openCaseWorld()
})
afterAll(() => world.close())

describe('cases are found', () => {
  test('by their ids, whole, under every spelling', async () => {
    const made = [await world.create(), await world.create()]
    const eactIds = made.map(({ eactId }) => eactId)
    for (const path of ['/svcems', '/rest/svcems', '/itxems', '/rest/itxems'].map((root) => `${root}/cases/search`)) {
      const { status, body, headers } = await world.call('POST', path, { eactIds: [...eactIds, 999_999] })
      expect([status, headers['svc-total-found'], headers['totalfound']]).toEqual([200, '2', '2'])
      expect(body).toEqual(made.toReversed())
    }
  })

  test('by every filter of ours, combined with and', async () => {
    const input = {
      queue: { ucquId: 21 },
      entityExtension: { eeexId: 32 },
      members: [{ role: 1, user: { userId: 12 } }],
    }
    const one = await world.create({ description: 'Umbrella', ...input })
    const filters = {
      eactIds: [one.eactId],
      seqNos: [one.seqNo],
      statuses: [1],
      emstIds: [one.emsStatus.emstId],
      ucquIds: [21],
      eeexIds: [32],
      assignedUserIds: [12],
      text: 'umbr',
      updateTsFrom: one.updateTs,
      updateTsTo: one.updateTs,
    }
    for (const [name, value] of Object.entries(filters)) {
      const { body } = await world.find({ [name]: value, limitTo: 1_000 })
      expect(
        body.map(({ eactId }: { eactId: number }) => eactId),
        name,
      ).toContain(one.eactId)
    }
    expect((await world.find(filters)).body).toHaveLength(1)
    const others = { eactIds: [1], seqNos: [9_999], statuses: [6], ucquIds: [29], eeexIds: [39], text: '%' }
    for (const [name, value] of Object.entries(others)) {
      expect((await world.find({ ...filters, [name]: value })).body, name).toEqual([])
    }
  })

  test.each([
    ['100 % of _all_', '0 % OF _A', '0 x of'],
    ['C:\\rent\\may', 'c:\\RENT', 'c:rent'],
    ['it’s «late»', 'S «LA', 'its'],
  ])('by a part of %j, which is a text and no pattern (F-I10)', async (words, part, other) => {
    const [titled, spoken] = [await world.create({ description: words }), await world.create()]
    await world.comment(spoken.eactId, words)
    const found = async (text: string) => {
      const { body } = await world.find({ text, eactIds: [titled.eactId, spoken.eactId] })
      return body.map(({ eactId }: { eactId: number }) => eactId)
    }
    expect(await found(part)).toEqual([spoken.eactId, titled.eactId])
    expect(await found(other)).toEqual([])
  })

  test('window by window, with the total of all', async () => {
    const eactIds = []
    for (let count = 0; count < 3; count++) eactIds.push((await world.create()).eactId)
    const newest = eactIds.toReversed()
    for (const criteria of [{ eactIds }, { eactIds, statuses: [1] }]) {
      for (const [limitFrom, limitTo] of [
        [0, 1],
        [1, 2],
        [0, 3],
        [2, 9],
        [3, 9],
        [7, 9],
      ] as const) {
        const { body, headers } = await world.find({ ...criteria, limitFrom, limitTo })
        expect(body.map(({ eactId }: { eactId: number }) => eactId)).toEqual(newest.slice(limitFrom, limitTo))
        expect(headers['totalfound']).toBe('3')
      }
    }
  })

  test.each([
    ['nothing', {}],
    ['empty lists', { eactIds: [], statuses: [] }],
    ['a window alone', { limitFrom: 0, limitTo: 10 }],
    ['a filter that there is not', { eactIds: [1], eactIdz: [1] }],
    ['a window that ends before it begins', { eactIds: [1], limitFrom: 5, limitTo: 5 }],
    ['a window that is too wide', { eactIds: [1], limitFrom: 0, limitTo: 1_001 }],
    ['an instant that is none', { updateTsFrom: 'soon' }],
  ])('not with %s', async (_, body) => {
    expect((await world.find(body)).status).toBe(400)
  })
})

describe('lists', () => {
  test('are plain lists, with totals, of our corporation only', async () => {
    for (const [path, key] of [
      ['categories', 'ctnoId'],
      ['statuses?type=35013', 'emstId'],
      ['priorities', 'emprId'],
    ] as const) {
      const { body, headers } = await world.call('GET', `/rest/svcems/${path}`)
      expect(headers['svc-total-found']).toBe(String(body.length))
      for (const entry of body) expect(Number.isInteger(entry[key]), path).toBe(true)
    }
    const { body: statuses } = await world.call('GET', '/rest/svcems/statuses')
    const defaults = statuses.filter((status: { default: boolean }) => status.default)
    expect(defaults.map((status: { internalStatus: number }) => status.internalStatus).sort()).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8],
    ])
    expect((await world.call('GET', '/rest/svcems/statuses?type=1')).body).toEqual([])
    const theirs = await world.credential(['cases:read'], [THEIRS])
    expect((await world.call('GET', '/svcems/categories', undefined, { as: theirs })).body).toEqual([])
  })

  test('are extended manually: a new default replaces the old one', async () => {
    const court = { name: 'In court', internalStatus: 7, default: true, color: '#ff0000', sortOrder: 3 }
    const { status, body } = await world.call('POST', '/svcems/statuses', court)
    expect([status, body]).toEqual([201, { ...court, emstId: body.emstId, active: true }])
    expect((await world.create({ status: 7 })).emsStatus).toEqual(body)
    expect((await world.call('POST', '/svcems/statuses', court)).status).toBe(409)
    const urgent = await world.call('POST', '/svcems/priorities', { name: 'Urgent', level: 9 })
    expect([urgent.status, urgent.body]).toEqual([201, expect.objectContaining({ level: 9, default: false })])
    const parent = (await world.call('POST', '/svcems/categories', { name: 'Above' })).body
    const below = { name: 'Below', parent: { ctnoId: parent.ctnoId } }
    expect((await world.call('POST', '/svcems/categories', below)).body.parent).toEqual(below.parent)
    const wrong = [
      ['categories', { name: 'Below', parent: { ctnoId: 404 } }],
      ['categories', { name: 'x', corporation: { corpId: THEIRS } }],
      ['statuses', { name: 'x', internalStatus: 9 }],
      ['priorities', { name: ' ', level: 1 }],
    ] as const
    for (const [list, entry] of wrong) expect((await world.call('POST', `/svcems/${list}`, entry)).status).toBe(400)
    const clerk = await world.credential(['cases:read', 'cases:write'])
    expect((await world.call('POST', '/svcems/statuses', court, { as: clerk })).status).toBe(403)
  })

  test('are changed manually: cases keep inactive values, and a default is always active', async () => {
    const patch = (path: string, body: object, options = {}) =>
      world.call('PATCH', `/rest/svcems/${path}`, body, options)
    const listed = async (list: string) => (await world.call('GET', `/svcems/${list}`)).body
    const { ctnoId } = (await world.call('POST', '/svcems/categories', { name: 'Rent' })).body
    const one = await world.create({ category: { ctnoId } })
    const { status, body } = await patch(`categories/${ctnoId}`, { name: 'Old rent', sortOrder: 7, active: false })
    expect([status, body]).toEqual([200, { ctnoId, name: 'Old rent', sortOrder: 7, active: false, parent: null }])
    expect((await world.read(one.eactId)).category).toMatchObject({ ctnoId, name: 'Old rent' })
    expect(
      (await world.save({ description: 'x', status: 1, corporation: { corpId: 1 }, category: { ctnoId } })).status,
    ).toBe(400)
    expect(await listed('categories')).not.toContainEqual(body)
    expect(await listed('categories?all=true')).toContainEqual(body)
    const [normal, other] = (await listed('priorities')).toSorted((one: { default: boolean }) => (one.default ? -1 : 1))
    expect((await patch(`priorities/${normal.empriId}`, { active: false })).status).toBe(409)
    expect((await patch(`priorities/${other.empriId}`, { name: normal.name })).status).toBe(409)
    const changed = await patch(`priorities/${other.empriId}`, { default: true, level: 4, color: '#00ff00' })
    expect(changed.body).toEqual({ ...other, default: true, level: 4, color: '#00ff00' })
    expect((await patch(`priorities/${normal.empriId}`, { active: false })).body).toMatchObject({ default: false })
    expect((await world.create()).priority.empriId).toBe(other.empriId)
    const theirs = await world.credential(['config:write'], [THEIRS])
    expect((await patch(`priorities/${other.empriId}`, { level: 1 }, { as: theirs })).status).toBe(404)
    const open = (await listed('statuses')).find((status: { internalStatus: number }) => status.internalStatus === 1)
    expect((await patch(`statuses/${open.emstId}`, {})).body).toEqual(open)
    expect((await patch(`statuses/${open.emstId}`, { active: false })).status).toBe(409)
  })

  test('hold a thousand entries at most', async () => {
    await world.pools.jobs.query(
      "insert into categories (corporation_id, name) select 1, 'c' || n from generate_series(1, 1000) n",
    )
    expect((await world.call('POST', '/svcems/categories', { name: 'one more' })).status).toBe(409)
  })
})
