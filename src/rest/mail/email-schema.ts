/** Schema of an email (contract.md §2.6, D-19). */
import { Type } from 'typebox'
import type { ActivityFile, FileKind } from '../../ports/files.ts'
import type { MailParty, StoredMail } from '../../ports/mail.ts'
import { InstantOut, instantText } from '../http/list-params.ts'

/** contract.md §2.6 and §2.8. */
const FILE_TYPES: Readonly<Record<FileKind, number>> = {
  'inline image': 1,
  attachment: 2,
  upload: 3,
  'email content': 17,
}

const Party = Type.Object({
  address: Type.String({ description: 'Address in lower case' }),
  name: Type.String({ description: 'Display name; empty if none was given' }),
})

const FileReference = Type.Object({
  cfreId: Type.Integer(),
  type: Type.Integer({ description: '1 inline image, 2 attachment, 17 content of an email' }),
  fileName: Type.String(),
  mimeType: Type.String({ description: 'Media type given by the sender' }),
  size: Type.Integer({ description: 'Size in bytes' }),
  contentId: Type.Union([Type.String(), Type.Null()], {
    description: 'Content id of an inline image; the HTML refers to it with the prefix cid:',
  }),
})

const Outgoing = Type.Object(
  {
    state: Type.Enum(['queued', 'sending', 'sent', 'failed', 'unknown'], {
      description:
        'failed: refused, or later reported as undeliverable; unknown: it may have been sent, and is not sent again ' +
        'automatically',
    }),
    tries: Type.Integer(),
    why: Type.Union([Type.String(), Type.Null()], { description: 'Last response of the mail server' }),
    nextTryTs: InstantOut('Time of the next attempt'),
    sentTs: InstantOut('Time when the mail server accepted it'),
  },
  { description: 'Delivery state of an outgoing email' },
)

const result = (method: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `Result of ${method}, such as pass or fail; null: none` })
const Authentication = Type.Object({ spf: result('SPF'), dkim: result('DKIM'), dmarc: result('DMARC') })

export const EmailContent = Type.Object({
  eactId: Type.Integer(),
  subject: Type.String(),
  from: Type.Union([Party, Type.Null()], { description: 'Sender as given in the email; not verified' }),
  to: Type.Array(Party),
  cc: Type.Array(Party),
  date: InstantOut('Date of the email; the arrival time if it has none'),
  contentType: Type.Enum(['text/html', 'text/plain'], {
    description: 'Media type of the content without an Accept header',
  }),
  html: Type.Union([Type.String(), Type.Null()], {
    description: 'Sanitized HTML; images refer to files with the prefix cid:',
  }),
  text: Type.String({ description: 'Readable text of the email' }),
  coreFileReferences: Type.Array(FileReference),
  messageId: Type.String({ description: 'Message-ID without brackets' }),
  automatic: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the email counts as automatic; null if a person wrote it',
  }),
  authentication: Type.Union([Authentication, Type.Null()], {
    description: 'What the receiving server found about the sender; null without the setting authenticatedBy',
  }),
  outgoing: Type.Union([Outgoing, Type.Null()]),
})

/** An email as an answer. */
export function emailOut(mail: StoredMail, html: string | null) {
  const { activity, subject, from, to, cc, dateAtMs, text, files, messageId, automatic, authentication, outgoing } =
    mail
  return {
    eactId: activity,
    subject,
    from: from && partyOut(from),
    to: to.map(partyOut),
    cc: cc.map(partyOut),
    date: instantText(dateAtMs),
    contentType: html === null ? 'text/plain' : 'text/html',
    html,
    text,
    coreFileReferences: files.map(fileOut),
    messageId,
    automatic,
    authentication,
    outgoing: outgoing && {
      state: outgoing.state,
      tries: outgoing.tries,
      why: outgoing.why,
      nextTryTs: instantText(outgoing.nextTryAtMs),
      sentTs: instantText(outgoing.sentAtMs),
    },
  }
}

function partyOut({ address, name }: MailParty) {
  return { address, name }
}

function fileOut({ id, kind, fileName, mimeType, sizeBytes, contentId }: ActivityFile) {
  const type = FILE_TYPES[kind]
  return { cfreId: id, type, fileName, mimeType, size: sizeBytes, contentId: contentId ?? null }
}
