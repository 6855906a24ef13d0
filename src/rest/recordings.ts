/** `GET /core/corefile` for recordings (Interface §4.4, D-20): the file, or a range of it. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { readRange } from './byte-range.ts'
import { Id } from './lists.ts'
import type { RestParts } from './parts.ts'
import { refuse } from './problem.ts'
import { type Answer, type Asked, type Route, route } from './route.ts'

/** What the operation works with. */
export type RecordingParts = Pick<RestParts, 'log' | 'office' | 'recordingsDirectory'>

const Query = Type.Object({ cfreId: Id('The file') })

/** A name and nothing else: no folder, no hidden file, no way up. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/
const TYPES: Readonly<Record<string, string>> = { wav: 'audio/wav' }

/** The operation. Who fetches which recording is written to the log. */
export function recordingRoutes(parts: RecordingParts): Route[] {
  const getFile = route({
    method: 'GET',
    path: '/core/corefile',
    contractPath: '/rest/core/corefile',
    scope: 'files:read',
    audit: { action: 'read', object: 'file', by: 'cfreId' },
    summary: 'The file of a recording',
    description: 'A range of it with Range (206); If-Range and If-None-Match compare the ETag.',
    query: Query,
    produces: 'bytes',
    answers: { 200: Type.Unknown(), 206: Type.Unknown(), 304: Type.Unknown() },
    handle: (asked) => sendFile(parts, asked),
  })
  return [getFile]
}

async function sendFile(parts: RecordingParts, asked: Asked<never, typeof Query, never>): Promise<Answer> {
  const { log, office } = parts
  const { query, asker, headers } = asked
  const found = await office.recordingFile(asker.corporations, query.cfreId)
  if (!found) return noSuchFile()
  const about = { cfreId: query.cfreId, recording: found.recording, credential: asker.credential }
  const file = await openFile(parts, found.name)
  if (!file) {
    log.error(about, 'a recording is in the database, and not in its folder')
    return noSuchFile()
  }
  log.info(about, 'a recording was fetched')
  const { size, mtimeMs } = await file.stat()
  const etag = `"${query.cfreId.toString(36)}-${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`
  return answerOf(file, { size, etag, name: found.name }, headers)
}

interface FileFacts {
  readonly size: number
  readonly etag: string
  readonly name: string
}

async function answerOf(
  file: FileHandle,
  { size, etag, name }: FileFacts,
  headers: Asked<never, never, never>['headers'],
): Promise<Answer> {
  const common = {
    etag,
    'accept-ranges': 'bytes',
    'content-type': TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
    'x-content-type-options': 'nosniff',
  }
  if (textOf(headers['if-none-match']) === etag) {
    await file.close()
    return { status: 304, headers: common }
  }
  const ifRange = textOf(headers['if-range'])
  const range = ifRange !== undefined && ifRange !== etag ? 'whole' : readRange(textOf(headers['range']), size)
  if (range === 'not satisfiable') {
    await file.close()
    const detail = `the file has ${size} bytes, and none in this range`
    return refuse('rangeNotSatisfiable', detail, { headers: { 'content-range': `bytes */${size}` } })
  }
  const { from, to } = range === 'whole' ? { from: 0, to: size - 1 } : range
  const length = { ...common, 'content-length': String(to - from + 1) }
  // The stream closes the file, read to its end or not. An empty file has no last byte to name.
  const stream = size === 0 ? file.createReadStream() : file.createReadStream({ start: from, end: to })
  if (range === 'whole') return { stream, headers: length }
  return { status: 206, stream, headers: { ...length, 'content-range': `bytes ${from}-${to}/${size}` } }
}

/** A plain file of the folder itself: links are not followed, and what is no file is none. */
async function openFile({ recordingsDirectory }: RecordingParts, name: string): Promise<FileHandle | undefined> {
  if (!PLAIN_NAME.test(name)) return undefined
  try {
    const file = await open(join(recordingsDirectory, name), constants.O_RDONLY | constants.O_NOFOLLOW)
    if ((await file.stat()).isFile()) return file
    await file.close()
    return undefined
  } catch {
    return undefined
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

function noSuchFile(): Answer {
  return refuse('notFound', 'no file of yours has this cfreId')
}
