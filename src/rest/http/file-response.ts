/** Sends a file, whole or a range of it, never as a web page of this origin (RFC 9110, RFC 6266, D-20). */
import type { Readable } from 'node:stream'
import type { BytesFromTo } from '../../ports/files.ts'
import type { Answer } from './answer.ts'
import { readRange } from './byte-range.ts'
import { refuse } from './problem-response.ts'
import type { Asked } from './route.ts'

/** A file to send. Its name and type are untrusted. */
export interface FileToSend {
  readonly sizeBytes: number
  /** Changes when the bytes change. */
  readonly version: string
  readonly fileName: string
  readonly mimeType: string
  /** May be displayed inline if it is an image. */
  readonly isInline: boolean
  /** The bytes; undefined if they were deleted. */
  open(range?: BytesFromTo): Promise<Readable | undefined>
}

/** Images that cannot contain scripts and may be displayed inline. */
const INLINE_IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** Types that are sent unchanged. Any other type becomes `application/octet-stream`, so no browser renders it. */
const PASSED_TYPES: ReadonlySet<string> = new Set([
  ...INLINE_IMAGES,
  ...['image/bmp', 'image/tiff', 'image/heic', 'text/plain', 'text/csv', 'application/pdf', 'application/zip'],
  ...['audio/wav', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/webm', 'video/mp4', 'video/webm', 'video/quicktime'],
  ...['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint', 'application/rtf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
])
const BYTES = 'application/octet-stream'
/** Longer names are cut: file systems refuse them. */
const NAME_LENGTH_MAX = 200

/** The file, a range of it (206), or 304. Undefined if the bytes were deleted. */
export async function fileAnswer(
  file: FileToSend,
  headers: Asked<never, never, never>['headers'],
): Promise<Answer | undefined> {
  const { sizeBytes } = file
  const common = headersOf(file)
  if (isKnown(common.etag, textOf(headers['if-none-match']))) return { status: 304, headers: common }
  const ifRange = textOf(headers['if-range'])
  const isOld = ifRange !== undefined && ifRange !== common.etag
  const range = isOld ? 'whole' : readRange(textOf(headers['range']), sizeBytes)
  if (range === 'not satisfiable') {
    const detail = `the range is outside the file, which has ${sizeBytes} bytes`
    return refuse('rangeNotSatisfiable', detail, { headers: { 'content-range': `bytes */${sizeBytes}` } })
  }
  const stream = await file.open(range === 'whole' ? undefined : range)
  if (!stream) return undefined
  if (range === 'whole') return { stream, headers: { ...common, 'content-length': String(sizeBytes) } }
  const { from, to } = range
  const part = { 'content-length': String(to - from + 1), 'content-range': `bytes ${from}-${to}/${sizeBytes}` }
  return { status: 206, stream, headers: { ...common, ...part } }
}

function headersOf({ version, fileName, mimeType, isInline }: FileToSend) {
  const [given = ''] = mimeType.toLowerCase().split(';')
  const type = given.trim()
  const isShown = isInline && INLINE_IMAGES.includes(type)
  return {
    etag: `"${version}"`,
    'accept-ranges': 'bytes',
    'content-type': PASSED_TYPES.has(type) ? type : BYTES,
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${nameParameters(fileName)}`,
    'x-content-type-options': 'nosniff',
  }
}

/** The name in ASCII for every client, and in UTF-8 (RFC 6266, appendix D). */
export function nameParameters(fileName: string): string {
  const name = plainFileName(fileName)
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_')
  const all = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `filename="${ascii}"; filename*=UTF-8''${all}`
}

/** A safe file name: the last path segment without control characters; `file` if nothing is left. */
export function plainFileName(given: string): string {
  const [last = ''] = given.toWellFormed().split(/[/\\]/).slice(-1)
  // Removes control characters and direction marks: `gpj.exe` must not look like `exe.jpg`.
  const plain = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()
  const short = [...plain].slice(-NAME_LENGTH_MAX).join('')
  return /^\.*$/.test(short) ? 'file' : short
}

/** RFC 9110, 13.1.2: a list of tags, weak or strong, or a star. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
