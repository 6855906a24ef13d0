/** An email as answers write it (contract.md §2.6, D-19). */
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
  address: Type.String({ description: 'In small letters' }),
  name: Type.String({ description: 'Empty where none was given' }),
})

const FileReference = Type.Object({
  cfreId: Type.Integer(),
  type: Type.Integer({ description: '1 inline image, 2 attachment, 17 content of an email' }),
  fileName: Type.String(),
  mimeType: Type.String({ description: 'As its sender called it' }),
  size: Type.Integer({ description: 'In bytes' }),
  contentId: Type.Union([Type.String(), Type.Null()], {
    description: 'What the HTML calls an inline image: cid: and this',
  }),
})

const Outgoing = Type.Object(
  {
    state: Type.Enum(['queued', 'sending', 'sent', 'failed', 'unknown'], {
      description:
        'failed: refused, or reported later as not delivered to anybody; unknown: it may have been sent or not, ' +
        'and is not sent again by itself',
    }),
    tries: Type.Integer(),
    why: Type.Union([Type.String(), Type.Null()], { description: 'What the other side said last' }),
    nextTryTs: InstantOut('When it is tried again'),
    sentTs: InstantOut('When the other side took it'),
  },
  { description: 'Of an email of ours: how it fares' },
)

/** An email with its words. */
export const EmailContent = Type.Object({
  eactId: Type.Integer(),
  subject: Type.String(),
  from: Type.Union([Party, Type.Null()], { description: 'As the email says; nobody has proven it' }),
  to: Type.Array(Party),
  cc: Type.Array(Party),
  date: InstantOut('As the email says, or when it came'),
  contentType: Type.Enum(['text/html', 'text/plain'], { description: 'Of what is answered without Accept' }),
  html: Type.Union([Type.String(), Type.Null()], { description: 'Safe to be shown; pictures are cid: of the files' }),
  text: Type.String({ description: 'What a person reads in it' }),
  coreFileReferences: Type.Array(FileReference),
  messageId: Type.String({ description: 'Without brackets' }),
  automatic: Type.Union([Type.String(), Type.Null()], { description: 'Why a machine wrote it; null: a person did' }),
  outgoing: Type.Union([Outgoing, Type.Null()]),
})

/** One as an answer writes it. */
export function emailOut(mail: StoredMail, html: string | null) {
  const { activity, subject, from, to, cc, dateAtMs, text, files, messageId, automatic, outgoing } = mail
  return {
    ...{ eactId: activity, subject, from: from && partyOut(from), to: to.map(partyOut), cc: cc.map(partyOut) },
    ...{ date: instantText(dateAtMs), contentType: html === null ? 'text/plain' : 'text/html', html, text },
    ...{ coreFileReferences: files.map(fileOut), messageId, automatic },
    outgoing: outgoing && {
      ...{ state: outgoing.state, tries: outgoing.tries, why: outgoing.why },
      ...{ nextTryTs: instantText(outgoing.nextTryAtMs), sentTs: instantText(outgoing.sentAtMs) },
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
