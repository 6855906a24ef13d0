import type { ActivityId, CorporationId } from '../kernel/ids.ts'
import { CASE_STATUS, type CaseChange, type CaseRecord } from '../ports/cases.ts'
import { logOf } from './case-change.ts'
import type { CaseChangeResult, CaseLists, Changer } from './case-state.ts'
import { changeCase, defaultPriority } from './change-case.ts'
import { defaultOf } from './custom-status.ts'

export type NewCase = CaseChange & {
  readonly id: ActivityId
  readonly corporation: CorporationId
  readonly title: string
}

/** Creates a case: an open case with defaults, changed at the same instant as requested. */
export function createCase(
  { id, corporation, ...request }: NewCase,
  lists: CaseLists,
  changer: Changer,
): CaseChangeResult {
  const { nowMs } = changer
  const { id: open } = defaultOf(CASE_STATUS.open, lists.customs)
  const blank: CaseRecord = {
    id,
    corporation,
    title: request.title,
    extension: null,
    category: null,
    priority: defaultPriority(lists),
    team: null,
    deadlineAtMs: null,
    status: CASE_STATUS.open,
    custom: open,
    customChangedAtMs: nowMs,
    lastOpen: open,
    holdUntilMs: null,
    holdComment: null,
    merged: null,
    internalUpdatedAtMs: null,
    externalUpdatedAtMs: null,
    updatedAtMs: nowMs - 1,
    version: 0,
  }
  const changed = changeCase({ record: blank, members: [], tags: [], values: [] }, request, lists, changer)
  if (!changed.ok) return changed
  const record: CaseRecord = { ...changed.state.record, updatedAtMs: nowMs, version: 1 }
  const { status, custom } = record
  // Initial values are not logged as changes; new members are.
  const people = changed.logs.filter(({ what }) => ['assigned user', 'follower', 'contact'].includes(what))
  const logs = [logOf('created', null, { status, custom }, changer, nowMs), ...people]
  return { ok: true, state: { ...changed.state, record }, logs }
}
