import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Mail, MailParty, MailToSend, Sending } from '../../ports/mail.ts'

interface SmtpMailOptions {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: string | undefined
  /** `starttls`: required; `implicit`: from the first byte; `none`: for a server on this machine. */
  readonly tls: 'starttls' | 'implicit' | 'none'
}

const CONNECT_TIMEOUT_MS = 20_000
/** RFC 5321 §4.5.3.2.6 gives a server ten minutes to confirm a message. */
const ANSWER_TIMEOUT_MS = 600_000

/** Email over SMTP, one connection for each. */
export function smtpMail(options: SmtpMailOptions): Mail {
  return {
    async send(message) {
      /** From here on the server may have the email. */
      const journey = { hasBegun: false }
      try {
        const bytes = await compose(message)
        return await deliver(options, message, bytes, journey)
      } catch (error) {
        return resultOf(error as SmtpError, journey.hasBegun)
      }
    },
  }
}

/** The message as bytes. Names and texts are encoded by RFC 5322: a line break in them cannot begin a header. */
function compose({ from, to, cc, files, references, inReplyTo, ...message }: MailToSend): Promise<Buffer> {
  const composer = new MailComposer({
    from: party(from),
    to: to.map(party),
    cc: cc.map(party),
    subject: message.subject,
    text: message.text,
    messageId: `<${message.messageId}>`,
    date: new Date(message.dateAtMs),
    ...(message.html !== undefined && { html: message.html }),
    ...(inReplyTo !== undefined && { inReplyTo: `<${inReplyTo}>` }),
    ...(references.length > 0 && { references: references.map((id) => `<${id}>`) }),
    attachments: files.map(({ fileName, mimeType, contentId, bytes }) => ({
      filename: fileName,
      contentType: mimeType,
      content: Buffer.from(bytes),
      ...(contentId !== undefined && { cid: contentId }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

function party({ address, name }: MailParty): { address: string; name: string } {
  return { address, name }
}

function deliver(
  { host, port, username, password, tls }: SmtpMailOptions,
  { from, to, cc, recipients: left }: MailToSend,
  bytes: Buffer,
  journey: { hasBegun: boolean },
): Promise<Sending> {
  const connection = new SMTPConnection({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
  })
  async function* body() {
    // The connection asks for it once the server accepts the data.
    journey.hasBegun = true
    yield bytes
  }
  const recipients = [...(left ?? new Set([...to, ...cc].map(({ address }) => address)))]
  const envelope = { from: from.address, to: recipients, size: bytes.length }
  return new Promise<Sending>((resolve, reject) => {
    connection.once('error', reject)
    // The connection may also close without a reply.
    connection.once('end', () => reject(new Error('the server closed the connection')))
    const send = () => {
      connection.send(envelope, Readable.from(body()), (error, info) => {
        if (error) return reject(error)
        const errors = (info.rejectedErrors ?? []) as readonly SmtpError[]
        const later = errors.filter(({ responseCode = 0 }) => responseCode < 500).map(({ recipient = '' }) => recipient)
        const refused = (info.rejected ?? []).map(String).filter((address) => !later.includes(address))
        resolve({ outcome: 'sent', refused, ...(later.length > 0 && { later }) })
      })
    }
    connection.connect((error) => {
      if (error) return reject(error)
      if (username === undefined) return send()
      connection.login({ user: username, pass: password ?? '' }, (refused) => (refused ? reject(refused) : send()))
    })
  }).finally(() => connection.close())
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  /** Whom the answer was about. */
  readonly recipient?: string
  readonly rejectedErrors?: readonly SmtpError[]
}

/** A definite reply is final; silence after the transfer began means that the result is unknown. */
function resultOf(error: SmtpError, hasBegun: boolean): Sending {
  const why = error.message.slice(0, 500)
  const { responseCode, rejectedErrors = [], command = '' } = error
  const isAnswer = responseCode !== undefined && responseCode >= 400
  if (hasBegun && !isAnswer) return { outcome: 'unknown', why: `the connection ended before the answer: ${why}` }
  // A server that does not know us, or is overloaded, may accept later: an operator can fix that.
  const isAboutMessage = hasBegun || /^(MAIL|RCPT|DATA)/i.test(command)
  const codes = rejectedErrors.length > 0 ? rejectedErrors.map((each) => each.responseCode ?? 0) : [responseCode ?? 0]
  const isFinal = isAnswer && isAboutMessage && codes.every((code) => code >= 500)
  return { outcome: isFinal ? 'refused' : 'later', why }
}
