/** The eight statuses of a case: what each does by itself, and which moves people may make (contract.md §3.1, D-21). */
import { CASE_STATUS, type CaseStatus } from '../ports/cases.ts'

/** What happens to a case in one status. */
interface StatusRule {
  readonly name: string
  /** When something arrives from outside. `forwards`: it belongs to the case that this one was merged into. */
  readonly onIncoming: 'stays' | 'reopens' | 'forwards'
  /** When the time until which it is held has passed. */
  readonly onTime: 'stays' | 'reopens'
  readonly byHand: readonly CaseStatus[]
  /** Beside those. */
  readonly byAdmin: readonly CaseStatus[]
}

const { open, closed, awaitingExternal, deleted, merged, spam, awaitingInternal, onHold } = CASE_STATUS

/** Every status that is neither left by an administrator alone nor entered by a merge. */
const FREE: readonly CaseStatus[] = [open, closed, awaitingExternal, deleted, spam, awaitingInternal, onHold]
const stays = { onIncoming: 'stays', onTime: 'stays', byHand: FREE, byAdmin: [] } as const

/** The whole of it. A merge, and its undoing, are no moves of this table: they change two cases. */
export const STATUS_RULES: Readonly<Record<CaseStatus, StatusRule>> = {
  [open]: { ...stays, name: 'Open' },
  [closed]: { ...stays, name: 'Closed', onIncoming: 'reopens' },
  [awaitingExternal]: { ...stays, name: 'Awaiting external action', onIncoming: 'reopens' },
  [deleted]: { ...stays, name: 'Deleted', byHand: [], byAdmin: [open, closed] },
  [merged]: { ...stays, name: 'Merged', onIncoming: 'forwards', byHand: [] },
  [spam]: { ...stays, name: 'Spam' },
  [awaitingInternal]: { ...stays, name: 'Awaiting internal action' },
  // By time alone, also when something arrives: the contract states nothing else.
  [onHold]: { ...stays, name: 'On hold', onTime: 'reopens' },
}

/** Whether a person may move a case from one status to another. */
export function judgeMove(from: CaseStatus, to: CaseStatus, isAdmin: boolean): 'allowed' | 'admin only' | 'never' {
  const { byHand, byAdmin } = STATUS_RULES[from]
  if (from === to || byHand.includes(to)) return 'allowed'
  if (!byAdmin.includes(to)) return 'never'
  return isAdmin ? 'allowed' : 'admin only'
}
