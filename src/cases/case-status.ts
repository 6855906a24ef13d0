/** The eight statuses of a case: automatic changes, and the changes users may make (contract.md §3.1, D-21). */
import { CASE_STATUS, type CaseStatus } from '../ports/cases.ts'

interface StatusRule {
  readonly name: string
  /** On an incoming communication. `forwards`: it goes to the case that this one was merged into. */
  readonly onIncoming: 'stays' | 'reopens' | 'forwards'
  readonly onTime: 'stays' | 'reopens'
  readonly byHand: readonly CaseStatus[]
  readonly byAdmin: readonly CaseStatus[]
}

const { open, closed, awaitingExternal, deleted, merged, spam, awaitingInternal, onHold } = CASE_STATUS

const FREE: readonly CaseStatus[] = [open, closed, awaitingExternal, deleted, spam, awaitingInternal, onHold]
const stays = { onIncoming: 'stays', onTime: 'stays', byHand: FREE, byAdmin: [] } as const

/** The whole table. A merge and its undoing are separate, because they change two cases. */
export const STATUS_RULES: Readonly<Record<CaseStatus, StatusRule>> = {
  [open]: { ...stays, name: 'Open' },
  [closed]: { ...stays, name: 'Closed', onIncoming: 'reopens' },
  [awaitingExternal]: { ...stays, name: 'Awaiting external action', onIncoming: 'reopens' },
  [deleted]: { ...stays, name: 'Deleted', byHand: [], byAdmin: [open, closed] },
  [merged]: { ...stays, name: 'Merged', onIncoming: 'forwards', byHand: [] },
  [spam]: { ...stays, name: 'Spam' },
  [awaitingInternal]: { ...stays, name: 'Awaiting internal action' },
  // Only time reopens it, as the contract states nothing else.
  [onHold]: { ...stays, name: 'On hold', onTime: 'reopens' },
}

/** Whether a user may change a case from one status to another. */
export function checkMove(from: CaseStatus, to: CaseStatus, isAdmin: boolean): 'allowed' | 'admin only' | 'never' {
  const { byHand, byAdmin } = STATUS_RULES[from]
  if (from === to || byHand.includes(to)) return 'allowed'
  if (!byAdmin.includes(to)) return 'never'
  return isAdmin ? 'allowed' : 'admin only'
}
