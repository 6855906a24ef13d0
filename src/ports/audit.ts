/** The audit trail: who read or changed what (F-K5). Every corporation has a chain of its own. */
import type { AtMs } from '../kernel/clock.ts'
import type { CorporationId } from '../kernel/ids.ts'

/** Something that was done. Ids alone: no name, number or word of a person has a place here. */
export interface AuditEntry {
  readonly atMs: AtMs
  /** The public id of the credential; of what the service does by itself its own name, such as `retention`. */
  readonly credential: string
  /** Null for a system. */
  readonly user: number | null
  readonly action: string
  readonly object: string
  readonly ids: readonly string[]
  /** How many things it was about; may be more than the ids that are named. */
  readonly count: number
  /** What was asked, as `PUT /dialer/killswitch`. */
  readonly operation: string
  /** As the asker gave it, where one is asked for. */
  readonly reason: string | null
  readonly address: string
  readonly traceId: string
}

export interface AuditRecord extends AuditEntry {
  readonly corporation: CorporationId
  /** From 1, without gaps. */
  readonly number: number
  readonly previousHash: string
  /** SHA-256 in hex over everything above. */
  readonly hash: string
}

/** Where a chain stands. */
export interface AuditHead {
  readonly corporation: CorporationId
  readonly number: number
  readonly hash: string
}

/** A head as it was on a day, kept outside of the database: with it a cut tail is found. */
export interface AuditAnchor extends AuditHead {
  readonly atMs: AtMs
}

/** All that are given hold together. */
export interface AuditSearch {
  readonly corporations: readonly CorporationId[]
  readonly sinceAtMs?: AtMs
  readonly untilAtMs?: AtMs
  readonly action?: string
  readonly object?: string
  readonly id?: string
  readonly credential?: string
  readonly user?: number
  readonly offset: number
  readonly rowsMax: number
}

/** A change whose entry is committed with it. */
interface AuditedChange {
  /** Carries it out, once. The first of its transactions that writes something commits the intent with it. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Whether something of it is committed. */
  readonly hasCommitted: boolean
  /** Puts the entry, which knows more, in the place of the intent; as `Audit.append`. */
  done(entry: AuditEntry): Promise<void>
  /** It was refused: the intent goes. */
  refused(): Promise<void>
}

export interface Audit {
  /** Resolves when durable in the chain of each corporation. Rejects with `DatabaseUnavailable`. */
  append(corporations: readonly CorporationId[], entry: AuditEntry): Promise<void>
  /** Without `done` or `refused` (crash, unknown result) the intent becomes the entry ten minutes later. */
  change(corporations: readonly CorporationId[], intent: AuditEntry): AuditedChange
  /** Makes entries of intents that are due; how many those were. */
  takeIntents(nowMs: AtMs): Promise<number>
  /** The newest first. */
  search(search: AuditSearch): Promise<{ readonly found: number; readonly records: readonly AuditRecord[] }>
  /** Of every corporation that has a record. */
  heads(): Promise<readonly AuditHead[]>
}

/** The file that anchors stand in. Copy it elsewhere now and then: it protects against the owner of the machine. */
export interface AuditAnchors {
  read(): readonly AuditAnchor[]
  /** Adds those heads that have no line of this day (UTC) yet; how many those were. They are on the disk then. */
  keep(heads: readonly AuditHead[], atMs: AtMs): number
}
