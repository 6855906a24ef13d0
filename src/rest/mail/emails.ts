/** `POST /svcems/emails`: sends an email from a case. An addition to the contract. */
import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import type { ActivityId, UserId } from '../../kernel/ids.ts'
import { plainAddress } from '../../mail-format/mail-address.ts'
import { MAIL_TAGS, safeHtml, textOfHtml } from '../../mail-format/safe-html.ts'
import type { FileId } from '../../ports/call-activity.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import type { ActivityFile, NewFile } from '../../ports/files.ts'
import { type MailParty, RECIPIENTS_MAX, SUBJECT_LETTERS_MAX } from '../../ports/mail.ts'
import { alsoNeeds } from '../http/also-needs.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { noRoom, Refusal, refuse } from '../http/problem-response.ts'
import { type Asker, type Route, route } from '../http/route.ts'

/** 128 bits cannot be guessed: a sender who knows the Message-ID received the email. */
const MESSAGE_NAME_BYTES = 16
/** D-30; base64 adds a third, and most mail servers accept 25 MiB. */
const FILES_MAX = 10
const FILES_BYTES_MAX = 18 * 1024 * 1024
/** Maximum length of the stored text, in characters. */
const TEXT_LETTERS_MAX = 256 * 1024

const Address = Type.Object({
  address: Type.String({ minLength: 3, maxLength: 320, examples: ['petra@debtor.example'] }),
  name: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })),
})
const Body = Type.Object({
  activity: Type.Object({ eactId: Id('Id of the case') }),
  to: Type.Array(Address, { minItems: 1, maxItems: RECIPIENTS_MAX }),
  cc: Type.Optional(Type.Array(Address, { maxItems: RECIPIENTS_MAX })),
  subject: Type.String({
    minLength: 1,
    maxLength: SUBJECT_LETTERS_MAX - 30,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: 'Subject; the case number is added in front, for example [#12], to assign replies to the case',
  }),
  text: Type.Optional(
    Type.String({ maxLength: TEXT_LETTERS_MAX, description: 'Plain text; derived from the HTML if absent' }),
  ),
  html: Type.Optional(Type.String({ description: 'HTML; unsafe parts are removed' })),
  files: Type.Optional(
    Type.Array(Type.Object({ cfreId: Id('Id of a file, for example an upload to the case') }), { maxItems: FILES_MAX }),
  ),
})

const Queued = Type.Object({
  eactId: Type.Integer({ description: 'Id of the email' }),
  conversation: Type.Object({ eactId: Type.Integer() }),
  activity: Type.Object(
    { eactId: Type.Integer() },
    { description: 'The case; for a merged case, the case that it was merged into' },
  ),
  messageId: Type.String(),
  subject: Type.String(),
  state: Type.Literal('queued'),
})

/** The send operation. */
export function emailRoutes(dependencies: RestDependencies): Route[] {
  const sendEmail = route({
    method: 'POST',
    path: '/svcems/emails',
    scope: 'cases:write',
    audit: { action: 'send', object: 'email', by: 'eactId', keepsFiles: true },
    summary: 'Send an email from a case',
    description:
      'Stores the email and queues it for sending; emailcontent returns its delivery state. It continues the ' +
      'conversation in which one of its recipients wrote last, and is sent from the mailbox of the case’s queue, ' +
      'else from the first mailbox. Files need files:read and cases:read as well, and are in the audit trail. Status ' +
      '409: no mailbox is configured, or the bytes of a file are on another node.',
    body: Body,
    answers: { 201: Queued },
    example: {
      body: {
        activity: { eactId: 5550 },
        to: [{ address: 'petra@debtor.example', name: 'Petra' }],
        subject: 'Your invoice',
        html: '<p>Thank you.</p>',
      },
    },
    handle: ({ body, asker }) => send(dependencies, body, asker),
  })
  return [sendEmail]
}

async function send(dependencies: RestDependencies, body: Static<typeof Body>, asker: Asker): Promise<Answer> {
  for (const scope of ['files:read', 'cases:read'] as const) {
    if (body.files?.length) alsoNeeds(asker, scope, 'the recipients read the files')
  }
  const errors: FieldError[] = []
  const to = partiesOf(body.to, 'to', errors)
  const cc = partiesOf(body.cc ?? [], 'cc', errors)
  const html = body.html === undefined ? undefined : safeHtml(body.html, MAIL_TAGS)
  const text = body.text ?? textOfHtml(html ?? '')
  if (text.trim() === '' && (html === undefined || html.trim() === '')) {
    errors.push({ path: 'text', code: 'required', message: 'is empty; provide text or html' })
  }
  const found = await filesOf(dependencies, body.files ?? [], asker, errors)
  if (errors[0]) return refuse('validation', `${errors[0].path}: ${errors[0].message}`, { errors })
  const stored: NewFile[] = []
  const remove = () => Promise.all(stored.map(({ storage }) => dependencies.fileStore.remove(storage)))
  try {
    const content = html === undefined ? { type: 'text/plain', bytes: text } : { type: 'text/html', bytes: html }
    await storeAll(dependencies, content, found, stored)
    const queued = await dependencies.mails.queue({
      case: body.activity.eactId as ActivityId,
      corporations: asker.corporations,
      mailboxes: dependencies.mailboxes,
      to,
      cc,
      subject: body.subject,
      text: text.slice(0, TEXT_LETTERS_MAX),
      files: stored,
      node: content.type === 'text/html' || found.length > 0 ? dependencies.node : null,
      messageName: dependencies.secretBytes(MESSAGE_NAME_BYTES).toString('hex'),
      user: (asker.user?.id ?? null) as UserId | null,
      atMs: dependencies.clock.nowMs(),
    })
    if (queued.outcome !== 'queued') await remove()
    return answerOf(queued)
  } catch (error) {
    // It may be queued: without its files it could never be sent (files-and-activities-08).
    if (!(error instanceof DatabaseUnavailable && error.mayBeDone)) await remove()
    throw error
  }
}

function answerOf(queued: Awaited<ReturnType<RestDependencies['mails']['queue']>>): Answer {
  switch (queued.outcome) {
    case 'no such case':
      return refuse('notFound', 'there is no case with this eactId')
    case 'case is deleted':
      return refuse('conflict', 'the case is deleted; restore it first')
    case 'no mailbox':
      return refuse('conflict', 'no mailbox is configured; add mail.mailboxes and mail.outbound to the configuration')
    case 'queued': {
      const { activity, conversation, case: found, messageId, subject } = queued
      const body = {
        eactId: activity,
        conversation: { eactId: conversation },
        activity: { eactId: found },
        messageId,
        subject,
        state: 'queued',
      }
      return { status: 201, body, headers: { location: `/rest/svcems/emailcontent?eactId=${activity}` } }
    }
  }
}

/** Removes duplicate recipients and reports invalid addresses. */
function partiesOf(given: Static<typeof Body>['to'], path: string, errors: FieldError[]): MailParty[] {
  const parties = new Map<string, MailParty>()
  for (const [index, { address, name = '' }] of given.entries()) {
    const plain = plainAddress(address)
    if (plain !== undefined) parties.set(plain, { address: plain, name })
    else errors.push({ path: `${path}[${index}].address`, code: 'address', message: 'is not an email address' })
  }
  return [...parties.values()]
}

async function filesOf(
  { files }: RestDependencies,
  given: readonly { readonly cfreId: number }[],
  { corporations }: Asker,
  errors: FieldError[],
): Promise<ActivityFile[]> {
  const found: ActivityFile[] = []
  for (const [index, { cfreId }] of given.entries()) {
    const file = await files.file(corporations, cfreId as FileId)
    if (file && file.kind !== 'email content') found.push(file)
    else errors.push({ path: `files[${index}].cfreId`, code: 'unknown', message: 'there is no file with this cfreId' })
  }
  const bytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const isTooLarge = bytes > FILES_BYTES_MAX
  if (isTooLarge) errors.push({ path: 'files', code: 'size', message: 'the files exceed 18 MiB in total' })
  return found
}

const elsewhere = ({ id, fileName }: ActivityFile) =>
  `the bytes of "${fileName}" (cfreId ${id}) are not on this node: send the email by the node that has the file, or ` +
  'upload it here again'

/** Copies the bytes of each file, so that files can be deleted independently. */
async function storeAll(
  { fileStore }: RestDependencies,
  { type, bytes }: { readonly type: string; readonly bytes: string },
  files: readonly ActivityFile[],
  stored: NewFile[],
): Promise<void> {
  const fileName = type === 'text/html' ? 'content.html' : 'content.txt'
  const content = Readable.from([Buffer.from(bytes)], { objectMode: false })
  stored.push({ ...(await write(content)), kind: 'email content', fileName, mimeType: type })
  for (const file of files) {
    const source = await fileStore.read(file.storage)
    if (!source) throw new Refusal(refuse('conflict', elsewhere(file)))
    stored.push({ ...(await write(source)), kind: 'attachment', fileName: file.fileName, mimeType: file.mimeType })
  }
  async function write(source: Readable) {
    const written = await fileStore.write(source, FILES_BYTES_MAX)
    if (written === 'disk full') throw new Refusal(noRoom())
    if (written === 'too large') throw new Error('a file was larger than its row says')
    return written
  }
}
