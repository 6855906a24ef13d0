import type { ActivityFile, Files } from '../../ports/files.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { type Prepared, query } from '../db/transaction.ts'
import { caseUploads } from './case-uploads.ts'
import { fileKindOf } from './file-rows.ts'

const files = {
  async file({ api }, corporations, id) {
    return (await query<FileRow>(api, ONE, [corporations, id])).map(fileOf)[0]
  },
} satisfies Partial<In<Files>>

/** Columns of `files f` for `fileOf`. */
export const FILE_COLUMNS = `f.id, f.corporation_id as corporation, f.activity_id as activity, f.kind as number,
  f.file_name as "fileName", f.mime_type as "mimeType", f.size_bytes as "sizeBytes",
  encode(f.sha256, 'hex') as sha256, f.storage, f.content_id as "contentId", f.created_at_ms as "createdAtMs"`

const ONE: Prepared = {
  name: 'file',
  text: `select ${FILE_COLUMNS} from files f where f.id = $2 and f.corporation_id = any($1)`,
}

/** A row of `FILE_COLUMNS`. */
export interface FileRow extends Omit<ActivityFile, 'kind' | 'contentId'> {
  readonly number: number
  readonly contentId: string | null
}

/** A row as a file. */
export function fileOf({ number, contentId, ...row }: FileRow): ActivityFile {
  return { ...row, kind: fileKindOf(number), ...(contentId !== null && { contentId }) }
}

/** Files of activities in PostgreSQL. */
export function postgresFiles(pools: Pools): Files {
  return portOf<Files>(pools, { ...files, ...caseUploads })
}
