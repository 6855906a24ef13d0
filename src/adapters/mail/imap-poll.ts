import { ImapFlow } from 'imapflow'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import { MAIL_BYTES_MAX, type MailboxEntry, type MailboxPlace, type Mails } from '../../ports/mail.ts'
import type { MailIntake } from './mail-intake.ts'

/** A mailbox on somebody's server. */
export interface ImapMailbox {
  readonly host: string
  readonly port: number
  /** `implicit`: from the first byte; `starttls`: it must be able to; `none`: for a server on our own machine. */
  readonly tls: 'implicit' | 'starttls' | 'none'
  readonly username: string
  readonly password: string
  readonly folder: string
  readonly everyMs: number
}

/** What reading a mailbox works with. */
interface ImapPollDependencies {
  readonly clock: Clock
  readonly log: Log
  readonly mails: Mails
  readonly intake: MailIntake
  readonly mailbox: MailboxEntry
  readonly imap: ImapMailbox
}

/** Of one visit; the rest waits for the next, so that the right to read never runs out on the way. */
const MESSAGES_MAX = 100
/** Longer than a visit takes. */
const CLAIM_MS = 15 * 60_000
const WAIT_MAX_MS = 10 * 60_000
const TIMEOUT_MS = 60_000

/**
 * Visits a mailbox again and again and takes in what is new. Each visit is a connection of its own: nothing is left of
 * one that broke. Nothing is changed or deleted there: our place is remembered by us.
 */
export function imapPoll(dependencies: ImapPollDependencies): Periodic {
  const { clock, log, mailbox, imap } = dependencies
  // An address would not stand in a log.
  const about = { mailbox: mailbox.name, server: imap.host }
  let failures = 0
  const work = async (mayGoOn: () => boolean) => {
    try {
      const taken = await visitMailbox(dependencies, () => !mayGoOn())
      if (taken > 0) log.info({ ...about, emails: taken }, 'emails were fetched')
      failures = 0
    } catch (error) {
      failures++
      const { message } = error as Error
      log.warn({ ...about, failures, error: message }, 'a mailbox could not be read')
    }
  }
  // A server that is away is asked less and less often.
  const pauseMs = () => Math.min(imap.everyMs * 2 ** Math.min(failures, 20), Math.max(imap.everyMs, WAIT_MAX_MS))
  return new Periodic({ clock, pauseMs, work })
}

/** One visit: takes in what is new, oldest first, and answers how many that were. Rejects when it cannot go on. */
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
      // Another validity means other numbers: all is read again, and what is here already stays as it is.
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
    throw withServersWords(error as ImapError)
  } finally {
    await leave(client)
    await mails.keepMailbox(corporation, address, place, 0)
  }
}

interface ImapError extends Error {
  readonly serverResponseCode?: string
  readonly responseText?: string
}

/** "Command failed" helps nobody; what the server said of it does. */
function withServersWords(error: ImapError): Error {
  const { message, serverResponseCode, responseText } = error
  const words = [serverResponseCode, responseText].filter(Boolean).join(' ').slice(0, 300)
  return words === '' ? error : new Error(`${message}: ${words}`, { cause: error })
}

function clientOf({ host, port, tls, username, password }: ImapMailbox): ImapFlow {
  const client = new ImapFlow({
    ...{ host, port, secure: tls === 'implicit', doSTARTTLS: tls === 'starttls', logger: false, disableAutoIdle: true },
    ...{ auth: { user: username, pass: password }, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS },
    socketTimeout: TIMEOUT_MS,
  })
  // What is under way rejects by itself.
  client.on('error', () => {})
  return client
}

async function newUids(client: ImapFlow, { lastUid }: MailboxPlace): Promise<number[]> {
  const found = (await client.search({ uid: `${lastUid + 1}:*` }, { uid: true })) || []
  // RFC 9051 §6.4.8: "5:*" names the newest message also where that is older than 5.
  return found
    .filter((uid) => uid > lastUid)
    .sort((a, b) => a - b)
    .slice(0, MESSAGES_MAX)
}

/** One that is too large is known by its head alone; its words stay where they are. */
async function takeMessage(
  { intake, mailbox, log }: ImapPollDependencies,
  client: ImapFlow,
  uid: number,
): Promise<void> {
  const about = await client.fetchOne(String(uid), { size: true, headers: true }, { uid: true })
  // Somebody deleted it meanwhile.
  if (!about) return
  if ((about.size ?? 0) > MAIL_BYTES_MAX) {
    log.warn({ mailbox: mailbox.name, uid, bytes: about.size }, 'an email is too large: only its head was kept')
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
    // It is gone already, which is what was wanted.
  }
  client.close()
}
