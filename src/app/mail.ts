import { readFileSync } from 'node:fs'
import { imapPoll } from '../adapters/mail/imap-poll.ts'
import { MailIntake } from '../adapters/mail/mail-intake.ts'
import { MailReaderProcess } from '../adapters/mail/mail-reader.ts'
import { type SmtpIntake, startSmtpIntake } from '../adapters/mail/smtp-intake.ts'
import { smtpMail } from '../adapters/mail/smtp-mail.ts'
import { mailSender } from '../core/workers/mail-sender.ts'
import type { MailConfig, MailIntakeConfig } from '../installation/config.ts'
import type { Clock } from '../kernel/clock.ts'
import { FIRST_CORPORATION } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Periodic } from '../kernel/periodic.ts'
import type { FileStore } from '../ports/files.ts'
import type { MailboxEntry, Mails } from '../ports/mail.ts'
import type { Work } from './run-work.ts'

interface MailOptions {
  readonly dependencies: {
    readonly node: string
    readonly clock: Clock
    readonly log: Log
    readonly mails: Mails
    readonly fileStore: FileStore
  }
  readonly mail: MailConfig | undefined
  readonly secret: (variable: string) => string | undefined
}

/** The addresses of ours that email comes to. */
export function mailboxesOf(mail: MailConfig | undefined): MailboxEntry[] {
  return (mail?.mailboxes ?? []).map(({ address, title, team, opensCases, authenticatedBy }) => {
    return { corporation: FIRST_CORPORATION, address, name: title, team, opensCases, authenticatedBy }
  })
}

/** A relay may take ten minutes to confirm a message: others go on meanwhile. Our choice. */
const SENDERS = 4

/** What runs for email; each part is absent where the configuration does not ask for it. */
interface MailWork {
  /** Begins with the first email. */
  readonly reader: Work | undefined
  readonly intake: Work | undefined
  readonly fetching: Work | undefined
  readonly sending: Work | undefined
}

/** Joins the parts. One intake reads all email, whichever way it comes: one message at a time needs memory. */
export function mailWork({ dependencies, mail, secret }: MailOptions): MailWork {
  const { node, clock, log, mails, fileStore } = dependencies
  const mailboxes = mailboxesOf(mail)
  const reader = new MailReaderProcess(clock)
  const intake = new MailIntake({ clock, log, reader, mails, fileStore, mailboxes })
  const polls = (mail?.mailboxes ?? []).flatMap(({ imap }, place) => {
    if (!imap) return []
    const { passwordFrom, ...rest } = imap
    const account = { ...rest, password: secret(passwordFrom) ?? '' }
    // Both lists stand in the order of the configuration.
    return [imapPoll({ clock, log, mails, intake, mailbox: mailboxes[place]!, imap: account })]
  })
  const senders = [mail?.outbound ?? []].flat().flatMap(({ passwordFrom, ...out }) => {
    const password = passwordFrom === undefined ? undefined : secret(passwordFrom)
    const sender = () => mailSender({ node, clock, log, mails, fileStore, mail: smtpMail({ ...out, password }) })
    return Array.from({ length: SENDERS }, sender)
  })
  return {
    reader: mailboxes.length === 0 ? undefined : { name: 'mail reader', start: () => {}, stop: () => reader.close() },
    intake: mail?.intake && intakeServer(intake, mail.intake, log),
    fetching: together('mail fetching', polls),
    sending: together('mail sending', senders),
  }
}

function together(name: string, workers: readonly Periodic[]): Work | undefined {
  if (workers.length === 0) return undefined
  return {
    name,
    start() {
      for (const worker of workers) worker.start()
    },
    stop: () => Promise.all(workers.map((worker) => worker.stop())),
  }
}

/** Its start rejects when the port is taken or a certificate cannot be read. */
function intakeServer(intake: MailIntake, config: MailIntakeConfig, log: Log): Work {
  let server: SmtpIntake | undefined
  return {
    name: 'mail intake',
    async start() {
      server = await listen(intake, config, log)
    },
    stop: () => server?.close(),
  }
}

async function listen(intake: MailIntake, config: MailIntakeConfig, log: Log): Promise<SmtpIntake> {
  const { certificateFile, keyFile, ...place } = config
  const isSecret = certificateFile !== undefined && keyFile !== undefined
  const tls = isSecret
    ? { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    : undefined
  const server = await startSmtpIntake(intake, { ...place, tls, log })
  log.info({ protocol: place.protocol, host: place.host, port: server.port }, 'mail intake listens')
  return server
}
