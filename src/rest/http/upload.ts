/** File uploads as `multipart/form-data`: all files are stored, or none (D-20, D-30, F-I12). */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Clock } from '../../kernel/clock.ts'
import type { FileStore } from '../../ports/files.ts'
import { BodyRefused, bodyPieces } from './body-chunks.ts'
import { plainFileName } from './file-response.ts'
import { boundaryOf, type FormPart, MultipartFault, readParts } from './multipart.ts'
import type { ProblemKind } from './problem-kinds.ts'
import { noRoom, Refusal, refuse } from './problem-response.ts'
import type { ReceivedFile, UploadRules } from './upload-rules.ts'

/** Boundaries and headers around the files. */
const FRAME_BYTES_MAX = 256 * 1024
/** Files and fields together. */
const PARTS_MAX = 50
const TYPE_LENGTH_MAX = 255
const MIB = 1024 * 1024

/** Reads the form of a request. Throws a `Refusal`, with nothing left in the store, if it is invalid or too large. */
export async function receiveFiles(
  { raw, headers }: { readonly raw: Readable; readonly headers: IncomingHttpHeaders },
  rules: UploadRules,
  clock: Clock,
): Promise<readonly ReceivedFile[]> {
  const contentType = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType))
    fail('unsupportedMediaType', 'unsupported media type; send multipart/form-data')
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return fail('badRequest', 'the Content-Type has no valid boundary')
  const bytesMax = rules.bytesMax + FRAME_BYTES_MAX
  if (Number(headers['content-length']) > bytesMax) fail('tooLarge', tooMany(rules))
  const pieces = bodyPieces(raw, bytesMax, clock)
  const received: ReceivedFile[] = []
  try {
    await keepAll(readParts(pieces, boundary), received, rules)
    return received
  } catch (error) {
    await discardFiles(received, rules.store)
    throw asRefusal(error, rules)
  } finally {
    // Detaches from the stream.
    await pieces.return(undefined)
  }
}

/** Removes files that are not kept. */
export async function discardFiles(files: readonly ReceivedFile[], store: FileStore): Promise<void> {
  for (const { storage } of files) await store.remove(storage)
}

async function keepAll(parts: AsyncGenerator<FormPart>, received: ReceivedFile[], rules: UploadRules): Promise<void> {
  const { store, partName, filesMax, fileBytesMax, bytesMax } = rules
  let count = 0
  let bytesLeft = bytesMax
  for await (const { name, fileName = '', mimeType, bytes } of parts) {
    if (++count > PARTS_MAX) fail('tooLarge', `the form has more than ${PARTS_MAX} parts`)
    if (name !== partName) continue
    if (received.length === filesMax) fail('tooLarge', `more than ${filesMax} files in one request; send fewer`)
    const kept = await store.write(bytes, Math.min(fileBytesMax, bytesLeft))
    if (kept === 'too large') return fail('tooLarge', tooMany(rules))
    if (kept === 'disk full') throw new Refusal(noRoom())
    bytesLeft -= kept.sizeBytes
    received.push({ ...kept, fileName: plainFileName(fileName), mimeType: typeOf(mimeType) })
  }
  if (received.length === 0) fail('badRequest', `the form has no part named ${partName}`)
}

/** `text/plain; charset=utf-8` → `text/plain`; a generic type if it is invalid. */
function typeOf(mimeType: string): string {
  const [type = ''] = mimeType.toLowerCase().split(';')
  const isType = type.length <= TYPE_LENGTH_MAX && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type.trim())
  return isType ? type.trim() : 'application/octet-stream'
}

function asRefusal(error: unknown, rules: UploadRules): unknown {
  if (error instanceof MultipartFault) return refusal('badRequest', error.message)
  if (!(error instanceof BodyRefused)) return error
  switch (error.fault) {
    case 'too large':
      return refusal('tooLarge', tooMany(rules))
    case 'too slow':
      return refusal('timeout', 'the body was sent too slowly')
    case 'broken off':
      return refusal('badRequest', 'the body is incomplete')
  }
}

function tooMany({ fileBytesMax, bytesMax }: UploadRules): string {
  return `too large: at most ${fileBytesMax / MIB} MiB per file and ${bytesMax / MIB} MiB per request`
}

function refusal(kind: ProblemKind, detail: string): Refusal {
  return new Refusal(refuse(kind, detail))
}

function fail(kind: ProblemKind, detail: string): never {
  throw refusal(kind, detail)
}
