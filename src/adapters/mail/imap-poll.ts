import { ImapFlow } from 'imapflow'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import { MAIL_BYTES_MAX, type MailboxEntry, type MailboxPlace, type Mails } from '../../ports/mail.ts'
import type { MailIntake } from './mail-intake.ts'

export interface ImapMailbox {
  readonly host: string
  readonly port: number
  /** `implicit`: from the first byte; `starttls`: required; `none`: for a server on this machine. */
  readonly tls: 'implicit' | 'starttls' | 'none'
  readonly username: string
  readonly password: string
  readonly folder: string
  readonly everyMs: number
}

interface ImapPollDependencies {
  readonly clock: Clock
  readonly log: Log
  readonly mails: Mails
  readonly intake: MailIntake
  readonly mailbox: MailboxEntry
  readonly imap: ImapMailbox
}

/** Per visit: the rest waits for the next one, within the claim. */
const MESSAGES_MAX = 100
/** Longer than a visit takes. */
const CLAIM_MS = 15 * 60_000
const WAIT_MAX_MS = 10 * 60_000
const TIMEOUT_MS = 60_000

/** Polls a mailbox, over a new connection each time. The server's mailbox is unchanged: the database has the place. */
export function imapPoll(dependencies: ImapPollDependencies): Periodic {
  const { clock, log, mailbox, imap } = dependencies
  // Logs name the mailbox, not its address.
  const about = { mailbox: mailbox.name, server: imap.host }
  let failures = 0
  const work = async (mayGoOn: () => boolean) => {
    try {
      const taken = await visitMailbox(dependencies, () => !mayGoOn())
      if (taken > 0) log.info({ ...about, emails: taken }, 'fetched emails')
      failures = 0
    } catch (error) {
      failures++
      const { message } = error as Error
      log.warn({ ...about, failures, error: message }, 'a mailbox could not be read')
    }
  }
  // An unreachable server is polled less and less often.
  const pauseMs = () => Math.min(imap.everyMs * 2 ** Math.min(failures, 20), Math.max(imap.everyMs, WAIT_MAX_MS))
  return new Periodic({ clock, pauseMs, work })
}

/** One visit: takes in new emails, oldest first, and returns their number. Rejects when it cannot go on. */
export async function visitMailbox(
  dependencies: ImapPollDependencies,
  mayStop: () => boolean = () => false,
): Promise<number> {
  const { clock, mails, mailbox, imap } = dependencies
  const { corporation, address } = mailbox
  const now = clock.nowMs()
  const known = await mails.claimMailbox(corporation, address, now, now + CLAIM_MS)
  if (!known) return 0
  let place = known
  const client = clientOf(imap)
  try {
    await client.connect()
    const lock = await client.getMailboxLock(imap.folder, { readOnly: true })
    try {
      const uidValidity = Number(client.mailbox === false ? 0 : client.mailbox.uidValidity)
      // A new validity means new numbers: all emails are read again, and known ones stay as they are.
      if (uidValidity !== place.uidValidity) place = { uidValidity, lastUid: 0 }
      const uids = await newUids(client, place)
      let taken = 0
      for (const uid of uids) {
        if (mayStop()) break
        await takeMessage(dependencies, client, uid)
        place = { uidValidity, lastUid: uid }
        await mails.keepMailbox(corporation, address, place, clock.nowMs() + CLAIM_MS)
        taken++
      }
      return taken
    } finally {
      lock.release()
    }
  } catch (error) {
    throw withServerResponse(error as ImapError)
  } finally {
    await leave(client)
    await mails.keepMailbox(corporation, address, place, 0)
  }
}

interface ImapError extends Error {
  readonly serverResponseCode?: string
  readonly responseText?: string
}

/** "Command failed" does not help; the server's response does. */
function withServerResponse(error: ImapError): Error {
  const { message, serverResponseCode, responseText } = error
  const response = [serverResponseCode, responseText].filter(Boolean).join(' ').slice(0, 300)
  return response === '' ? error : new Error(`${message}: ${response}`, { cause: error })
}

function clientOf({ host, port, tls, username, password }: ImapMailbox): ImapFlow {
  const client = new ImapFlow({
    host,
    port,
    secure: tls === 'implicit',
    doSTARTTLS: tls === 'starttls',
    logger: false,
    disableAutoIdle: true,
    auth: { user: username, pass: password },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  // Running commands reject by themselves.
  client.on('error', () => {})
  return client
}

async function newUids(client: ImapFlow, { lastUid }: MailboxPlace): Promise<number[]> {
  const found = (await client.search({ uid: `${lastUid + 1}:*` }, { uid: true })) || []
  // RFC 9051 §6.4.8: "5:*" names the newest message, even if its number is below 5.
  return found
    .filter((uid) => uid > lastUid)
    .sort((a, b) => a - b)
    .slice(0, MESSAGES_MAX)
}

/** Of an email that is too large only the header is read. */
async function takeMessage(
  { intake, mailbox, log }: ImapPollDependencies,
  client: ImapFlow,
  uid: number,
): Promise<void> {
  const about = await client.fetchOne(String(uid), { size: true, headers: true }, { uid: true })
  // It was deleted meanwhile.
  if (!about) return
  if ((about.size ?? 0) > MAIL_BYTES_MAX) {
    log.warn({ mailbox: mailbox.name, uid, bytes: about.size }, 'an email is too large: only its header was stored')
    await intake.take(headAlone(about.headers, about.size ?? 0), mailbox, undefined)
    return
  }
  const whole = await client.fetchOne(String(uid), { source: true }, { uid: true })
  if (whole && whole.source !== undefined) await intake.take(whole.source, mailbox, undefined)
}

function headAlone(headers: Buffer | undefined, bytes: number): Buffer {
  const head = (headers ?? Buffer.alloc(0)).toString('latin1')
  const own = head.replaceAll(/^(content-|mime-version)[^\n]*\n([ \t][^\n]*\n)*/gim, '').trimEnd()
  const text = `This email has ${bytes} bytes, which is more than is taken (25 MiB). It is in its mailbox.`
  return Buffer.from(`${own}\r\n\r\n${text}\r\n`, 'latin1')
}

async function leave(client: ImapFlow): Promise<void> {
  try {
    if (client.usable) await client.logout()
  } catch {
    // It is gone already.
  }
  client.close()
}
