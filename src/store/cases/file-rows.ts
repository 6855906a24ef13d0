import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, CorporationId, UserId } from '../../kernel/ids.ts'
import type { FileId } from '../../ports/call-activity.ts'
import type { FileKind, NewFile } from '../../ports/files.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'

/** Returns ids in the files' order. The bytes are stored already; the caller removes them if the transaction fails. */
export async function addFiles(
  transaction: Transaction,
  activity: ActivityId,
  corporation: CorporationId,
  files: readonly NewFile[],
  creator: UserId | null,
  atMs: AtMs,
): Promise<FileId[]> {
  const rows = files.map(({ kind, fileName, mimeType, sizeBytes, sha256, storage, contentId }) => ({
    kind: NUMBERS[kind],
    file_name: storable(fileName),
    mime_type: storable(mimeType),
    size_bytes: sizeBytes,
    sha256,
    storage,
    content_id: contentId === undefined ? null : storable(contentId),
  }))
  const added = await ask<{ id: FileId; storage: string }>(transaction, ADD, [
    activity,
    corporation,
    creator,
    atMs,
    JSON.stringify(rows),
  ])
  const ids = new Map(added.map(({ id, storage }) => [storage, id]))
  // The insert returns one id per file.
  return files.map(({ storage }) => ids.get(storage)!)
}

/** The contract's own numbers (contract.md §2.6); 3 is that of its upload (contract.md §2.8). */
const NUMBERS: Readonly<Record<FileKind, number>> = {
  'inline image': 1,
  attachment: 2,
  upload: 3,
  'email content': 17,
}

const KINDS = new Map(Object.entries(NUMBERS).map(([kind, number]) => [number, kind as FileKind]))

/** The kind for a row's number. */
export function fileKindOf(number: number): FileKind {
  // The table allows no other number.
  return KINDS.get(number)!
}

const ADD = `
insert into files (corporation_id, activity_id, kind, file_name, mime_type, size_bytes, sha256, storage, content_id,
  creator_id, created_at_ms)
select $2, $1, r.kind, r.file_name, r.mime_type, r.size_bytes, decode(r.sha256, 'hex'), r.storage, r.content_id, $3, $4
  from rows from (jsonb_to_recordset($5::jsonb) as (kind smallint, file_name text, mime_type text, size_bytes bigint,
    sha256 text, storage text, content_id text)) with ordinality
    as r(kind, file_name, mime_type, size_bytes, sha256, storage, content_id, place)
 order by r.place
returning id, storage`

/** PostgreSQL refuses U+0000 in texts and lone surrogates in JSON. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}
