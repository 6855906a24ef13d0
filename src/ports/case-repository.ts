/** Cases as users and systems work with them (contract.md §4.5). */
import type { AtMs } from '../kernel/clock.ts'
import type {
  ActivityId,
  CategoryId,
  CorporationId,
  CustomStatusId,
  ExtensionId,
  PriorityId,
  TeamId,
  UserId,
} from '../kernel/ids.ts'
import type {
  CaseChange,
  CaseLog,
  CaseRecord,
  CaseStatus,
  CaseValue,
  Category,
  CustomStatus,
  Member,
  Priority,
} from './cases.ts'

/** Maximum lengths of texts (D-22, D-30). */
export const CASE_LETTERS = { title: 1_000, text: 65_536, value: 1_000, tag: 100, name: 100 } as const

export interface CaseUser {
  readonly id: UserId
  readonly userName: string
  readonly name: string
}

export interface CaseText {
  readonly id: number
  readonly case: ActivityId
  /** Made safe; what was written is kept beside it and never shown. */
  readonly text: string
  readonly isInternal: boolean
  readonly isExternalUpdate: boolean
  readonly creator: CaseUser | null
  readonly createdAtMs: AtMs
}

/** From one activity to another: 14 to its case, 16 from a part of a case to the whole. */
export interface CaseLink {
  readonly type: number
  readonly from: ActivityId
  readonly to: ActivityId
}

export interface CaseFile {
  readonly id: number
  readonly kind: number
  readonly fileName: string
  readonly mimeType: string
  readonly sizeBytes: number
  readonly createdAtMs: AtMs
}

export interface Case {
  readonly record: CaseRecord
  /** Its number: by one for each case of the corporation. */
  readonly number: number
  readonly createdAtMs: AtMs
  readonly creator: CaseUser | null
  readonly custom: CustomStatus
  readonly lastOpen: CustomStatus
  readonly priority: Priority
  readonly category: Category | null
  readonly team: { readonly id: TeamId; readonly name: string } | null
  readonly members: readonly (Member & { readonly who: CaseUser | null })[]
  readonly links: readonly CaseLink[]
  readonly texts: readonly CaseText[]
  readonly logs: readonly (Omit<CaseLog, 'by'> & { readonly by: CaseUser | null })[]
  readonly tags: readonly { readonly id: number; readonly name: string }[]
  readonly files: readonly CaseFile[]
  readonly values: readonly (CaseValue & { readonly name: string })[]
}

export interface CaseHand {
  readonly corporations: readonly CorporationId[]
  /** Null: a system without a user. */
  readonly by: UserId | null
  readonly isAdmin: boolean
  readonly atMs: AtMs
}

export type CaseToCreate = CaseChange & { readonly corporation: CorporationId; readonly title: string }

/** A state of a case. */
export interface CaseTag {
  readonly case: ActivityId
  readonly version: number
}

/**
 * A case to be changed; `seen`: what it was when it was read, where that must still be so. Of `tags` one must be the
 * state of the case that the change goes to: for a merged case, of the one that it was merged into.
 */
export interface CaseToChange {
  readonly id: ActivityId
  readonly change: CaseChange
  readonly seen: { readonly tags?: readonly CaseTag[]; readonly updatedAtMs?: AtMs }
}

/** A request that was refused: nothing was changed. */
export type CaseRefused =
  | { readonly outcome: 'no such case' | 'no such corporation' }
  /** The case was changed since. */
  | { readonly outcome: 'stale' }
  | {
      readonly outcome: 'refused'
      readonly why: 'invalid' | 'conflict' | 'forbidden'
      readonly about: keyof CaseChange
      readonly message: string
    }

/** The result. The case may differ from the one named: a merged case stands for the one it was merged into. */
export type CaseSaved = { readonly outcome: 'saved'; readonly case: Case } | CaseRefused

interface TextToAdd {
  readonly case: ActivityId
  readonly text: string
  /** As it was written. */
  readonly original: string
  readonly isInternal: boolean
  /** It was written outside: it reopens the case as an email does. */
  readonly isExternalUpdate: boolean
}

type TextAdded =
  | { readonly outcome: 'added'; readonly text: CaseText }
  | { readonly outcome: 'no such case' | 'deleted' }

/** The lists of a case that grow without end. */
export type LongList = 'texts' | 'logs'
/** An entry of a list, and its place in it. */
export interface CaseEntry<List extends LongList> {
  readonly id: number
  readonly entry: Case[List][number]
}
/** A case of a page; the bytes of its lists, about. */
export interface FoundCase {
  readonly id: ActivityId
  readonly bytes: Readonly<Record<LongList, number>>
}

/** Which cases: of a list any, of all criteria every one. The newest first. */
export interface CaseSearch {
  readonly corporations: readonly CorporationId[]
  readonly ids?: readonly ActivityId[]
  readonly numbers?: readonly number[]
  readonly statuses?: readonly CaseStatus[]
  readonly customs?: readonly CustomStatusId[]
  readonly teams?: readonly TeamId[]
  readonly extensions?: readonly ExtensionId[]
  readonly assigned?: readonly UserId[]
  readonly updatedFromMs?: AtMs
  readonly updatedToMs?: AtMs
  /** Cases with a smaller id. */
  readonly below?: ActivityId
  /** A part of the title, a comment or an email; case and accents do not count. */
  readonly text?: string
  readonly offset: number
  readonly rowsMax: number
}

export type NewCategory = Omit<Category, 'id' | 'active'>
/** A custom status to be made. A new default takes the place of the one before. */
export type NewCustomStatus = Omit<CustomStatus, 'id' | 'active'>
/** A priority to be made. A new default takes the place of the one before. */
export type NewPriority = Omit<Priority, 'id' | 'active'>

/** Most entries of one list of a corporation, those that are not used any more included. */
export const LIST_ENTRIES_MAX = 1_000

export type EntryAdded<T> =
  | { readonly outcome: 'added'; readonly entry: T }
  | { readonly outcome: 'name is taken' | 'no such parent' | 'no such corporation' | 'list is full' }

/** What of an entry shall be different; what is absent stays. Of what is not active, cases keep what they have. */
export type CategoryChange = Partial<Pick<Category, 'name' | 'sortOrder' | 'active'>>
/** `isDefault`: it takes the place of the default there is. */
export type CustomStatusChange = CategoryChange & { readonly color?: string | null; readonly isDefault?: true }
/** Of a priority, the level as well. */
export type PriorityChange = CustomStatusChange & Partial<Pick<Priority, 'level'>>

/** What became of a change. `default is in use`: the default is active, always; another one must become it first. */
export type EntryChanged<T> =
  | { readonly outcome: 'changed'; readonly entry: T }
  | { readonly outcome: 'no such entry' | 'name is taken' | 'default is in use' }

/** One change of a case at a time. May reject with `DatabaseUnavailable`. Others' cases do not exist (D-04). */
export interface CaseRepository {
  /** Numbered without gaps: a case that is not made has no number. */
  createCase(request: CaseToCreate, hand: CaseHand): Promise<CaseSaved>
  /** All or nothing, merging and taking apart included. */
  changeCase(change: CaseToChange, hand: CaseHand): Promise<CaseSaved>
  /** To the case, or to what it was merged into. */
  addText(text: TextToAdd, hand: CaseHand): Promise<TextAdded>
  /** Of a page, which cases and how large they are: what they say is read in parts, however long. */
  searchCases(search: CaseSearch): Promise<{ readonly found: number; readonly cases: readonly FoundCase[] }>
  /** Those of the ids that exist, the newest first; the lists that are not asked for are empty. */
  readCases(ids: readonly ActivityId[], lists: readonly LongList[]): Promise<readonly Case[]>
  /** The entries of a case after the last one read, the oldest first, until `bytesMax` are reached; none: the end. */
  readEntries<List extends LongList>(
    list: List,
    id: ActivityId,
    after: number,
    bytesMax: number,
  ): Promise<readonly CaseEntry<List>[]>
  /** Ends holds whose time has passed, some at once; answers how many, 0: none is left. Several may ask at a time. */
  endHolds(nowMs: AtMs): Promise<number>
  categories(corporations: readonly CorporationId[], withInactive: boolean): Promise<readonly Category[]>
  customStatuses(corporations: readonly CorporationId[], withInactive: boolean): Promise<readonly CustomStatus[]>
  priorities(corporations: readonly CorporationId[], withInactive: boolean): Promise<readonly Priority[]>
  addCategory(corporation: CorporationId, entry: NewCategory): Promise<EntryAdded<Category>>
  addCustomStatus(corporation: CorporationId, entry: NewCustomStatus): Promise<EntryAdded<CustomStatus>>
  addPriority(corporation: CorporationId, entry: NewPriority): Promise<EntryAdded<Priority>>
  changeCategory(
    id: CategoryId,
    corporations: readonly CorporationId[],
    change: CategoryChange,
  ): Promise<EntryChanged<Category>>
  changeCustomStatus(
    id: CustomStatusId,
    corporations: readonly CorporationId[],
    change: CustomStatusChange,
  ): Promise<EntryChanged<CustomStatus>>
  changePriority(
    id: PriorityId,
    corporations: readonly CorporationId[],
    change: PriorityChange,
  ): Promise<EntryChanged<Priority>>
}
