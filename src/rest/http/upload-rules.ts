/** What an operation allows of uploaded files, and a file that it received. */
import type { FileStore, StoredBytes } from '../../ports/files.ts'

/** What an operation takes. */
export interface UploadRules {
  readonly store: FileStore
  /** The name of the parts that are files; others are passed over. */
  readonly partName: string
  readonly filesMax: number
  readonly fileBytesMax: number
  /** Of all files together. */
  readonly bytesMax: number
  /** Files are only looked at: they are taken away whatever the answer is. */
  readonly isTemporary?: true
}

/** A file that was sent, and lies in the store. Whoever does not keep it takes it away. */
export interface ReceivedFile extends StoredBytes {
  /** A name and no path; to be shown, and nothing else. */
  readonly fileName: string
  readonly mimeType: string
}
