import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Log } from '../../kernel/log.ts'
import { MAIL_BYTES_MAX, RECIPIENTS_MAX } from '../../ports/mail.ts'
import type { MailIntake } from './mail-intake.ts'

interface SmtpIntakeOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** LMTP: from a mail server of the same organisation (RFC 2033). */
  readonly protocol: 'smtp' | 'lmtp'
  /** PEM; undefined: no encryption. */
  readonly tls: { readonly key: string; readonly certificate: string } | undefined
  readonly log: Log
}

/** A server that takes email for our mailboxes only. */
export interface SmtpIntake {
  readonly port: number
  close(): Promise<void>
}

const CLIENTS_MAX = 10
const SOCKET_TIMEOUT_MS = 60_000
const CLOSE_TIMEOUT_MS = 2_000

/** Starts it; rejects when the port is taken. */
export async function startSmtpIntake(intake: MailIntake, options: SmtpIntakeOptions): Promise<SmtpIntake> {
  const { host, port, protocol, tls, log } = options
  const server = new SMTPServer({
    lmtp: protocol === 'lmtp',
    size: MAIL_BYTES_MAX,
    maxClients: CLIENTS_MAX,
    logger: false,
    banner: 'Switchboard',
    // There is no log-in here: relaying is refused at the first recipient.
    authOptional: true,
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    socketTimeout: SOCKET_TIMEOUT_MS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    ...(tls && { key: tls.key, cert: tls.certificate }),
    onRcptTo({ address }, session, done) {
      if (!intake.mailboxOf(address)) return done(answer(550, '5.1.1 there is no such mailbox here, and no way on'))
      if (session.envelope.rcptTo.length >= RECIPIENTS_MAX) return done(answer(452, '4.5.3 too many recipients'))
      done()
    },
    onData(stream, session, done) {
      receive(intake, stream, session).then(
        () => done(null, 'kept'),
        (error: unknown) => {
          if (!(error instanceof Error && 'responseCode' in error)) {
            log.error({ err: error }, 'email not stored; the sending server must retry')
          }
          done(error instanceof Error && 'responseCode' in error ? error : answer(451, '4.3.0 not now; bring it again'))
        },
      )
    },
  })
  // A client that breaks off causes no harm.
  server.on('error', (error: Error) => log.warn({ error: error.message }, 'a connection of the mail intake broke'))
  server.listen(port, host)
  await Promise.race([
    once(server.server, 'listening'),
    once(server.server, 'error').then(([error]) => Promise.reject(error as Error)),
  ])
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** One email stays one, for any number of our mailboxes. */
async function receive(intake: MailIntake, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // The protocol requires reading an oversized email to its end; the excess is discarded.
    if (bytes <= MAIL_BYTES_MAX) chunks.push(chunk)
    else chunks.length = 0
  }
  if (bytes > MAIL_BYTES_MAX) throw answer(552, '5.3.4 an email has at most 25 MiB here')
  const { mailFrom, rcptTo } = session.envelope
  const mailbox = rcptTo.map(({ address }) => intake.mailboxOf(address)).find((found) => found !== undefined)
  if (!mailbox) throw answer(550, '5.1.1 there is no such mailbox here')
  await intake.take(Buffer.concat(chunks), mailbox, mailFrom === false ? '' : mailFrom.address)
}

function answer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}
