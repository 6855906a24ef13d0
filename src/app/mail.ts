/** Email of a service, joined: what comes in, what is fetched, what goes out. */
import { readFileSync } from 'node:fs'
import { imapPoll } from '../adapters/mail/imap-poll.ts'
import { MailIntake } from '../adapters/mail/mail-intake.ts'
import { type SmtpIntake, startSmtpIntake } from '../adapters/mail/smtp-intake.ts'
import { smtpMail } from '../adapters/mail/smtp-mail.ts'
import { mailSender } from '../core/workers/mail-sender.ts'
import type { MailConfig, MailIntakeConfig } from '../installation/config.ts'
import type { Clock } from '../kernel/clock.ts'
import { FIRST_CORPORATION } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { FileStore } from '../ports/files.ts'
import type { MailboxEntry, Mails } from '../ports/mail.ts'

/** What email of a service is made of. */
export interface CoreMailInput {
  readonly clock: Clock
  readonly log: Log
  readonly mails: Mails
  readonly fileStore: FileStore
  readonly mail: MailConfig | undefined
  /** The value of an environment variable. */
  readonly secret: (variable: string) => string | undefined
}

/** The addresses of ours that email comes to. */
export function mailboxesOf(mail: MailConfig | undefined): MailboxEntry[] {
  return (mail?.mailboxes ?? []).map(({ address, title, team, opensCases }) => {
    return { corporation: FIRST_CORPORATION, address, name: title, team, opensCases }
  })
}

/** Starts everything that the set-up names; rejects when a port is taken or a certificate cannot be read. */
export async function startMail(input: CoreMailInput): Promise<{ stop(): Promise<void> }> {
  const { clock, log, mails, fileStore, mail, secret } = input
  const mailboxes = mailboxesOf(mail)
  const intake = new MailIntake({ clock, mails, fileStore, mailboxes })
  const server = mail?.intake && (await listen(intake, mail.intake, log))
  const polls = (mail?.mailboxes ?? []).flatMap(({ imap }, place) => {
    if (!imap) return []
    const { passwordFrom, ...rest } = imap
    const account = { ...rest, password: secret(passwordFrom) ?? '' }
    // The entries stand in the order of the set-up.
    return [imapPoll({ clock, log, mails, intake, mailbox: mailboxes[place]!, imap: account })]
  })
  const senders = [mail?.outbound ?? []].flat().map(({ passwordFrom, ...out }) => {
    const password = passwordFrom === undefined ? undefined : secret(passwordFrom)
    return mailSender({ clock, log, mails, fileStore, mail: smtpMail({ ...out, password }) })
  })
  const workers = [...polls, ...senders]
  for (const worker of workers) worker.start()
  return {
    async stop() {
      await server?.close()
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

async function listen(intake: MailIntake, setup: MailIntakeConfig, log: Log): Promise<SmtpIntake> {
  const { certificateFile, keyFile, ...place } = setup
  const isSecret = certificateFile !== undefined && keyFile !== undefined
  const tls = isSecret
    ? { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    : undefined
  const server = await startSmtpIntake(intake, { ...place, tls, log })
  log.info({ protocol: place.protocol, host: place.host, port: server.port }, 'email may be brought')
  return server
}
