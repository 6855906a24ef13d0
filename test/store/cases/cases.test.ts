import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import type { CaseChange } from '../../../src/ports/cases.ts'
import { incomingUpdate } from '../../../src/store/cases/incoming-activity.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { servers } from '../db/database.ts'
import { CORPORATION, NOON } from '../shop.ts'
import { type CaseRepositoryUnderTest, OTHERS, openCaseRepository, saved, UNKNOWN } from './case-repository.ts'

const DAY_MS = 24 * 3_600_000
const part = (role: number, id: number, isActive = true) =>
  ({ role, user: role === 20 ? null : id, extension: role === 20 ? id : null, isActive }) as never

describe.each(servers)('cases on $name', (server) => {
  let world: CaseRepositoryUnderTest

  beforeAll(async () => {
    world = await openCaseRepository(server)
  })
  afterAll(() => world.database.drop())

  /** An activity outside of any case. */
  const activity = async (kind = 'conversation') =>
    (
      await world.rows(
        `insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
         values (1, $1, 'Mail', 0, 0) returning id`,
        [kind],
      )
    )[0]?.id as ActivityId
  const arrive = (to: ActivityId, activity: ActivityId, atMs = NOON + 2_000) =>
    inTransaction(world.database.pools.jobs, (transaction) =>
      incomingUpdate(transaction, { case: to, activity, corporation: CORPORATION, atMs, isExternal: true }),
    )
  const comment = (to: ActivityId, text: string, change: object = {}, hand = world.handOf({ atMs: NOON + 3_000 })) =>
    world.cases.addText(
      { case: to, text, original: `<b>${text}</b>`, isInternal: true, isExternalUpdate: false, ...change },
      hand,
    )

  test('are stored whole, as requested', async () => {
    const caseChange = {
      status: 8,
      extension: 31,
      team: 21,
      deadlineAtMs: NOON + DAY_MS,
      holdUntilMs: NOON + DAY_MS,
      holdComment: 'holiday',
      members: [part(1, 11), part(2, 12)],
      tags: ['vip', 'rent'],
      values: [{ field: 5, value: '100 kroner' }],
    } as unknown as CaseChange
    const made = await world.create(caseChange)
    expect(made).toMatchObject({
      record: {
        corporation: CORPORATION,
        title: 'Rent',
        extension: 31,
        team: 21,
        category: null,
        status: 8,
        merged: null,
        deadlineAtMs: NOON + DAY_MS,
        holdUntilMs: NOON + DAY_MS,
        holdComment: 'holiday',
        updatedAtMs: NOON,
        version: 1,
        customChangedAtMs: NOON,
        internalUpdatedAtMs: null,
        externalUpdatedAtMs: null,
      },
      createdAtMs: NOON,
      creator: { id: 11, userName: 'ann', name: 'Ann' },
      custom: { status: 8, isDefault: true, name: 'On hold' },
      lastOpen: { status: 1, name: 'Open' },
      priority: { name: 'Normal', isDefault: true },
      category: null,
      team: { id: 21, name: 'Desk' },
      members: [
        { role: 1, user: 11, startedAtMs: NOON, endedAtMs: null, who: { userName: 'ann' } },
        { role: 2, user: 12, who: { userName: 'bo' } },
        { role: 20, extension: 31, user: null, who: null },
      ],
      links: [],
      texts: [],
      files: [],
      tags: [{ name: 'rent' }, { name: 'vip' }],
      values: [{ field: 5, name: 'Amount', value: '100 kroner' }],
    })
    expect(made.logs.map(({ what, by }) => `${what} by ${by?.userName}`)).toEqual([
      ...['created by ann', 'assigned user by ann', 'follower by ann', 'contact by ann'],
    ])
    expect(await world.read(made.record.id)).toEqual(made)
  })

  test('change in the given fields only', async () => {
    const made = await world.create({ members: [part(1, 11)], tags: ['vip'] })
    const { id } = made.record
    const changed = await world.change(id, { status: 2, members: [part(1, 12)], tags: ['done'] })
    expect(changed.record).toMatchObject({ status: 2, title: 'Rent', version: 2, updatedAtMs: NOON + 1_000 })
    expect(changed.members).toMatchObject([
      { user: 11, startedAtMs: NOON, endedAtMs: NOON + 1_000 },
      { user: 12, startedAtMs: NOON + 1_000, endedAtMs: null },
    ])
    expect(changed.tags).toMatchObject([{ name: 'done' }])
    expect(changed.logs.slice(2).map(({ what }) => what)).toEqual(['status', 'assigned user', 'tags'])
    const same = await world.change(id, { status: 2, tags: ['done'] })
    expect(same).toEqual(changed)
  })

  test('are numbered without gaps under concurrency, also if some are rolled back', async () => {
    const others = [world.database.open(), world.database.open()]
    const before = (await world.rows('select count(*) as n from cases where corporation_id = 1'))[0]?.n as number
    const all = Array.from({ length: 30 }, (_, place) => {
      // An unknown team, and a title that the database refuses after the number was taken.
      if (place % 5 === 0) return world.tryCreate({ team: 29 as never })
      if (place % 5 === 1) return world.tryCreate({ title: 'NUL \u0000' }).catch(() => 'rolled back')
      return world.tryCreate({ tags: [`tag ${place % 3}`, `tag ${place % 2}`] })
    })
    const results = await Promise.all(all)
    expect(results.filter((result) => result === 'rolled back')).toHaveLength(6)
    const numbers = results.flatMap((one) =>
      typeof one === 'object' && one.outcome === 'saved' ? one.case.number : [],
    )
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, place) => before + place + 1))
    const theirs = await world.tryCreate({ corporation: OTHERS }, world.handOf({ corporations: [OTHERS], by: null }))
    expect(saved(theirs).number).toBe(1)
    expect(await world.faults()).toEqual([])
    await Promise.all(others.map((pools) => pools.close()))
  })

  test('given concurrent changes of the same version, one wins (F-I11)', async () => {
    const { record } = await world.create()
    const seenFirst = { tags: [{ case: record.id, version: 1 }] }
    const all = Array.from({ length: 8 }, (_, place) =>
      world.tryChange(record.id, { title: `title ${place}` }, {}, world.cases, seenFirst),
    )
    const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual(['saved', ...Array(7).fill('stale')])
    const seen = { updatedAtMs: NOON }
    expect(await world.tryChange(record.id, { title: 'late' }, {}, world.cases, seen)).toEqual({ outcome: 'stale' })
  })

  test('given concurrent changes without a version, none of them is lost (F-I11)', async () => {
    const { record } = await world.create()
    const fields = ['title', 'holdComment', 'deadlineAtMs'] as const
    await world.change(record.id, { status: 8, holdUntilMs: NOON + DAY_MS })
    await Promise.all([
      ...fields.map((field) => world.change(record.id, { [field]: field === 'deadlineAtMs' ? NOON : field })),
      ...[31, 32].map((extension) => world.change(record.id, { extension } as CaseChange)),
      ...[11, 12].map((user) => world.change(record.id, { members: [part(1, user), part(2, user)] })),
      comment(record.id, 'one'),
      comment(record.id, 'two'),
    ])
    const after = await world.read(record.id)
    expect(after.record).toMatchObject({ title: 'title', holdComment: 'holdComment', deadlineAtMs: NOON, version: 11 })
    expect(after.texts).toHaveLength(2)
    expect(after.members.filter(({ role, endedAtMs }) => role === 2 && endedAtMs === null)).toHaveLength(2)
    expect(await world.faults()).toEqual([])
  })

  test('refer to nothing unknown or foreign: nothing is changed', async () => {
    const { record } = await world.create()
    const inputs = [
      [{ team: 29 }, 'team'],
      [{ extension: 39 }, 'extension'],
      [{ members: [part(1, 19)] }, 'members'],
      [{ members: [part(20, 39)] }, 'members'],
      [{ values: [{ field: 9, value: 'x' }] }, 'values'],
      [{ category: 404 }, 'category'],
      [{ priority: 404 }, 'priority'],
      [{ custom: 404 }, 'custom'],
      [{ mergedInto: UNKNOWN }, 'mergedInto'],
    ] as const
    for (const [input, about] of inputs) {
      const refused = { outcome: 'refused', why: 'invalid', about }
      expect(await world.tryCreate(input as never)).toMatchObject(about === 'mergedInto' ? {} : refused)
      expect(await world.tryChange(record.id, input as never)).toMatchObject(refused)
    }
    expect((await world.read(record.id)).record).toEqual(record)
    const theirs = { corporations: [OTHERS] }
    expect(await world.tryChange(record.id, { title: 'Mine' }, theirs)).toEqual({ outcome: 'no such case' })
    expect(await world.tryChange(UNKNOWN, { title: 'Mine' })).toEqual({ outcome: 'no such case' })
    expect(await world.tryCreate({ corporation: OTHERS })).toEqual({ outcome: 'no such corporation' })
  })

  describe('that are merged', () => {
    const merge = (source: ActivityId, mergedInto: ActivityId | null, hand = {}) =>
      world.change(source, { mergedInto }, hand)
    const ids = async (count: number) => {
      const made: ActivityId[] = []
      for (let place = 0; place < count; place++) made.push((await world.create()).record.id)
      return made as [ActivityId, ActivityId, ActivityId]
    }

    test('pass on links, texts, files and followers, and accept nothing more', async () => {
      const [source, target] = await ids(2)
      const mail = await activity()
      await arrive(source, mail)
      await comment(source, 'before')
      await world.change(source, { members: [part(2, 12)] })
      await world.rows(
        `insert into files (corporation_id, activity_id, kind, file_name, mime_type, size_bytes, sha256, storage,
           created_at_ms) values (1, $1, 3, 'a.pdf', 'application/pdf', 1, '', $2, 0)`,
        [source, `storage ${source}`],
      )
      const merged = await merge(source, target)
      expect(merged.record).toMatchObject({ status: 5, merged: { into: target } })
      expect([merged.links, merged.texts, merged.files]).toEqual([[], [], []])
      const after = await world.read(target)
      expect(after.links).toEqual([{ type: 14, from: mail, to: target }])
      expect([after.texts.length, after.files.length]).toEqual([1, 1])
      expect(after.members).toMatchObject([{ role: 2, user: 12, endedAtMs: null }])
      // Later activities go to the target.
      const late = await activity('email')
      expect(await arrive(source, late)).toBe(target)
      expect(await comment(source, 'after')).toMatchObject({ outcome: 'added', text: { case: target } })
      const forwarded = await world.change(source, { deadlineAtMs: NOON })
      expect(forwarded.record).toMatchObject({ id: target, deadlineAtMs: NOON })
      expect(await world.tryChange(source, { status: 1 })).toMatchObject({ outcome: 'refused', why: 'conflict' })
      expect((await world.read(source)).record).toEqual(merged.record)
      expect(await world.faults()).toEqual([])
    })

    test('go to the end of a chain, and never in a circle', async () => {
      const [one, two, three] = await ids(3)
      await merge(one, two)
      await merge(two, three)
      const circle = await world.tryChange(three, { mergedInto: one })
      expect(circle).toMatchObject({ outcome: 'refused', why: 'invalid', about: 'mergedInto' })
      expect(await world.tryChange(one, { mergedInto: three })).toMatchObject({ outcome: 'refused', why: 'conflict' })
      const [four] = await ids(1)
      expect((await merge(four, one)).record.merged?.into).toBe(three)
      expect((await comment(one, 'late')).outcome).toBe('added')
      expect((await world.read(three)).texts).toHaveLength(1)
    })

    test('are split by an administrator, with everything they passed on', async () => {
      const [source, target] = await ids(2)
      const [mail, theirs] = [await activity(), await activity()]
      await arrive(source, mail)
      await arrive(target, theirs)
      await comment(source, 'ours')
      await comment(target, 'theirs')
      await world.change(source, { status: 3 })
      await merge(source, target)
      expect(await world.tryChange(source, { mergedInto: null })).toMatchObject({ why: 'forbidden' })
      const apart = await merge(source, null, { isAdmin: true, atMs: NOON + DAY_MS })
      expect(apart.record).toMatchObject({ id: source, status: 3, merged: null })
      expect(apart.links).toEqual([{ type: 14, from: mail, to: source }])
      expect(apart.texts).toMatchObject([{ text: 'ours' }])
      const left = await world.read(target)
      expect(left.links).toEqual([{ type: 14, from: theirs, to: target }])
      expect(left.texts).toMatchObject([{ text: 'theirs' }])
    })

    test('keep their parts, of which the target may be one', async () => {
      const [whole, target, other] = await ids(3)
      for (const part of [target, other]) {
        await world.rows('insert into activity_links values (16, $1, $2, 1, 0)', [part, whole])
      }
      await merge(whole, target)
      expect((await world.read(target)).links).toEqual([{ type: 16, from: other, to: target }])
    })

    test('concurrently, in every direction, end somewhere: no deadlock, no circle (INV-C, F-I11)', async () => {
      const made = (await Promise.all(Array.from({ length: 12 }, () => world.create()))).map(({ record }) => record.id)
      const at = (place: number) => made[place % made.length] as ActivityId
      const all = Array.from({ length: 60 }, async (_, place) => {
        const [one, other] = [at(place * 7), at(place * 5 + 1)]
        if (place % 3 === 0) return (await comment(one, `text ${place}`)).outcome
        if (place % 3 === 1) return (await arrive(one, await activity(), NOON + place)) && 'arrived'
        return (await world.tryChange(one, { mergedInto: other })).outcome
      })
      const outcomes = await Promise.all(all)
      expect(outcomes.filter((outcome) => outcome === 'saved').length).toBeGreaterThan(2)
      expect(await world.faults()).toEqual([])
      const { cases } = await world.search({ ids: made })
      const total = (name: 'links' | 'texts') => cases.reduce((sum, one) => sum + one[name].length, 0)
      expect([total('links'), total('texts')]).toEqual([20, 20])
    })
  })

  test('that are deleted accept no comment, and wait for an administrator', async () => {
    const { record } = await world.create({ status: 4 })
    expect(await comment(record.id, 'late')).toEqual({ outcome: 'deleted' })
    expect(await comment(UNKNOWN, 'late')).toEqual({ outcome: 'no such case' })
    expect(await world.tryChange(record.id, { status: 1 })).toMatchObject({ why: 'forbidden' })
    expect((await world.change(record.id, { status: 1 }, { isAdmin: true })).record.status).toBe(1)
  })

  test('have comments: dated by author, and reopened by those from outside', async () => {
    const { record } = await world.create({ status: 2 })
    expect(await comment(record.id, 'note')).toMatchObject({ text: { text: 'note', creator: { userName: 'ann' } } })
    const noted = (await world.read(record.id)).record
    expect(noted).toMatchObject({ status: 2, version: 2, internalUpdatedAtMs: NOON + 3_000, externalUpdatedAtMs: null })
    await comment(
      record.id,
      'reply',
      { isInternal: false, isExternalUpdate: true },
      world.handOf({ atMs: NOON + 5_000 }),
    )
    const replied = await world.read(record.id)
    expect(replied.record).toMatchObject({ status: 1, version: 3, externalUpdatedAtMs: NOON + 5_000 })
    expect(replied.texts.map(({ text, isInternal }) => [text, isInternal])).toEqual([
      ['note', true],
      ['reply', false],
    ])
    expect(JSON.stringify(replied)).not.toContain('<b>')
  })

  test('are found by every criterion, and by all of them together', async () => {
    const one = await world.create({ title: 'Umbrella 100%', extension: 32 as never, members: [part(1, 12)] })
    const two = await world.create({ title: 'Parasol', status: 7, team: 21 as never, members: [part(1, 12)] })
    await world.change(one.record.id, { members: [part(1, 11)] }, { atMs: NOON + 7 * DAY_MS })
    await comment(two.record.id, 'an UMBRELLA as well')
    const found = async (change: object) => {
      const { cases, found } = await world.search({ ids: [one.record.id, two.record.id], ...change })
      expect(found).toBe(cases.length)
      return cases.map(({ record }) => record.id)
    }
    const [first, second] = [one.record.id, two.record.id]
    expect(await found({})).toEqual([second, first])
    expect(await found({ numbers: [one.number] })).toEqual([first])
    expect(await found({ statuses: [7, 8] })).toEqual([second])
    expect(await found({ customs: [one.custom.id] })).toEqual([first])
    expect(await found({ teams: [21] })).toEqual([second])
    expect(await found({ extensions: [32] })).toEqual([first])
    expect(await found({ assigned: [12] })).toEqual([second])
    expect(await found({ assigned: [11, 12] })).toEqual([second, first])
    expect(await found({ updatedFromMs: NOON + 7 * DAY_MS })).toEqual([first])
    expect(await found({ updatedToMs: NOON + DAY_MS })).toEqual([second])
    expect(await found({ text: 'umbrella' })).toEqual([second, first])
    expect(await found({ text: '100%' })).toEqual([first])
    expect(await found({ text: '1%' })).toEqual([])
    expect(await found({ text: 'umbrella', statuses: [7], assigned: [12] })).toEqual([second])
    expect(await found({ corporations: [OTHERS] })).toEqual([])
    const window = await world.search({ ids: [first, second], offset: 1, rowsMax: 1 })
    expect([window.found, window.cases.map(({ record }) => record.id)]).toEqual([2, [first]])
  })

  describe('have lists', () => {
    test('of a new corporation: one default of each status, and of priorities', async () => {
      const customs = await world.cases.customStatuses([OTHERS], false)
      expect(customs.map(({ status, isDefault }) => [status, isDefault])).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8].map((status) => [status, true]),
      )
      const priorities = await world.cases.priorities([OTHERS], false)
      expect(priorities.filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'Normal' }])
      expect(await world.cases.categories([OTHERS], true)).toEqual([])
    })

    test('that can be extended; a new default replaces the old one', async () => {
      const status = { name: 'In court', status: 7, isDefault: true, color: '#ff0000', sortOrder: 1 } as const
      const adds = Array.from({ length: 4 }, (_, place) =>
        world.cases.addCustomStatus(OTHERS, { ...status, name: `In court ${place % 2}` }),
      )
      const outcomes = (await Promise.all(adds)).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['added', 'added', 'name is taken', 'name is taken'])
      const customs = await world.cases.customStatuses([OTHERS], false)
      expect(customs.filter(({ status, isDefault }) => status === 7 && isDefault)).toHaveLength(1)
      const urgent = { name: 'Urgent', level: 9, isDefault: true, color: null, sortOrder: 0 }
      expect(await world.cases.addPriority(OTHERS, urgent)).toMatchObject({ entry: { name: 'Urgent', active: true } })
      expect(await world.cases.addPriority(OTHERS, urgent)).toEqual({ outcome: 'name is taken' })
      const hand = world.handOf({ corporations: [OTHERS], by: null })
      const made = saved(await world.tryCreate({ corporation: OTHERS, status: 7 }, hand))
      expect(made).toMatchObject({ priority: { name: 'Urgent' }, custom: { status: 7, isDefault: true } })
    })

    test('of categories with parts, each under its own corporation', async () => {
      const rent = await world.cases.addCategory(CORPORATION, { name: 'Rent', parent: null, sortOrder: 0 })
      if (rent.outcome !== 'added') throw new Error(rent.outcome)
      const late = { name: 'Late', parent: rent.entry.id, sortOrder: 0 }
      expect(await world.cases.addCategory(CORPORATION, late)).toMatchObject({ outcome: 'added' })
      expect(await world.cases.addCategory(CORPORATION, late)).toEqual({ outcome: 'name is taken' })
      expect(await world.cases.addCategory(OTHERS, late)).toEqual({ outcome: 'no such parent' })
      const nowhere = { ...late, parent: null }
      expect(await world.cases.addCategory(999 as never, nowhere)).toEqual({ outcome: 'no such corporation' })
      expect((await world.create({ category: rent.entry.id })).category).toMatchObject({ name: 'Rent' })
    })
  })
})
