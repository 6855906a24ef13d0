/** The automatic transitions of the eight statuses (contract.md §3.1). */
import { describe, expect, test } from 'vitest'
import { endHold, takeUpdate } from '../../src/cases/case-updates.ts'
import type { CustomStatusId } from '../../src/kernel/ids.ts'
import { CASE_STATUS } from '../../src/ports/cases.ts'
import { CUSTOMS, caseOf, NOON, STATUSES } from './case-samples.ts'

const incoming = { isExternal: true, atMs: NOON + 1_000 }
const ours = { ...incoming, isExternal: false }
const LATER = NOON + 60_000

describe('an activity from outside', () => {
  test.each([CASE_STATUS.closed, CASE_STATUS.awaitingExternal])(
    'reopens a case of status %i into its last open custom status, with one log',
    (status) => {
      const { record, logs } = takeUpdate(caseOf({ status }), incoming, CUSTOMS)
      expect(record).toMatchObject({ status: 1, custom: 11, customChangedAtMs: NOON + 1_000, version: 2 })
      expect(record).toMatchObject({ externalUpdatedAtMs: NOON + 1_000, updatedAtMs: NOON + 1_000 })
      const change = { was: { status, custom: status }, becomes: { status: 1, custom: 11 } }
      expect(logs).toEqual([{ what: 'status', ...change, why: 'incoming update', by: null, atMs: NOON + 1_000 }])
    },
  )

  test.each([1, 4, 6, 7, 8] as const)('leaves a case of status %i unchanged', (status) => {
    const before = caseOf({ status })
    const { record, logs } = takeUpdate(before, incoming, CUSTOMS)
    expect(record).toEqual({ ...before, externalUpdatedAtMs: NOON + 1_000 })
    expect(logs).toEqual([])
  })

  test('reopens into the default open status if the last one is inactive', () => {
    for (const lastOpen of [19, 404] as CustomStatusId[]) {
      const before = caseOf({ status: CASE_STATUS.closed, lastOpen })
      expect(takeUpdate(before, incoming, CUSTOMS).record).toMatchObject({ status: 1, custom: 1, lastOpen: 1 })
    }
  })

  test('never moves a time back if it is recorded late', () => {
    const before = caseOf({ externalUpdatedAtMs: LATER, internalUpdatedAtMs: LATER })
    expect(takeUpdate(before, incoming, CUSTOMS).record.externalUpdatedAtMs).toBe(LATER)
    expect(takeUpdate(before, ours, CUSTOMS).record.internalUpdatedAtMs).toBe(LATER)
  })
})

test('an activity of ours reopens nothing and has a date of its own', () => {
  for (const status of STATUSES) {
    const before = caseOf({ status })
    const { record, logs } = takeUpdate(before, ours, CUSTOMS)
    expect(record).toEqual({ ...before, internalUpdatedAtMs: NOON + 1_000 })
    expect(logs).toEqual([])
  }
})

describe('time', () => {
  test('ends an expired hold, with one log that keeps time and comment', () => {
    const held = caseOf({ status: CASE_STATUS.onHold, holdUntilMs: LATER, holdComment: 'holiday' })
    expect(endHold(held, CUSTOMS, LATER - 1)).toEqual({ record: held, logs: [] })
    const { record, logs } = endHold(held, CUSTOMS, LATER)
    expect(record).toMatchObject({ status: 1, custom: 11, holdUntilMs: null, holdComment: null, version: 2 })
    expect(logs).toMatchObject([
      { what: 'status', was: { status: 8, holdUntilMs: LATER, holdComment: 'holiday' }, becomes: { status: 1 } },
    ])
    expect(endHold(record, CUSTOMS, LATER + 1)).toEqual({ record, logs: [] })
  })

  test('changes no other status', () => {
    for (const status of STATUSES.filter((status) => status !== CASE_STATUS.onHold)) {
      const before = caseOf({ status, holdUntilMs: 0 })
      expect(endHold(before, CUSTOMS, LATER)).toEqual({ record: before, logs: [] })
    }
  })
})
