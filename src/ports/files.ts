/** Files of activities: what they are, and where their bytes lie (contract.md §2.6, D-20). */
import type { Readable } from 'node:stream'
import type { AtMs } from '../kernel/clock.ts'
import type { ActivityId, CorporationId, StorageName, UserId } from '../kernel/ids.ts'
import type { FileId } from './call-activity.ts'

/** Bytes that are on the disk. */
export interface StoredBytes {
  readonly storage: StorageName
  readonly sizeBytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** Bytes from one to another, both included. */
export interface BytesFromTo {
  readonly from: number
  readonly to: number
}

/** A store of bytes. It knows nothing of what they are. */
export interface FileStore {
  /** On disk when this resolves, under a random name. After an error, which is thrown on, nothing is left. */
  write(bytes: AsyncIterable<Uint8Array>, sizeBytesMax: number): Promise<StoredBytes | 'too large' | 'disk full'>
  /** The bytes, or some of them; undefined when nothing lies under the name. */
  read(storage: StorageName, range?: BytesFromTo): Promise<Readable | undefined>
  /** Takes bytes away. What is not there is no error. */
  remove(storage: StorageName): Promise<void>
}

/** What a file is to its activity: a picture inside an email, a part of one, put there by hand, an email itself. */
export type FileKind = 'inline image' | 'attachment' | 'upload' | 'email content'

/** A file whose bytes are kept already. */
export interface NewFile extends StoredBytes {
  readonly kind: FileKind
  /** As its sender called it; for people to read, never a path. */
  readonly fileName: string
  /** As its sender called it; not believed when it is shown (D-20). */
  readonly mimeType: string
  /** Of an inline image: what the HTML calls it, without the brackets. */
  readonly contentId?: string
}

export interface ActivityFile extends NewFile {
  readonly id: FileId
  readonly corporation: CorporationId
  readonly activity: ActivityId
  readonly createdAtMs: AtMs
}

/** Most files of a case: every reading of it lists all (cases-23). */
export const CASE_FILES_MAX = 1_000

interface CaseUpload {
  /** Those in which the case may be. */
  readonly corporations: readonly CorporationId[]
  readonly case: ActivityId
  readonly files: readonly NewFile[]
  /** Null for a system without a user. */
  readonly by: UserId | null
  readonly atMs: AtMs
}

/** What came of it. `case`: where they are now, which is what the named one was merged into, if it was. */
type CaseUploaded =
  | { readonly outcome: 'added'; readonly case: ActivityId; readonly ids: readonly FileId[] }
  | { readonly outcome: 'no such case' | 'case is deleted' | 'case is full' }

export interface Files {
  file(corporations: readonly CorporationId[], id: FileId): Promise<ActivityFile | undefined>
  /** All of them, or none; a change of the case itself. */
  addToCase(upload: CaseUpload): Promise<CaseUploaded>
}
