import type { Attachment } from 'mailparser'
import { plainContentId } from '../../mail-format/content-id.ts'
import type { MailFile } from '../../ports/mail.ts'

const FILES_MAX = 200
const NAME_LETTERS_MAX = 150
/** Our choice: images that browsers show and that run no code; others are plain files (D-20). */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** All files; an image that the sanitized HTML shows is inline. Undefined if there are too many. */
export function filesOf(attachments: readonly Attachment[], html: string): MailFile[] | undefined {
  if (attachments.length > FILES_MAX) return undefined
  const shown = new Set(Array.from(html.matchAll(/ src="cid:([^"]*)"/g), ([, id = '']) => id.replaceAll('&amp;', '&')))
  return attachments.map(({ content, contentType, filename, cid }, index) => {
    const mimeType = plainType(contentType)
    const contentId = cid === undefined ? undefined : plainContentId(cid)
    const isShown = contentId !== undefined && PICTURES.has(mimeType) && shown.has(contentId)
    const fileName = plainFileName(filename, `${mimeType === 'message/rfc822' ? 'email' : 'file'}-${index + 1}`)
    const bytes = Buffer.isBuffer(content) ? content : Buffer.alloc(0)
    return isShown
      ? { kind: 'inline image', fileName, mimeType, contentId, bytes }
      : { kind: 'attachment', fileName, mimeType, bytes, ...(contentId !== undefined && { contentId }) }
  })
}

/** The last part of the path without invisible characters: with marks of direction, `exe.gpj` reads as `jpg.exe`. */
export function plainFileName(given: string | undefined, otherwise: string): string {
  const last = (given ?? '').replaceAll('\\', '/').split('/').at(-1) ?? ''
  const plain = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .toWellFormed()
    .replace(/^[\s.]+/, '')
    .trimEnd()
  if (plain === '') return otherwise
  if (plain.length <= NAME_LETTERS_MAX) return plain
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(plain)?.[0] ?? ''
  return plain.slice(0, NAME_LETTERS_MAX - ending.length).toWellFormed() + ending
}

function plainType(given: string): string {
  const type = given.trim().toLowerCase()
  return /^[a-z0-9!#$&^_.+-]{1,80}\/[a-z0-9!#$&^_.+-]{1,80}$/.test(type) ? type : 'application/octet-stream'
}
