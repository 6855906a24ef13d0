/** Merging cases and undoing a merge (D-21). */
import { describe, expect, test } from 'vitest'
import type { CaseState } from '../../src/cases/case-state.ts'
import { changeCase } from '../../src/cases/change-case.ts'
import { mergeCases, UNMERGE_DAYS_MAX, unmergeCases } from '../../src/cases/merge.ts'
import type { ActivityId, CustomStatusId } from '../../src/kernel/ids.ts'
import type { CaseChange, CaseRecord } from '../../src/ports/cases.ts'
import { changerOf, done, LISTS, NOON, STATUSES, stateOf } from './case-samples.ts'

const DAY_MS = 24 * 3_600_000
const source = (change: Partial<CaseRecord> = {}) => stateOf(change)
const target = (change: Partial<CaseRecord> = {}) => stateOf({ id: 2 as ActivityId, ...change })
const merge = (from: CaseState, into: CaseState, by = changerOf()) => mergeCases(from, into, LISTS, by)
const MERGED = { into: 2 as ActivityId, atMs: NOON, custom: 12 as CustomStatusId }
const apart = (from: CaseState, by = changerOf({ isAdmin: true })) => unmergeCases(from, target(), LISTS, by)

describe('a merge', () => {
  test('makes the source merged and changes the target, with a log of each', () => {
    const from = source({ status: 2, custom: 12 as CustomStatusId })
    const merged = done(merge(from, target()))
    expect(merged.source.state.record).toMatchObject({ status: 5, custom: 5, version: 2 })
    expect(merged.source.state.record.merged).toEqual({ into: 2, atMs: NOON + 1_000, custom: 12 })
    expect(merged.source.logs.map(({ what }) => what)).toEqual(['status', 'merged into'])
    expect(merged.target.state.record).toMatchObject({ status: 1, version: 2, updatedAtMs: NOON + 1_000 })
    expect(merged.target.logs).toMatchObject([{ what: 'merged from', becomes: 1, by: 7 }])
  })

  test('joins the followers, and keeps assigned user and contact', () => {
    const with_ = (state: CaseState, users: readonly number[]) => {
      const members = users.map((user, place) => ({ role: place === 0 ? 1 : 2, user, extension: null, isActive: true }))
      return done(changeCase(state, { members } as unknown as CaseChange, LISTS, changerOf())).state
    }
    const { members } = done(merge(with_(source(), [1, 3, 4]), with_(target(), [2, 4]))).target.state
    expect(members.map(({ role, user }) => [role, user])).toEqual([
      [1, 2],
      [2, 4],
      [2, 3],
    ])
  })

  test('ends a hold', () => {
    const { record } = done(merge(source({ status: 8 }), target())).source.state
    expect(record).toMatchObject({ status: 5, holdUntilMs: null })
  })

  test('is possible from every status but deleted and merged', () => {
    for (const status of STATUSES) {
      const from = source({ status, merged: status === 5 ? MERGED : null })
      const isPossible = status !== 4 && status !== 5
      expect(merge(from, target()).ok).toBe(isPossible)
      if (!isPossible) expect(merge(from, target())).toMatchObject({ why: 'conflict', about: 'mergedInto' })
    }
  })

  test('into a deleted case, or in a circle, is refused', () => {
    expect(merge(source(), target({ status: 4 }))).toMatchObject({ ok: false, why: 'conflict' })
    expect(merge(source(), source())).toMatchObject({ ok: false, why: 'invalid', about: 'mergedInto' })
  })
})

describe('a merge that is undone', () => {
  const merged = (change: Partial<CaseRecord> = {}) => source({ status: 5, merged: MERGED, ...change })

  test('restores the former status, with a log in both cases', () => {
    const undone = done(apart(merged()))
    expect(undone.source.state.record).toMatchObject({ status: 2, custom: 12, merged: null, version: 2 })
    expect(undone.source.logs.map(({ what }) => what)).toEqual(['status', 'merged into'])
    expect(undone.target.logs).toMatchObject([{ what: 'taken apart', was: 1 }])
  })

  test('opens a case that was on hold, or whose former status is inactive', () => {
    for (const custom of [8, 19] as CustomStatusId[]) {
      expect(done(apart(merged({ merged: { ...MERGED, custom } }))).source.state.record).toMatchObject({ custom: 11 })
    }
  })

  test('is for administrators, within thirty days', () => {
    expect(apart(merged(), changerOf())).toMatchObject({ ok: false, why: 'forbidden' })
    const last = NOON + UNMERGE_DAYS_MAX * DAY_MS
    expect(apart(merged(), changerOf({ isAdmin: true, nowMs: last })).ok).toBe(true)
    expect(apart(merged(), changerOf({ isAdmin: true, nowMs: last + 1 }))).toMatchObject({ ok: false, why: 'conflict' })
    expect(apart(source())).toMatchObject({ ok: false, why: 'invalid' })
  })
})
