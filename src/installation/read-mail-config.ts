import { parseDuration } from '../kernel/duration.ts'
import type { TeamName } from '../kernel/ids.ts'
import type { ImapConfig, MailboxConfig, MailConfig, MailServerConfig, MailTls } from './config.ts'
import type { ConfigFile } from './config-schema.ts'

type MailFile = NonNullable<ConfigFile['mail']>
type MailboxFile = MailFile['mailboxes'][string]

/** Fills in the defaults of the section `mail`. */
export function mailOf({ mailboxes, intake, outbound }: MailFile): MailConfig {
  return {
    mailboxes: Object.entries(mailboxes).map(([name, mailbox]) => mailboxOf(name, mailbox)),
    intake: intake && {
      protocol: intake.protocol ?? 'smtp',
      host: intake.host ?? '127.0.0.1',
      port: intake.port,
      certificateFile: intake.certificateFile,
      keyFile: intake.keyFile,
    },
    outbound: outbound && serverOf(outbound, { starttls: 587, implicit: 465, none: 25 }),
  }
}

function mailboxOf(
  name: string,
  { address, title, queue, opensCases = false, authenticatedBy, imap }: MailboxFile,
): MailboxConfig {
  return {
    name,
    address: address.toLowerCase(),
    title: title ?? name,
    team: queue as TeamName | undefined,
    opensCases,
    authenticatedBy,
    imap: imap && imapOf(imap),
  }
}

function imapOf(imap: NonNullable<MailboxFile['imap']>): ImapConfig {
  const server = serverOf({ ...imap, tls: imap.tls ?? 'implicit' }, { starttls: 143, implicit: 993, none: 143 })
  const { username, passwordFrom, folder = 'INBOX', every = '30s' } = imap
  return { ...server, username, passwordFrom, folder, everyMs: parseDuration(every)! }
}

type ServerFile = NonNullable<MailFile['outbound']>

function serverOf(server: ServerFile, ports: Readonly<Record<MailTls, number>>): MailServerConfig {
  const { host, tls = 'starttls', port = ports[tls], username, passwordFrom } = server
  return { host, port, tls, username, passwordFrom }
}
