/** A case and the lists of a corporation, to try rules on. */
import type { ActivityId } from '../../src/ports/attempt.ts'
import type { CorporationId } from '../../src/ports/call-task.ts'
import {
  CASE_STATUS,
  type CaseRecord,
  type CaseStatus,
  type CustomStatus,
  type CustomStatusId,
  type PriorityId,
} from '../../src/ports/cases.ts'

export const STATUSES = Object.values(CASE_STATUS)
export const NOON = Date.UTC(2026, 0, 2, 12)

const custom = (id: number, status: CaseStatus, more: Partial<CustomStatus> = {}): CustomStatus => ({
  ...{ id: id as CustomStatusId, name: `custom ${id}`, status, isDefault: false, active: true, color: null },
  ...{ sortOrder: 0 },
  ...more,
})

/** The defaults are 1 to 8; a second open one is 11, a second closed one 12, and 19 is open but not used any more. */
export const CUSTOMS: readonly CustomStatus[] = [
  ...STATUSES.map((status) => custom(status, status, { isDefault: true })),
  ...[custom(11, 1), custom(12, 2), custom(19, 1, { active: false })],
]

/** The custom status of an id. */
export const customOf = (id: number) => CUSTOMS.find((custom) => custom.id === id) as CustomStatus

/** A case that is open since noon. */
export function caseOf(change: Partial<CaseRecord> = {}): CaseRecord {
  const status = change.status ?? CASE_STATUS.open
  return {
    ...{ id: 1 as ActivityId, corporation: 1 as CorporationId, title: 'Rent', extension: null, category: null },
    ...{ priority: 1 as PriorityId, team: null, deadlineAtMs: null, status, custom: Number(status) as CustomStatusId },
    ...{ customChangedAtMs: NOON, lastOpen: 11 as CustomStatusId, merged: null },
    ...{ holdUntilMs: status === CASE_STATUS.onHold ? NOON + 60_000 : null, holdComment: null },
    ...{ internalUpdatedAtMs: null, externalUpdatedAtMs: null, updatedAtMs: NOON, version: 1 },
    ...change,
  }
}
