/** Changes of a case by people, and their consequences (contract.md §3.1, D-21). */
import { describe, expect, test } from 'vitest'
import { changeCase } from '../../src/cases/change-case.ts'
import { createCase, type NewCase } from '../../src/cases/create-case.ts'
import type { CustomStatusId } from '../../src/kernel/ids.ts'
import type { CaseChange, CaseStatus } from '../../src/ports/cases.ts'
import { CUSTOMS, changerOf, customOf, done, LISTS, NOON, STATUSES, stateOf } from './case-samples.ts'

const LATER = NOON + 60_000
const admin = changerOf({ isAdmin: true })
const begin = (input: Partial<NewCase> = {}) =>
  createCase({ id: 1, corporation: 1, title: 'Rent', ...input } as NewCase, LISTS, changerOf())
const change = (status: CaseStatus, caseChange: CaseChange, by = changerOf()) =>
  changeCase(stateOf({ status }), caseChange, LISTS, by)

describe('a new case', () => {
  test.each([1, 2, 3, 4, 6, 7] as const)(
    'of status %i gets its default custom status, and the default priority',
    (status) => {
      const { state, logs } = done(begin({ status }))
      expect(state.record).toMatchObject({ status, custom: status, priority: 1, version: 1, updatedAtMs: NOON + 1_000 })
      expect(state.record.customChangedAtMs).toBe(NOON + 1_000)
      expect(logs).toMatchObject([{ what: 'created', becomes: { status, custom: status } }])
    },
  )

  test('keeps a matching custom status, and gets the default otherwise', () => {
    expect(done(begin({ status: 1, custom: 11 as CustomStatusId })).state.record).toMatchObject({ custom: 11 })
    expect(done(begin({ status: 2, custom: 11 as CustomStatusId })).state.record).toMatchObject({
      status: 2,
      custom: 2,
    })
    expect(done(begin({ custom: 12 as CustomStatusId })).state.record).toMatchObject({ status: 2, custom: 12 })
  })

  test('that was never open has the default open status as its last open one', () => {
    expect(done(begin({ status: 2 })).state.record.lastOpen).toBe(1)
    expect(done(begin({ custom: 11 as CustomStatusId })).state.record.lastOpen).toBe(11)
  })

  test('is refused as merged, and on hold without an end', () => {
    expect(begin({ status: 5 })).toMatchObject({ ok: false, why: 'invalid', about: 'mergedInto' })
    expect(begin({ status: 8 })).toMatchObject({ ok: false, why: 'invalid', about: 'holdUntilMs' })
    expect(done(begin({ status: 8, holdUntilMs: LATER })).state.record).toMatchObject({ status: 8, holdUntilMs: LATER })
  })
})

/** D-21, the manual moves, word for word. */
const FREE: readonly CaseStatus[] = [1, 2, 3, 6, 7, 8]
const MOVES: readonly CaseStatus[] = [1, 2, 3, 4, 6, 7, 8]

describe('a manual move', () => {
  test('from a free status is possible to all but merged, with one log', () => {
    for (const from of FREE) {
      for (const to of MOVES) {
        const { state, logs } = done(change(from, { status: to, ...(to === 8 && { holdUntilMs: LATER }) }))
        expect(state.record).toMatchObject({ status: to, custom: from === to ? from : to })
        const moves = logs.filter(({ what }) => what === 'status')
        expect(moves).toHaveLength(from === to ? 0 : 1)
        expect(state.record.version).toBe(1 + Math.sign(logs.length))
      }
      expect(change(from, { status: 5 })).toMatchObject({ ok: false, why: 'invalid' })
    }
  })

  test('out of deleted is for administrators, to open and closed only', () => {
    for (const to of MOVES.filter((to) => to !== 4)) {
      const input = { status: to, holdUntilMs: LATER }
      const isBack = to === 1 || to === 2
      expect(change(4, input)).toMatchObject({ ok: false, why: isBack ? 'forbidden' : 'conflict' })
      const restored = change(4, isBack ? { status: to, title: 'Back' } : input, admin)
      if (isBack) expect(done(restored).state.record).toMatchObject({ status: to, title: 'Back' })
      else expect(restored).toMatchObject({ ok: false, why: 'conflict' })
    }
    expect(change(4, { title: 'New' }, admin)).toMatchObject({ ok: false, why: 'conflict' })
    expect(done(change(4, { status: 4 })).logs).toEqual([])
  })

  test('out of merged is never possible, and no other field changes either', () => {
    for (const to of MOVES) {
      expect(change(5, { status: to, holdUntilMs: LATER }, admin)).toMatchObject({ ok: false, why: 'conflict' })
    }
    expect(change(5, { title: 'New' }, admin)).toMatchObject({ ok: false, why: 'conflict' })
  })

  test('of the custom status sets the status, and the other way round', () => {
    expect(done(change(1, { custom: 12 as CustomStatusId })).state.record).toMatchObject({ status: 2, custom: 12 })
    const both = { custom: 11 as CustomStatusId, status: 2 } as const
    expect(done(change(1, both)).state.record).toMatchObject({ status: 2, custom: 2 })
    const same = { custom: 11 as CustomStatusId, status: 1 } as const
    expect(done(change(1, same)).state.record).toMatchObject({ status: 1, custom: 11, lastOpen: 11 })
    // To its present status: the custom status stays.
    const own = changeCase(stateOf({ custom: 11 as CustomStatusId }), { status: 1 }, LISTS, changerOf())
    expect(done(own).logs).toEqual([])
  })

  test('to an inactive or unknown custom status is refused', () => {
    for (const custom of [19, 404] as CustomStatusId[]) {
      expect(change(2, { custom })).toMatchObject({ ok: false, why: 'invalid', about: 'custom' })
    }
    const kept = changeCase(stateOf({ custom: 19 as CustomStatusId }), { title: 'New' }, LISTS, changerOf())
    expect(done(kept).state.record).toMatchObject({ custom: 19, title: 'New' })
  })

  test('dates the change of the status, and no other change does', () => {
    expect(done(change(1, { status: 2 })).state.record.customChangedAtMs).toBe(NOON + 1_000)
    expect(done(change(1, { title: 'New' })).state.record.customChangedAtMs).toBe(NOON)
  })
})

describe('a hold', () => {
  test('needs an end in the future', () => {
    for (const holdUntilMs of [undefined, null, NOON, NOON + 1_000]) {
      const input = { status: 8, ...(holdUntilMs !== undefined && { holdUntilMs }) } as const
      expect(change(1, input)).toMatchObject({ ok: false, why: 'invalid', about: 'holdUntilMs' })
    }
    const held = done(change(1, { status: 8, holdUntilMs: LATER, holdComment: 'holiday' })).state.record
    expect(held).toMatchObject({ holdUntilMs: LATER, holdComment: 'holiday' })
  })

  test('that is ended manually leaves its end and its comment in the log', () => {
    const held = stateOf({ status: 8, holdComment: 'holiday' })
    const { state, logs } = done(changeCase(held, { status: 1, holdUntilMs: LATER }, LISTS, changerOf()))
    expect(state.record).toMatchObject({ status: 1, holdUntilMs: null, holdComment: null })
    expect(logs).toMatchObject([{ what: 'status', was: { holdUntilMs: LATER, holdComment: 'holiday' } }])
  })

  test('may get another end, and never none', () => {
    expect(done(change(8, { holdUntilMs: LATER * 2 })).state.record.holdUntilMs).toBe(LATER * 2)
    expect(change(8, { holdUntilMs: null })).toMatchObject({ ok: false, about: 'holdUntilMs' })
    // A client may send an expired hold back as it read it within the minute.
    const late = changerOf({ nowMs: LATER + 1 })
    expect(done(change(8, { holdUntilMs: LATER, title: 'New' }, late)).state.record.title).toBe('New')
  })

  test('exists in no other status', () => {
    expect(change(1, { holdUntilMs: LATER })).toMatchObject({ ok: false, about: 'holdUntilMs' })
    expect(change(1, { holdComment: 'why' })).toMatchObject({ ok: false, about: 'holdComment' })
    expect(done(change(1, { holdUntilMs: null })).logs).toEqual([])
  })
})

describe('other fields', () => {
  test('keep their value if absent, and are cleared by null, with a log of each', () => {
    const caseChange = { title: 'New', category: 2, team: 4, deadlineAtMs: LATER, priority: 2 } as CaseChange
    const { state, logs } = done(change(1, caseChange))
    expect(state.record).toMatchObject(caseChange)
    expect(logs.map(({ what }) => what)).toEqual(['title', 'category', 'priority', 'team', 'deadline'])
    expect(logs[0]).toMatchObject({ was: 'Rent', becomes: 'New', by: 7, why: null })
    const cleared = { category: null, team: null, deadlineAtMs: null, priority: null }
    const after = done(changeCase(state, cleared, LISTS, changerOf())).state.record
    expect(after).toMatchObject({ title: 'New', category: null, team: null, deadlineAtMs: null, priority: 1 })
  })

  test('refer to no inactive entry', () => {
    for (const id of [3, 404]) {
      expect(change(1, { category: id } as CaseChange)).toMatchObject({ ok: false, about: 'category' })
      expect(change(1, { priority: id } as CaseChange)).toMatchObject({ ok: false, about: 'priority' })
    }
  })

  test('with the same value are no change: same version, same instant', () => {
    const { state, logs } = done(change(1, { title: 'Rent', status: 1, priority: null, tags: [] }))
    expect([state, logs]).toEqual([stateOf({ status: 1 }), []])
  })

  test('have increasing instants, also if the clock is set back', () => {
    const early = changerOf({ nowMs: 5 })
    expect(done(change(1, { title: 'New' }, early)).state.record.updatedAtMs).toBe(NOON + 1)
  })

  test('tags and values keep their order, without duplicates', () => {
    const values = [
      { field: 6, value: 'b' },
      { field: 5, value: 'a' },
    ] as never
    const { state, logs } = done(change(1, { tags: ['vip', 'rent', 'vip'], values }))
    expect(state.tags).toEqual(['rent', 'vip'])
    expect(state.values).toEqual([
      { field: 5, value: 'a' },
      { field: 6, value: 'b' },
    ])
    expect(logs.map(({ what }) => what)).toEqual(['tags', 'values'])
    const less = done(changeCase(state, { values: [{ field: 5, value: null }] as never }, LISTS, changerOf())).state
    expect([less.tags, less.values]).toEqual([['rent', 'vip'], [{ field: 6, value: 'b' }]])
    const none = done(changeCase(less, { tags: null, values: null }, LISTS, changerOf())).state
    expect([none.tags, none.values]).toEqual([[], []])
  })
})

test('every custom status of a corporation behaves as its status does', () => {
  for (const { id, status, active } of CUSTOMS) {
    if (!active || status === 5) continue
    const input = { custom: id, ...(status === 8 && { holdUntilMs: LATER }) }
    expect(done(change(1, input)).state.record.status).toBe(customOf(id).status)
  }
  expect(STATUSES).toHaveLength(8)
})
