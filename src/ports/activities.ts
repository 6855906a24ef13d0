/** Activities of every kind, and how they are linked (contract.md §2.6, D-17). */
import type { AtMs } from '../kernel/clock.ts'
import type { ActivityId, CorporationId, ExtensionId, UserId } from '../kernel/ids.ts'
import type { CallRecording } from './call-activity.ts'
import type { CaseFile, CaseUser } from './case-repository.ts'
import type { Member } from './cases.ts'

export type ActivityKind = 'call' | 'email' | 'case' | 'conversation'

/**
 * What a link says, by the numbers of contract.md §2.6: from an email to its conversation, from a conversation or other
 * activity to its case, from a case to the case that it is a part of (ours, D-17).
 */
export const LINK_TYPE = { emailOfConversation: 13, activityOfCase: 14, partOfCase: 16 } as const
type LinkType = (typeof LINK_TYPE)[keyof typeof LINK_TYPE]

export interface ActivityLink {
  readonly type: LinkType
  readonly from: ActivityId
  readonly to: ActivityId
}

export interface Activity {
  readonly id: ActivityId
  readonly corporation: CorporationId
  readonly kind: ActivityKind
  /** Null for a call. */
  readonly subject: string | null
  /** Of a case its status by the numbers of contract.md §3.1; null of others. */
  readonly status: number | null
  readonly direction: 'in' | 'out' | null
  readonly createdAtMs: AtMs
  readonly updatedAtMs: AtMs
  readonly startedAtMs: AtMs | null
  readonly endedAtMs: AtMs | null
  readonly creator: CaseUser | null
  readonly extension: ExtensionId | null
  /** Both from it and to it; the oldest `LINKS_MAX` of them. */
  readonly links: readonly ActivityLink[]
  readonly recordings: readonly CallRecording[]
  /** Null where they were not asked for. */
  readonly members: readonly (Member & { readonly who: CaseUser | null })[] | null
  readonly files: readonly CaseFile[] | null
  readonly tags: readonly { readonly id: number; readonly name: string }[] | null
}

/** Most links that an activity lists, a search by links finds the others; and that users give a case (cases-23). */
export const LINKS_MAX = 1_000

/** Activities that are linked to given ones. */
export interface LinkFilter {
  readonly activities: readonly ActivityId[]
  readonly types: readonly LinkType[]
  /** `far ends`: whichever end the given one stands at. `sources`: only where the link points at the given one. */
  readonly wanted: 'far ends' | 'sources'
}

/** Which activities to list: those of any of the three. */
export interface ActivitySearch {
  readonly corporations: readonly CorporationId[]
  /** Of the calls those alone that this agent sees. */
  readonly boundTo: UserId | undefined
  readonly kinds: readonly ActivityKind[]
  readonly ids: readonly ActivityId[]
  readonly extensions: readonly ExtensionId[]
  readonly links: readonly LinkFilter[]
  readonly withMembers: boolean
  readonly withFiles: boolean
  readonly withTags: boolean
  /** The window: newest first, by when they were made and then by id. */
  readonly offset: number
  readonly rowsMax: number
}

export interface LinkChange {
  /** Those in which both ends may be; they are always in one. */
  readonly corporations: readonly CorporationId[]
  /** For this agent a call exists only if they see it. */
  readonly boundTo?: UserId | undefined
  /** Otherwise no call exists for whoever asks (files-and-activities-19). */
  readonly seesCalls: boolean
  readonly type: typeof LINK_TYPE.activityOfCase | typeof LINK_TYPE.partOfCase
  readonly from: ActivityId
  /** A case; a merged one stands for what it was merged into. */
  readonly to: ActivityId
  readonly by: UserId | null
  readonly atMs: AtMs
}

/** The result. `circle`: the case that it would be a part of is a part of it. */
export type LinkSet =
  | { readonly outcome: 'linked'; readonly to: ActivityId }
  | { readonly outcome: 'no such activity' | 'no such case' | 'wrong kind' | 'circle' }
  | { readonly outcome: 'case is deleted' | 'part is deleted' | 'case is full' }
  /** It is linked elsewhere, and a legal hold keeps it there; `why` names the hold. */
  | { readonly outcome: 'held'; readonly why: string }

type LinkRemoval = 'removed' | 'no such link' | { readonly heldBy: string }

export interface Activities {
  /** One window of the activities found, and the number of all. */
  search(search: ActivitySearch): Promise<{ readonly found: number; readonly activities: readonly Activity[] }>
  /** What came from outside is an incoming update of its case (D-21). */
  setLink(change: LinkChange): Promise<LinkSet>
  removeLink(change: LinkChange): Promise<LinkRemoval>
}
