/** Email as the world brings it: by SMTP to the intake, and as a file in the mailbox that is fetched over IMAP. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { place } from './doors.ts'
import { MAILBOX } from './installation.ts'

/** What its sender wrote. Ids are without brackets. */
export interface Letter {
  readonly from: string
  readonly subject: string
  readonly text?: string
  readonly html?: string
  readonly id?: string
  /** Message-ID of the email that it answers. */
  readonly answers?: string
  readonly headers?: Readonly<Record<string, string>>
  /** `cid`: a picture that the HTML shows. */
  readonly files?: readonly { readonly filename: string; readonly content: Buffer; readonly cid?: string }[]
}

/** The email as it goes over the wire. */
export function written({ id, answers, files = [], headers = {}, ...letter }: Letter): Promise<Buffer> {
  const composer = new MailComposer({
    to: MAILBOX,
    text: letter.html === undefined ? 'Dear all.' : undefined,
    ...letter,
    ...(id !== undefined && { messageId: `<${id}>` }),
    ...(answers !== undefined && { inReplyTo: `<${answers}>`, references: `<${answers}>` }),
    headers: { ...headers },
    attachments: files.map((file) => ({ ...file })),
  })
  return composer.compile().build()
}

/** Brings it by SMTP. Resolves when it is stored, rejects when it is refused. */
export async function bring(letter: Letter): Promise<void> {
  const raw = await written(letter)
  const connection = new SMTPConnection({ host: '127.0.0.1', port: place.ports.intake, ignoreTLS: true })
  await new Promise<void>((done, failed) => {
    connection.once('error', failed)
    connection.connect((unreachable) => {
      if (unreachable) return failed(unreachable)
      connection.send({ from: letter.from, to: [MAILBOX] }, raw, (refused) => (refused ? failed(refused) : done()))
    })
  }).finally(() => connection.quit())
}

/** Puts it into the mailbox, where Dovecot and then the service find it. */
export async function putIntoMailbox(name: string, letter: Letter): Promise<void> {
  const file = join(place.mailbox, 'mail', 'new', name)
  writeFileSync(file, await written(letter))
  // Dovecot is nobody.
  chmodSync(file, 0o666)
}

/** All emails that went out, as they were sent. */
export function sentMails(): string[] {
  return readdirSync(place.sentMail).map((name) => readFileSync(join(place.sentMail, name), 'utf8'))
}
