/** A file as an answer: whole or a range of it, never as a page of ours (RFC 9110, RFC 6266, D-20). */
import type { Readable } from 'node:stream'
import type { BytesFromTo } from '../../ports/files.ts'
import type { Answer } from './answer.ts'
import { readRange } from './byte-range.ts'
import { refuse } from './problem.ts'
import type { Asked } from './route.ts'

/** A file that may be sent. Its names and its type are whatever somebody wrote once. */
export interface FileToSend {
  readonly sizeBytes: number
  /** Another text for other bytes. */
  readonly version: string
  readonly fileName: string
  readonly mimeType: string
  /** May be shown in its place, where it is a picture. */
  readonly isInline: boolean
  /** Its bytes; undefined when they are gone. */
  open(range?: BytesFromTo): Promise<Readable | undefined>
}

/** May be shown by a browser that was told to: these cannot carry a script. */
const PICTURES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** Types that are said as they are; whatever else is bytes, so that nobody's browser makes a page of it. */
const SAID_AS_THEY_ARE: ReadonlySet<string> = new Set([
  ...PICTURES,
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
/** A name that is longer than any file system takes is cut. */
const NAME_LENGTH_MAX = 200

/** The file, a part of it (206), or that the asker has it already (304); undefined when its bytes are gone. */
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
    const detail = `the file has ${sizeBytes} bytes, and none in this range`
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
  const [said = ''] = mimeType.toLowerCase().split(';')
  const type = said.trim()
  const isShown = isInline && PICTURES.includes(type)
  return {
    etag: `"${version}"`,
    'accept-ranges': 'bytes',
    'content-type': SAID_AS_THEY_ARE.has(type) ? type : BYTES,
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${nameParameters(fileName)}`,
    'x-content-type-options': 'nosniff',
  }
}

/** The name in letters that every client reads, and as it is (RFC 6266, appendix D). */
export function nameParameters(fileName: string): string {
  const name = plainFileName(fileName)
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_')
  const all = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `filename="${ascii}"; filename*=UTF-8''${all}`
}

/** What a file may be called: the last part of what was given, without what is no letter; `file` when none is left. */
export function plainFileName(given: string): string {
  const [last = ''] = given.toWellFormed().split(/[/\\]/).slice(-1)
  // Controls, and signs that turn the direction of writing: `gpj.exe` must not look like `exe.jpg`.
  const plain = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()
  const short = [...plain].slice(-NAME_LENGTH_MAX).join('')
  return /^\.*$/.test(short) ? 'file' : short
}

/** RFC 9110, 13.1.2: a list of tags, weak or not, or a star. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
