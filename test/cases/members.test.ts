/** Membership in a case over time (contract.md §2.6). */
import { describe, expect, test } from 'vitest'
import { changeCase } from '../../src/cases/change-case.ts'
import type { CaseChange, MemberRole } from '../../src/ports/cases.ts'
import { changerOf, done, LISTS, NOON, stateOf } from './case-samples.ts'

const part = (role: MemberRole, id: number | null, isActive = true) =>
  ({ role, user: role === 20 ? null : id, extension: role === 20 ? id : null, isActive }) as never
const change = (state = stateOf(), ...members: never[]) => changeCase(state, { members }, LISTS, changerOf())
const FIRST = NOON + 1_000

describe('the assigned user', () => {
  test('begins, and ends when the next one begins: one at a time, one log each', () => {
    const first = done(change(stateOf(), part(1, 7)))
    const { state, logs } = done(change(first.state, part(1, 8)))
    expect(state.members).toEqual([
      { role: 1, user: 7, extension: null, startedAtMs: FIRST, endedAtMs: FIRST + 1 },
      { role: 1, user: 8, extension: null, startedAtMs: FIRST + 1, endedAtMs: null },
    ])
    expect([...first.logs, ...logs]).toMatchObject([
      { what: 'assigned user', was: null, becomes: 7 },
      { what: 'assigned user', was: 7, becomes: 8 },
    ])
    expect(done(change(state, part(1, 8))).logs).toEqual([])
    const nobody = done(change(state, part(1, null)))
    expect(nobody.logs).toMatchObject([{ what: 'assigned user', was: 8, becomes: null }])
  })

  test('is single: two at once are refused', () => {
    expect(change(stateOf(), part(1, 7), part(1, 8))).toMatchObject({ ok: false, why: 'invalid', about: 'members' })
    expect(done(change(stateOf(), part(1, 7), part(1, 7))).state.members).toHaveLength(1)
  })
})

test('followers are several, and each ends separately', () => {
  const { state } = done(change(stateOf(), part(2, 7), part(2, 8), part(2, 9)))
  const after = done(change(state, part(2, 8, false), part(2, 404, false))).state
  expect(after.members.filter(({ endedAtMs }) => endedAtMs === null).map(({ user }) => user)).toEqual([7, 9])
  const again = done(change(after, part(2, 8))).state
  expect(again.members.filter(({ user }) => user === 8)).toHaveLength(2)
})

describe('the contact', () => {
  const active = (state: { members: readonly { role: number; extension: unknown; endedAtMs: unknown }[] }) =>
    state.members.filter(({ role, endedAtMs }) => role === 20 && endedAtMs === null).map(({ extension }) => extension)

  test('is the owner of the case, by either name', () => {
    const named = done(changeCase(stateOf(), { extension: 5 } as CaseChange, LISTS, changerOf())).state
    expect([named.record.extension, active(named)]).toEqual([5, [5]])
    const next = done(change(named, part(20, 6))).state
    expect([next.record.extension, active(next)]).toEqual([6, [6]])
    expect(next.members).toHaveLength(2)
    const none = done(changeCase(next, { extension: null }, LISTS, changerOf())).state
    expect([none.record.extension, active(none)]).toEqual([null, []])
  })

  test('cannot be two contacts by two names', () => {
    const both = { extension: 5, members: [part(20, 6)] } as unknown as CaseChange
    expect(changeCase(stateOf(), both, LISTS, changerOf())).toMatchObject({ ok: false, about: 'members' })
  })
})

test('null ends every membership', () => {
  const { state } = done(change(stateOf(), part(1, 7), part(2, 8), part(2, 9), part(20, 5)))
  const none = done(changeCase(state, { members: null }, LISTS, changerOf())).state
  expect(none.members.filter(({ endedAtMs }) => endedAtMs === null)).toEqual([])
  expect(none.record.extension).toBeNull()
})
