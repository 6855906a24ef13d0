/** `/core/corefile`: files of activities and recordings, in one number space (contract.md §4.4, D-20). */
import { Type } from 'typebox'
import type { ActivityId, UserId } from '../../kernel/ids.ts'
import type { FileId } from '../../ports/call-activity.ts'
import { type ActivityFile, CASE_FILES_MAX } from '../../ports/files.ts'
import { recordingToSend } from '../calls/recordings.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { type FileToSend, fileAnswer } from '../http/file-response.ts'
import { Id, InstantOut, instantText, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asked, type Asker, type Route, route } from '../http/route.ts'

const Query = Type.Object({ cfreId: Id('The file') })

/** The contract's constants of an upload to a case (contract.md §2.8). */
const CASE_TABLE = 35007
const CASE_FILE = 3
const MIB = 1024 * 1024

const UploadQuery = Type.Object({
  tblId: Type.Literal(CASE_TABLE, { description: `Always ${CASE_TABLE}: the table of cases` }),
  type: Type.Literal(CASE_FILE, { description: `Always ${CASE_FILE}: an uploaded file` }),
  id: Id('The eactId of the case'),
})

const Uploaded = Type.Object({
  cfreId: Type.Integer(),
  type: Type.Literal(CASE_FILE, { description: 'Kind of the file' }),
  fileName: Type.String({ description: 'As it was sent, without a folder' }),
  mimeType: Type.String({ description: 'As it was sent; the file may be served with another type' }),
  size: Type.Integer({ description: 'In bytes' }),
  sha256: Type.String({ description: 'SHA-256 of the bytes, in hexadecimal digits' }),
  creationTs: InstantOut('When it was uploaded'),
  activity: Type.Object({ eactId: Type.Integer() }, { description: 'The case of the file' }),
})

/** Where a file is served; also the number of one whose row is yet to come. */
export function fileAddress(file: FileId): string {
  return `/rest/core/corefile?cfreId=${file}`
}

/** Both operations. Each download is logged; who plays a recording is in the audit trail (files-and-activities-12). */
export function coreFileRoutes(dependencies: RestDependencies): Route[] {
  const getFile = route({
    method: 'GET',
    path: '/core/corefile',
    scope: 'files:read',
    audit: { action: 'read', object: 'file', by: 'cfreId', partsAreOneRead: true },
    summary: 'A file of an activity, or of a recording',
    description:
      'Range returns a part (206); If-Range and If-None-Match compare the ETag. Inline images are displayed, other ' +
      'files are downloaded. For the content of an email use emailcontent. The audit trail gets an entry before the ' +
      'bytes are sent: one for each file that is sent whole, and one in ten minutes for the ranges of a player.',
    query: Query,
    isPlayed: true,
    produces: 'bytes',
    answers: { 200: Type.Unknown(), 206: Type.Unknown(), 304: Type.Unknown() },
    handle: (asked) => sendFile(dependencies, asked),
  })
  const putFiles = route({
    method: 'POST',
    path: '/core/corefile',
    scope: 'files:write',
    audit: { action: 'create', object: 'file', by: 'cfreId' },
    summary: 'Upload files to a case',
    description:
      'All files are stored, or none. Files of a merged case go to the case that it was merged into, and ' +
      `svc-redirected-eactid names it. A case has at most ${CASE_FILES_MAX} files.`,
    query: UploadQuery,
    upload: {
      store: dependencies.fileStore,
      partName: 'files',
      // D-30.
      filesMax: 10,
      fileBytesMax: 25 * MIB,
      bytesMax: 50 * MIB,
    },
    answers: { 200: Type.Array(Uploaded) },
    handle: (asked) => keepFiles(dependencies, asked),
  })
  return [getFile, putFiles]
}

async function keepFiles(
  dependencies: RestDependencies,
  asked: Asked<never, typeof UploadQuery, never>,
): Promise<Answer> {
  const { query, asker, files } = asked
  const atMs = dependencies.clock.nowMs()
  const kept = await dependencies.files.addToCase({
    corporations: asker.corporations,
    case: query.id as ActivityId,
    atMs,
    files: files.map((file) => ({ ...file, kind: 'upload' })),
    by: (asker.user?.id ?? null) as UserId | null,
  })
  switch (kept.outcome) {
    case 'no such case':
      return refuse('notFound', 'there is no case with this id')
    case 'case is deleted':
      return refuse('conflict', 'the case is deleted; restore it before you upload files')
    case 'case is full':
      return refuse('conflict', `a case has at most ${CASE_FILES_MAX} files; use another case`)
    case 'added': {
      const body = files.map(({ fileName, mimeType, sizeBytes, sha256 }, place) => ({
        cfreId: kept.ids[place],
        type: CASE_FILE,
        fileName,
        mimeType,
        size: sizeBytes,
        sha256,
        creationTs: instantText(atMs),
        activity: { eactId: kept.case },
      }))
      const redirected = kept.case === query.id ? {} : { 'svc-redirected-eactid': String(kept.case) }
      return { body, headers: { ...totals(body.length), ...redirected } }
    }
  }
}

async function sendFile(dependencies: RestDependencies, asked: Asked<never, typeof Query, never>): Promise<Answer> {
  const { log, files } = dependencies
  const { query, asker, headers } = asked
  const found = await files.file(asker.corporations, query.cfreId)
  if (found?.kind === 'email content') {
    return refuse('notFound', 'this is the content of an email; use emailcontent with the eactId of the email')
  }
  const file = found ? fileToSend(dependencies, found) : await recording(dependencies, asker, query.cfreId)
  if (file === undefined) return noSuchFile()
  const answer = file === 'gone' ? undefined : await fileAnswer(file, headers)
  const about = { cfreId: query.cfreId, credential: asker.credential }
  if (answer) log.info(about, 'file downloaded')
  else log.error(about, 'file missing: the database has it, the folder does not')
  return answer ?? noSuchFile()
}

function fileToSend({ fileStore }: RestDependencies, file: ActivityFile): FileToSend {
  const { sizeBytes, sha256, fileName, mimeType, kind, storage } = file
  return {
    sizeBytes,
    fileName,
    mimeType,
    isInline: kind === 'inline image',
    version: sha256.slice(0, 32),
    open: (range) => fileStore.read(storage, range),
  }
}

async function recording(dependencies: RestDependencies, asker: Asker, id: number) {
  const found = await dependencies.dialerAdmin.recordingFile(asker, id)
  return found && ((await recordingToSend(dependencies, found, id)) ?? 'gone')
}

function noSuchFile(): Answer {
  return refuse('notFound', 'there is no file with this cfreId')
}
