import { CASE_STATUS, type CaseLog, MEMBER_ROLE } from '../ports/cases.ts'
import { changeAtMs, complete, inStatus, logOf } from './case-change.ts'
import { type CaseLists, type CaseState, type Changer, type Refused, refused } from './case-state.ts'
import { defaultOf, reopened } from './custom-status.ts'
import { changeMembers, isActive } from './members.ts'

type Merge =
  | {
      readonly ok: true
      readonly source: { readonly state: CaseState; readonly logs: readonly CaseLog[] }
      readonly target: { readonly state: CaseState; readonly logs: readonly CaseLog[] }
    }
  | Refused

/** How long a merge can be undone. */
export const UNMERGE_DAYS_MAX = 30
const DAY_MS = 24 * 3_600_000

/**
 * `target` is the last case of the chain of merges from the named one. It gets the followers of the source; the store
 * moves links, texts and files. The source never changes again unless the merge is undone.
 */
export function mergeCases(source: CaseState, target: CaseState, lists: CaseLists, changer: Changer): Merge {
  const { record } = source
  if (record.status === CASE_STATUS.merged) {
    return refused('conflict', 'mergedInto', 'the case is already merged; merge the case that it was merged into')
  }
  if (target.record.id === record.id) {
    return refused('invalid', 'mergedInto', 'the target is the case itself or was merged into it; choose another case')
  }
  for (const { status } of [record, target.record]) {
    if (status !== CASE_STATUS.deleted) continue
    return refused('conflict', 'mergedInto', 'one of the cases is deleted; an administrator can restore it')
  }
  const moved = inStatus(record, defaultOf(CASE_STATUS.merged, lists.customs), changer.nowMs)
  const atMs = changeAtMs(record, changer.nowMs)
  const merged = { into: target.record.id, atMs, custom: record.custom }
  const left = complete(record, { ...moved, merged }, changer)
  const taken = takeFollowers(target, source, changer)
  if (!taken.ok) return taken
  const log = logOf('merged from', null, record.id, changer, changeAtMs(target.record, changer.nowMs))
  const grown = complete(target.record, target.record, changer, [log, ...taken.logs])
  return {
    ok: true,
    source: { state: { ...source, record: left.record }, logs: left.logs },
    target: { state: { ...target, record: grown.record, members: taken.members }, logs: grown.logs },
  }
}

/** Undoes a merge: the source gets its former status. Followers who joined stay with both cases. */
export function unmergeCases(source: CaseState, target: CaseState, lists: CaseLists, changer: Changer): Merge {
  const { record } = source
  const { merged } = record
  if (!merged) return refused('invalid', 'mergedInto', 'the case is not merged; remove the field')
  if (!changer.isAdmin) return refused('forbidden', 'mergedInto', 'only an administrator can undo a merge')
  if (target.record.status === CASE_STATUS.deleted) {
    return refused('conflict', 'mergedInto', 'the case that it was merged into is deleted; restore that case first')
  }
  if (changer.nowMs - merged.atMs > UNMERGE_DAYS_MAX * DAY_MS) {
    return refused('conflict', 'mergedInto', `a merge can be undone for ${UNMERGE_DAYS_MAX} days`)
  }
  const was = lists.customs.find(({ id }) => id === merged.custom)
  // The merge deleted the end of a hold.
  const isKept = was?.active && was.status !== CASE_STATUS.onHold
  const back = inStatus({ ...record, merged: null }, isKept ? was : reopened(record, lists.customs), changer.nowMs)
  const left = complete(record, back, changer)
  const log = logOf('taken apart', record.id, null, changer, changeAtMs(target.record, changer.nowMs))
  const shrunk = complete(target.record, target.record, changer, [log])
  return {
    ok: true,
    source: { state: { ...source, record: left.record }, logs: left.logs },
    target: { state: { ...target, record: shrunk.record }, logs: shrunk.logs },
  }
}

function takeFollowers(target: CaseState, source: CaseState, changer: Changer) {
  const followers = source.members.filter((member) => member.role === MEMBER_ROLE.follower && isActive(member))
  const joining = followers.map(({ role, user, extension }) => ({ role, user, extension, isActive: true }))
  return changeMembers(target.members, joining, changer, changeAtMs(target.record, changer.nowMs))
}
