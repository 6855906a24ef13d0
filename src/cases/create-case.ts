/** A case that begins (contract.md §4.5, D-21). */

import type { ActivityId, CorporationId } from '../kernel/ids.ts'
import { CASE_STATUS, type CaseChange, type CaseRecord } from '../ports/cases.ts'
import { logOf } from './case-change.ts'
import type { CaseLists, Changer, Judged } from './case-state.ts'
import { changeCase, defaultPriority } from './change-case.ts'
import { defaultOf } from './custom-status.ts'

/** What a case is from its first moment on. */
export type NewCase = CaseChange & {
  readonly id: ActivityId
  readonly corporation: CorporationId
  readonly title: string
}

/** A new case: what is not wished is the default. It is as if it had been open, and changed in the same moment. */
export function createCase({ id, corporation, ...wish }: NewCase, lists: CaseLists, changer: Changer): Judged {
  const { nowMs } = changer
  const { id: open } = defaultOf(CASE_STATUS.open, lists.customs)
  const blank: CaseRecord = {
    id,
    corporation,
    title: wish.title,
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
  const judged = changeCase({ record: blank, members: [], tags: [], values: [] }, wish, lists, changer)
  if (!judged.ok) return judged
  const record: CaseRecord = { ...judged.state.record, updatedAtMs: nowMs, version: 1 }
  const { status, custom } = record
  // What it begins with is no change; who begins to take part is.
  const people = judged.logs.filter(({ what }) => ['assigned user', 'follower', 'contact'].includes(what))
  const logs = [logOf('created', null, { status, custom }, changer, nowMs), ...people]
  return { ok: true, state: { ...judged.state, record }, logs }
}
