/** Changes by users, with their consequences (contract.md §3.1, D-21). */
import { assert } from '../kernel/assert.ts'
import type { PriorityId } from '../kernel/ids.ts'
import {
  CASE_STATUS,
  type CaseChange,
  type CaseRecord,
  type CaseValue,
  MEMBER_ROLE,
  type MemberChange,
} from '../ports/cases.ts'
import { changeAtMs, complete, type Hand, inStatus, logOf } from './case-change.ts'
import {
  type CaseChangeResult,
  type CaseLists,
  type CaseState,
  type Changer,
  type Refused,
  refused,
} from './case-state.ts'
import { checkMove, STATUS_RULES } from './case-status.ts'
import { chooseCustom } from './custom-status.ts'
import { changeMembers, contactOf } from './members.ts'

type Recorded = { readonly ok: true; readonly record: CaseRecord } | Refused

/** A change by a user: omitted fields stay, null clears. The caller has checked that users, teams and fields exist. */
export function changeCase(state: CaseState, change: CaseChange, lists: CaseLists, changer: Changer): CaseChangeResult {
  const before = state.record
  const moved = moveByHand(before, change, lists, changer)
  if (!moved.ok) return moved
  const filled = withFields(moved.record, before, change, lists)
  if (!filled.ok) return filled
  const completed = completeState(state, filled.record, change, changer)
  const isRestored = before.status === CASE_STATUS.deleted && filled.record.status !== before.status
  if (!completed.ok || completed.logs.length === 0 || isRestored) return completed
  if (before.status === CASE_STATUS.merged) {
    return refused('conflict', 'status', 'the case is merged; change the case that it was merged into')
  }
  if (before.status === CASE_STATUS.deleted) {
    return refused('conflict', 'status', 'the case is deleted; an administrator can restore it to status 1 or 2')
  }
  return completed
}

function completeState(state: CaseState, record: CaseRecord, change: CaseChange, changer: Changer): CaseChangeResult {
  const hand: Hand = changer
  const atMs = changeAtMs(state.record, changer.nowMs)
  const people = changeMembers(state.members, memberChanges(change), hand, atMs)
  if (!people.ok) return people
  const { members } = people
  const tags = change.tags === undefined ? state.tags : [...new Set(change.tags ?? [])].sort()
  const values = withValues(state.values, change.values)
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const more = [
    ...people.logs,
    ...(isSame(state.tags, tags) ? [] : [logOf('tags', state.tags, tags, hand, atMs)]),
    ...(isSame(state.values, values) ? [] : [logOf('values', state.values, values, hand, atMs)]),
  ]
  // The contact of the case is the member with the role contact: one fact, two fields.
  const changed = complete(state.record, { ...record, extension: contactOf(members) }, hand, more)
  return { ok: true, state: { record: changed.record, members, tags, values }, logs: changed.logs }
}

function moveByHand(record: CaseRecord, change: CaseChange, lists: CaseLists, changer: Changer): Recorded {
  const chosen = chooseCustom(change, record, lists.customs)
  if (!chosen) return refused('invalid', 'custom', 'the status does not exist or is no longer in use; choose another')
  const { status: to } = chosen
  if (to === CASE_STATUS.merged && record.status !== to) {
    return refused('invalid', 'mergedInto', 'status merged needs the case to merge into; give mergedInto')
  }
  const verdict = checkMove(record.status, to, changer.isAdmin)
  const name = STATUS_RULES[record.status].name
  if (verdict === 'never') {
    return refused(
      'conflict',
      'status',
      `a case of status ${record.status} (${name}) cannot be set to status ${to} by hand`,
    )
  }
  if (verdict === 'admin only') {
    return refused(
      'forbidden',
      'status',
      `from status ${record.status} (${name}) only an administrator can change the status`,
    )
  }
  return withHold(record, inStatus(record, chosen, changer.nowMs), change, changer)
}

/** A hold needs a future end; without a hold there is no end. */
function withHold(before: CaseRecord, moved: CaseRecord, change: CaseChange, { nowMs }: Changer): Recorded {
  const { holdUntilMs = moved.holdUntilMs, holdComment = moved.holdComment } = change
  if (moved.status === CASE_STATUS.onHold) {
    const isKept = before.status === CASE_STATUS.onHold && holdUntilMs === before.holdUntilMs
    if (!isKept && (holdUntilMs === null || holdUntilMs <= nowMs)) {
      return refused('invalid', 'holdUntilMs', 'the end of the hold must be in the future; give a later instant')
    }
    return { ok: true, record: { ...moved, holdUntilMs, holdComment } }
  }
  // A client that sends back the whole case with another status also sends the end of the hold.
  const isRest = before.status === CASE_STATUS.onHold
  for (const about of ['holdUntilMs', 'holdComment'] as const) {
    if (!isRest && (change[about] ?? null) !== null) {
      return refused('invalid', about, 'only a case on hold has this field; set status 8 as well')
    }
  }
  return { ok: true, record: moved }
}

/** Fields without a meaning in the status. */
function withFields(record: CaseRecord, before: CaseRecord, change: CaseChange, lists: CaseLists): Recorded {
  const { title = record.title, category = record.category, team = record.team } = change
  const { deadlineAtMs = record.deadlineAtMs } = change
  const isNew = category !== null && category !== before.category
  if (isNew && !lists.categories.some(({ id, active }) => id === category && active)) {
    return refused('invalid', 'category', 'the category does not exist or is no longer in use; choose another')
  }
  const priority = change.priority === null ? defaultPriority(lists) : (change.priority ?? record.priority)
  if (priority !== before.priority && !lists.priorities.some(({ id, active }) => id === priority && active)) {
    return refused('invalid', 'priority', 'the priority does not exist or is no longer in use; choose another')
  }
  return { ok: true, record: { ...record, title, category, team, deadlineAtMs, priority } }
}

/** The default priority of a case (contract.md §3.1, rule 5). Every corporation has one. */
export function defaultPriority({ priorities }: CaseLists): PriorityId {
  const found = priorities.find(({ isDefault }) => isDefault)
  assert(found, 'a corporation has no default priority')
  return found.id
}

/** A contact may be given as a member or as the case's contact; one request can clear all its fields. */
function memberChanges({ members, extension }: CaseChange): readonly MemberChange[] {
  const roles = Object.values(MEMBER_ROLE)
  const all = members === null ? roles.map((role) => ({ role, user: null, extension: null, isActive: false })) : members
  if (extension === undefined) return all ?? []
  return [...(all ?? []), { role: MEMBER_ROLE.contact, user: null, extension, isActive: extension !== null }]
}

function withValues(now: readonly CaseValue[], wished: CaseChange['values']): readonly CaseValue[] {
  if (!wished) return wished === null ? [] : now
  const byField = new Map([...now, ...wished].map(({ field, value }) => [field, value]))
  const kept = [...byField].flatMap(([field, value]) => (value === null ? [] : [{ field, value }]))
  return kept.sort((one, other) => one.field - other.field)
}
