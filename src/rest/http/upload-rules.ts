import type { FileStore, StoredBytes } from '../../ports/files.ts'

/** Upload limits; sizes are in bytes. */
export interface UploadRules {
  readonly store: FileStore
  /** Name of the file parts; other parts are ignored. */
  readonly partName: string
  readonly filesMax: number
  readonly fileBytesMax: number
  readonly bytesMax: number
  /** Files are deleted after the request. */
  readonly isTemporary?: true
}

/** An uploaded file in the store. An operation that does not keep it must remove it. */
export interface ReceivedFile extends StoredBytes {
  /** A name without a path; for display only. */
  readonly fileName: string
  readonly mimeType: string
}
