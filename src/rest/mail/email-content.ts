/** `GET /svcems/emailcontent`: the content of an email (contract.md §4.4, D-19). */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { ActivityId } from '../../kernel/ids.ts'
import type { ActivityFile, FileStore } from '../../ports/files.ts'
import type { StoredMail } from '../../ports/mail.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import { EmailContent, emailOut } from './email-schema.ts'

const Query = Type.Object({ eactId: Id('The email') })

/** D-19: the page runs no scripts and makes no requests. */
const SAFE_HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'; base-uri 'none'; img-src data:",
  'x-content-type-options': 'nosniff',
  'content-disposition': 'inline',
  'referrer-policy': 'no-referrer',
}
/** Total size of images that are embedded in the page. */
const IMAGES_BYTES_MAX = 5 * 1024 * 1024
/** Of what is embedded, each time that an image is shown (files-and-activities-18). */
const EMBEDDED_LETTERS_MAX = 16 * 1024 * 1024
/** Stored HTML is never larger; it is read into RAM. */
const HTML_BYTES_MAX = 16 * 1024 * 1024

/** The email content operation. */
export function emailContentRoutes(dependencies: RestDependencies): Route[] {
  const getContent = route({
    method: 'GET',
    path: '/svcems/emailcontent',
    scope: 'cases:read',
    audit: { action: 'read', object: 'email', by: 'eactId' },
    summary: 'Get the content of an email',
    description:
      'Returns sanitized HTML with embedded images, or plain text. A client that accepts application/json and not ' +
      'HTML gets an object with all data of the email.',
    query: Query,
    produces: 'bytes',
    answers: { 200: EmailContent },
    async handle({ query, asker, headers }) {
      const mail = await dependencies.mails.find(query.eactId as ActivityId, asker.corporations)
      if (!mail) return refuse('notFound', 'there is no email with this eactId')
      const content = mail.files.find(({ kind }) => kind === 'email content')
      const stored = content && (await readWhole(dependencies.fileStore, content, HTML_BYTES_MAX))
      if (!stored) dependencies.log.error({ eactId: mail.activity }, 'content file of an email is missing')
      const html = content?.mimeType === 'text/html' && stored ? stored.toString('utf8') : null
      if (wantsJson(headers['accept'])) return { body: emailOut(mail, html), headers: { vary: 'accept' } }
      if (html === null) return page(stored?.toString('utf8') ?? mail.text, 'text/plain')
      return page(await withImages(dependencies.fileStore, mail, html), 'text/html')
    },
  })
  return [getContent]
}

/** Clients that accept anything, such as browsers and most libraries, get the content itself. */
function wantsJson(accept: string | string[] | undefined): boolean {
  const types = String(accept ?? '')
    .toLowerCase()
    .split(',')
    .map((type) => type.split(';')[0]?.trim())
  return (
    types.includes('application/json') && !types.some((type) => ['text/html', 'text/*', '*/*'].includes(type ?? ''))
  )
}

function page(text: string, type: 'text/html' | 'text/plain'): Answer {
  const bytes = Buffer.from(text)
  const headers = { ...SAFE_HEADERS, 'content-type': `${type}; charset=utf-8`, 'content-length': String(bytes.length) }
  return { stream: Readable.from([bytes], { objectMode: false }), headers: { ...headers, vary: 'accept' } }
}

/** Embeds images, because the page may not load any. In sanitized HTML `cid:` occurs only in sources. */
async function withImages(fileStore: FileStore, { files }: StoredMail, html: string): Promise<string> {
  const sources = new Map<string, string>()
  let bytesLeft = IMAGES_BYTES_MAX
  for (const file of files) {
    if (file.kind !== 'inline image' || file.contentId === undefined || file.sizeBytes > bytesLeft) continue
    const bytes = await readWhole(fileStore, file, bytesLeft)
    if (!bytes) continue
    bytesLeft -= bytes.length
    sources.set(file.contentId, `data:${file.mimeType};base64,${bytes.toString('base64')}`)
  }
  let lettersLeft = EMBEDDED_LETTERS_MAX
  return html.replaceAll(/ src="cid:([^"]*)"/gi, (whole, id: string) => {
    const source = sources.get(id.replaceAll('&amp;', '&'))
    if (source === undefined || source.length > lettersLeft) return whole
    lettersLeft -= source.length
    return ` src="${source}"`
  })
}

async function readWhole(
  fileStore: FileStore,
  { storage, sizeBytes }: ActivityFile,
  bytesMax: number,
): Promise<Buffer | undefined> {
  if (sizeBytes > bytesMax) return undefined
  const stream = await fileStore.read(storage)
  return stream && Buffer.concat((await stream.toArray()) as Buffer[])
}
