/** The audit trail: who read or changed what (F-K5). Every corporation has a chain of its own. */
import type { AtMs } from '../kernel/clock.ts'
import type { CorporationId } from '../kernel/ids.ts'

/** An action. It holds ids only: no name, phone number or words of a person. */
export interface AuditEntry {
  readonly atMs: AtMs
  /** The public id of the credential; for automatic actions the name of the job, such as `retention`. */
  readonly credential: string
  /** Null for a system without a user. */
  readonly user: number | null
  readonly action: string
  readonly object: string
  readonly ids: readonly string[]
  /** The number of objects; may exceed the number of `ids`. */
  readonly count: number
  /** The requested operation, such as `PUT /dialer/killswitch`. */
  readonly operation: string
  /** As the user gave it, if the operation requires a reason. */
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

/** The last record of a chain. */
export interface AuditHead {
  readonly corporation: CorporationId
  readonly number: number
  readonly hash: string
}

/** A head as it was on a day, kept outside of the database: it reveals a chain whose tail was cut off. */
export interface AuditAnchor extends AuditHead {
  readonly atMs: AtMs
}

/** Records must meet all given criteria. */
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
  /** Carries out the change, once. Its first transaction that writes something also commits the intent. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Whether a part of the change is committed. */
  readonly hasCommitted: boolean
  /** Replaces the intent with the entry, which has more facts; as `Audit.append`. */
  done(entry: AuditEntry): Promise<void>
  /** The change was refused: removes the intent. */
  refused(): Promise<void>
}

export interface Audit {
  /** Resolves when the entry is durable in the chain of each corporation. May reject with `DatabaseUnavailable`. */
  append(corporations: readonly CorporationId[], entry: AuditEntry): Promise<void>
  /**
   * Begins a change. Without `done` or `refused` (crash, unknown result) the intent becomes the entry ten minutes
   * later: every committed change is on record.
   */
  change(corporations: readonly CorporationId[], intent: AuditEntry): AuditedChange
  /** Turns due intents into entries. Returns their number. */
  takeIntents(nowMs: AtMs): Promise<number>
  /** The newest first. */
  search(search: AuditSearch): Promise<{ readonly found: number; readonly records: readonly AuditRecord[] }>
  /** The heads of all corporations that have a record. */
  heads(): Promise<readonly AuditHead[]>
}

/** The file of anchors. Only a copy on another machine protects against the owner of this one. */
export interface AuditAnchors {
  read(): readonly AuditAnchor[]
  /** Adds the heads that have no line for this day (UTC) yet, and returns their number. They are then on the disk. */
  keep(heads: readonly AuditHead[], atMs: AtMs): number
}
