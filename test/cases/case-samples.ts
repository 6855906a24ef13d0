/** A case and the lists of a corporation. */
import type { CaseLists, CaseState, Changer } from '../../src/cases/case-state.ts'
import type { ActivityId, CategoryId, CorporationId, CustomStatusId, PriorityId, UserId } from '../../src/kernel/ids.ts'
import { CASE_STATUS, type CaseRecord, type CaseStatus, type CustomStatus } from '../../src/ports/cases.ts'

export const STATUSES = Object.values(CASE_STATUS)
export const NOON = Date.UTC(2026, 0, 2, 12)

const custom = (id: number, status: CaseStatus, more: Partial<CustomStatus> = {}): CustomStatus => ({
  id: id as CustomStatusId,
  name: `custom ${id}`,
  status,
  isDefault: false,
  active: true,
  color: null,
  sortOrder: 0,
  ...more,
})

/** The defaults are 1 to 8; a second open one is 11, a second closed one 12, and 19 is open but inactive. */
export const CUSTOMS: readonly CustomStatus[] = [
  ...STATUSES.map((status) => custom(status, status, { isDefault: true })),
  ...[custom(11, 1), custom(12, 2), custom(19, 1, { active: false })],
]

/** The custom status of an id. */
export const customOf = (id: number) => CUSTOMS.find((custom) => custom.id === id) as CustomStatus

/** A case that is open since noon. */
export function caseOf(change: Partial<CaseRecord> = {}): CaseRecord {
  const status = change.status ?? CASE_STATUS.open
  const lastOpen = (status === CASE_STATUS.open ? (change.custom ?? status) : 11) as CustomStatusId
  return {
    id: 1 as ActivityId,
    corporation: 1 as CorporationId,
    title: 'Rent',
    extension: null,
    category: null,
    priority: 1 as PriorityId,
    team: null,
    deadlineAtMs: null,
    status,
    custom: Number(status) as CustomStatusId,
    customChangedAtMs: NOON,
    lastOpen,
    merged: null,
    holdUntilMs: status === CASE_STATUS.onHold ? NOON + 60_000 : null,
    holdComment: null,
    internalUpdatedAtMs: null,
    externalUpdatedAtMs: null,
    updatedAtMs: NOON,
    version: 1,
    ...change,
  }
}

/** The priorities 1 (the default) and 2; 3 is inactive. The same holds for the categories. */
export const LISTS: CaseLists = {
  customs: CUSTOMS,
  priorities: [1, 2, 3].map((id) => ({
    id: id as PriorityId,
    name: `priority ${id}`,
    level: id,
    isDefault: id === 1,
    active: id !== 3,
    color: null,
    sortOrder: id,
  })),
  categories: [1, 2, 3].map((id) => ({
    id: id as CategoryId,
    name: `category ${id}`,
    parent: null,
    active: id !== 3,
    sortOrder: id,
  })),
}

/** A case without members. */
export function stateOf(change: Partial<CaseRecord> = {}): CaseState {
  return { record: caseOf(change), members: [], tags: [], values: [] }
}

/** A user who changes a case a second after noon. */
export function changerOf(change: Partial<Changer> = {}): Changer {
  return { by: 7 as UserId, isAdmin: false, nowMs: NOON + 1_000, ...change }
}

/** The result of a change that must be possible. */
export function done<T extends { readonly ok: boolean }>(judged: T): T & { readonly ok: true } {
  if (!judged.ok) throw new Error(JSON.stringify(judged))
  return judged as T & { readonly ok: true }
}
