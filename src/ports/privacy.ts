/** What people may ask about themselves, and how long what is about them is kept (F-K3, F-K4). */
import type { AtMs } from '../kernel/clock.ts'
import type { ActivityId, CorporationId, EntityId, ExtensionId, ExternalSystemId, LegalHoldId } from '../kernel/ids.ts'

/** Whom it is about, as one of these. */
export type PersonNamed =
  | { readonly by: 'extension'; readonly extension: ExtensionId }
  | { readonly by: 'contact'; readonly contact: EntityId }
  | { readonly by: 'customer'; readonly externalSystem: ExternalSystemId; readonly externalCustomer: string }
  | { readonly by: 'number'; readonly number: string }
  /** In small letters. */
  | { readonly by: 'email'; readonly address: string }

export interface DataSubject {
  readonly corporation: CorporationId
  readonly person: PersonNamed
}

/** `several`: more than one person has the number; the request must name one. */
export type NotOne = { readonly outcome: 'nobody' } | { readonly outcome: 'several' }

interface ThingCounts {
  readonly calls: number
  readonly activities: number
  readonly tasks: number
  readonly contacts: number
}

/** Everything about a person: kind, `stopLists` or `imports` → table → rows, as they are stored. */
export type PersonDocument = Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>

/** Where a part of an export ended: of each table that goes on, the key of its last row; null: none was given. */
export type ExportPlaces = Readonly<Record<string, readonly (string | number)[] | null>>

export interface ExportedPerson {
  readonly outcome: 'exported'
  /** Empty: nothing was left out for being too much. */
  readonly rest: ExportPlaces
  readonly document: PersonDocument
  /** What is kept of them beside the database. */
  readonly traces: PersonTraces
}

/** What is kept for a time of its own. */
export type RetainedKind = 'recordings' | 'transcripts' | 'tasks' | 'calls' | 'activities' | 'contacts'

/** Old rows of a kind: how many an erasure takes, how many a legal hold keeps, and how many are still in use. */
export interface DueRows {
  readonly due: number
  readonly held: number
  readonly inUse: number
  /** The first of those that it takes. */
  readonly ids: readonly number[]
}

/** Bytes on disks that belonged to rows; to be removed when the rows are committed. */
export interface LeftBytes {
  readonly recordings: readonly string[]
  readonly files: readonly string[]
}

/** What our files beside the database know a person by. */
export interface PersonTraces {
  readonly calls: readonly string[]
  /** Their numbers: where one stands, it is about them. */
  readonly words: readonly string[]
}

/** A listener that removes what an erasure leaves outside of the database. If it rejects, the erasure stops. */
interface ErasureHands {
  /** Before anything else, while all that is theirs can still be found. */
  onTraces(traces: PersonTraces): Promise<void>
  /** Of bytes, when their rows are committed. */
  onLeft(left: LeftBytes): Promise<void>
}

/** Something that must be kept: a case, a person, or with neither a whole corporation. */
export interface LegalHold {
  readonly id: LegalHoldId
  readonly corporation: CorporationId
  readonly case: ActivityId | null
  readonly isOfPerson: boolean
  /** How many activities it reaches: of a case or person, with links, sub-cases and merges; 0 of a corporation. */
  readonly activities: number
  readonly reason: string
  readonly createdAtMs: AtMs
}

export interface NewLegalHold {
  readonly corporation: CorporationId
  readonly case?: ActivityId
  readonly person?: PersonNamed
  readonly reason: string
  readonly atMs: AtMs
}

/** What of a person's erasure came. `underWay`: a call of theirs is up; they are never dialed again already. */
export type Erased =
  | NotOne
  | { readonly outcome: 'held' }
  | { readonly outcome: 'underWay' }
  | { readonly outcome: 'erased'; readonly counts: ThingCounts }

export interface Privacy {
  /** Whether this instant is over a minute ahead of the database's clock: what is erased by it may be too young. */
  isAhead(atMs: AtMs): Promise<boolean>
  /** The first part, or the one that begins at `from`, the `rest` of the part before. */
  exportPerson(
    subject: DataSubject,
    from?: ExportPlaces,
  ): Promise<NotOne | { readonly outcome: 'no such part' } | ExportedPerson>
  /** Ends the person's call tasks, stops dialing them, then erases names in pieces. Repeatable after a break. */
  erasePerson(subject: DataSubject, atMs: AtMs, hands: ErasureHands): Promise<Erased>
  /** Of those over before then and not held; `count` 0: none left. A due audit intent is committed with it. */
  expire(
    kind: RetainedKind,
    beforeAtMs: AtMs,
    atMs: AtMs,
    rowsMax: number,
  ): Promise<{ readonly left: LeftBytes; readonly count: number }>
  /** What `expire` would take. Changes nothing. */
  due(kind: RetainedKind, beforeAtMs: AtMs, rowsMax: number): Promise<DueRows>
  /** Removes the audit records of a corporation up to this one; how many those were. On record as `expire` is. */
  expireAudit(corporation: CorporationId, uptoNumber: number, atMs: AtMs): Promise<number>
  /** What erasures left after the instant, for each node to remove from its own disks; earlier names are forgotten. */
  leftSince(atMs: AtMs): Promise<LeftBytes>
  /** Takes sessions of agents away that were last written so many days ago, at a node without a lease (storage-17). */
  forgetSessions(days: number): Promise<void>
  /** Those of these names that belong to no row. */
  orphans(names: LeftBytes): Promise<LeftBytes>
  addHold(hold: NewLegalHold): Promise<NotOne | { readonly outcome: 'held'; readonly id: LegalHoldId }>
  holds(corporations: readonly CorporationId[]): Promise<readonly LegalHold[]>
  /** False: unknown hold. */
  liftHold(corporations: readonly CorporationId[], id: LegalHoldId): Promise<boolean>
}

export interface KeptBytes {
  /** What is not there is no error. Rejects when all were tried, if one of them could not be removed. */
  remove(left: LeftBytes): Promise<void>
  /** Takes the stories of calls out of the journal of this node, and outcomes that were set aside. */
  forget(traces: PersonTraces): Promise<void>
  /** What those would lose of the journal: lines as they are stored, the oldest first, without so many of them. */
  story(traces: PersonTraces, linesMax: number, linesBefore: number): Promise<readonly object[]>
  /** Names of what was last written before the instant. */
  olderThan(atMs: AtMs): Promise<LeftBytes>
  readonly quarantine: Quarantine
}

/** Bytes that no row knows any more: out of the way, and kept for a while (storage-06). */
export interface Quarantine {
  /** Moves them there. What is not there is no error. */
  take(left: LeftBytes, atMs: AtMs): Promise<void>
  /** The oldest first. */
  list(): Promise<readonly QuarantinedBytes[]>
  /** Deletes what was taken before the instant; how many files those were. */
  forget(beforeAtMs: AtMs): Promise<number>
}

export interface QuarantinedBytes {
  readonly path: string
  /** Where it was, and can be put back. */
  readonly origin: string
  readonly sizeBytes: number
  /** Midnight of the day, UTC. */
  readonly takenAtMs: AtMs
}
