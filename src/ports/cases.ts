/** Cases (tickets): their parts and their changes (contract.md §2.7, §3.1). */
import type { AtMs } from '../kernel/clock.ts'
import type {
  ActivityId,
  CategoryId,
  CorporationId,
  CustomStatusId,
  ExtensionId,
  InfoFieldId,
  PriorityId,
  TeamId,
  UserId,
} from '../kernel/ids.ts'

/** What a case does on its own, by the numbers of contract.md §3.1. */
export const CASE_STATUS = {
  open: 1,
  closed: 2,
  awaitingExternal: 3,
  deleted: 4,
  merged: 5,
  spam: 6,
  awaitingInternal: 7,
  onHold: 8,
} as const
export type CaseStatus = (typeof CASE_STATUS)[keyof typeof CASE_STATUS]

interface Entry<Id> {
  readonly id: Id
  readonly name: string
  readonly active: boolean
  /** Small numbers first. */
  readonly sortOrder: number
}

/** A corporation's own status. Of those with one `status`, exactly one is the default, and that one is active. */
export interface CustomStatus extends Entry<CustomStatusId> {
  readonly status: CaseStatus
  readonly isDefault: boolean
  readonly color: string | null
}

/** Exactly one priority is the default. */
export interface Priority extends Entry<PriorityId> {
  /** Grows with importance. */
  readonly level: number
  readonly isDefault: boolean
  readonly color: string | null
}

/** What cases are about; categories may have parts. */
export interface Category extends Entry<CategoryId> {
  readonly parent: CategoryId | null
}

/** Who takes part in a case, by the numbers of contract.md §2.6. Of assigned users and contacts one is active. */
export const MEMBER_ROLE = { assignedUser: 1, follower: 2, contact: 20 } as const
export type MemberRole = (typeof MEMBER_ROLE)[keyof typeof MEMBER_ROLE]

/** A member of a case: a user, or an extension of a contact. Active until it ends. */
export interface Member {
  readonly role: MemberRole
  readonly user: UserId | null
  readonly extension: ExtensionId | null
  readonly startedAtMs: AtMs
  readonly endedAtMs: AtMs | null
}

/** The case that a merged case went into, and its status before: the merge can be undone. */
interface Merged {
  readonly into: ActivityId
  readonly atMs: AtMs
  readonly custom: CustomStatusId
}

/** What of a case is its own: all but texts, files, links and people. */
export interface CaseRecord {
  readonly id: ActivityId
  readonly corporation: CorporationId
  readonly title: string
  readonly extension: ExtensionId | null
  readonly category: CategoryId | null
  readonly priority: PriorityId
  readonly team: TeamId | null
  readonly deadlineAtMs: AtMs | null
  /** Always that of `custom` (INV-C1). */
  readonly status: CaseStatus
  readonly custom: CustomStatusId
  readonly customChangedAtMs: AtMs
  /** The newest with which it was open. */
  readonly lastOpen: CustomStatusId
  readonly holdUntilMs: AtMs | null
  readonly holdComment: string | null
  readonly merged: Merged | null
  /** The last communication from inside, and from outside. */
  readonly internalUpdatedAtMs: AtMs | null
  readonly externalUpdatedAtMs: AtMs | null
  /** Grows with every change of the case itself; what is linked to it does not count. */
  readonly updatedAtMs: AtMs
  readonly version: number
}

/** What was changed, and from what to what; `by` is null for automatic changes. */
export interface CaseLog {
  readonly what: string
  readonly was: unknown
  readonly becomes: unknown
  readonly why: string | null
  readonly by: UserId | null
  readonly atMs: AtMs
}

/** A part in a case that begins or, if not active, ends; without a person, it ends all parts of that role. */
export type MemberChange = Pick<Member, 'role' | 'user' | 'extension'> & { readonly isActive: boolean }

/** A property of a case, in one of the corporation's fields. */
export interface CaseValue {
  readonly field: InfoFieldId
  readonly value: string
}

/** A change of a case. Absent stays as it is, null clears (D-05); a cleared priority is the default one. */
export interface CaseChange {
  readonly title?: string
  /** Both given and different: the default custom status of `status` (contract.md §3.1, rule 3). */
  readonly status?: CaseStatus
  readonly custom?: CustomStatusId
  readonly extension?: ExtensionId | null
  readonly category?: CategoryId | null
  readonly priority?: PriorityId | null
  readonly team?: TeamId | null
  readonly deadlineAtMs?: AtMs | null
  readonly holdUntilMs?: AtMs | null
  readonly holdComment?: string | null
  /** Parts that begin and end; the others go on. */
  readonly members?: readonly MemberChange[] | null
  /** All of them. */
  readonly tags?: readonly string[] | null
  /** Those alone; null takes one away. */
  readonly values?: readonly { readonly field: InfoFieldId; readonly value: string | null }[] | null
  /** Where it is merged into; null takes it apart again. */
  readonly mergedInto?: ActivityId | null
}
