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
/** So many visits may end at one message: afterwards a notice stands for it, and those after it are taken. */
const TRIES_MAX = 3

/** The message at which the last visits ended. */
interface Stuck {
  uid: number
  visits: number
}

/** Polls a mailbox, over a new connection each time. The server's mailbox is unchanged: the database has the place. */
export function imapPoll(dependencies: ImapPollDependencies): Periodic {
  const { clock, log, mailbox, imap } = dependencies
  // Logs name the mailbox, not its address.
  const about = { mailbox: mailbox.name, server: imap.host }
  const stuck: Stuck = { uid: 0, visits: 0 }
  let failures = 0
  const work = async (mayGoOn: () => boolean) => {
    try {
      const taken = await visitMailbox(dependencies, () => !mayGoOn(), stuck)
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

/** One visit: takes in new emails, oldest first, and returns their number. Rejects when it cannot go on (email-23). */
export async function visitMailbox(
  dependencies: ImapPollDependencies,
  mayStop: () => boolean = () => false,
  stuck: Stuck = { uid: 0, visits: 0 },
): Promise<number> {
  const { clock, mails, mailbox, imap, intake } = dependencies
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
        const raw = await fetchMessage(dependencies, client, uid, stuck)
        if (raw) await intake.take(raw, mailbox, undefined)
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

/** Undefined where it was deleted meanwhile. */
async function fetchMessage(
  dependencies: ImapPollDependencies,
  client: ImapFlow,
  uid: number,
  stuck: Stuck,
): Promise<Buffer | undefined> {
  const { mailbox, imap, log } = dependencies
  if (stuck.uid !== uid) Object.assign(stuck, { uid, visits: 0 })
  if (stuck.visits === TRIES_MAX) {
    log.error({ mailbox: mailbox.name, uid }, 'an email cannot be fetched: a notice was stored instead')
    const head = await client.fetchOne(String(uid), { headers: true }, { uid: true }).catch(() => false as const)
    const where = `${imap.folder} of ${mailbox.address}`
    return headAlone(head ? head.headers : undefined, `Email ${uid} in ${where} could not be fetched.`)
  }
  try {
    return await readMessage(dependencies, client, uid)
  } catch (error) {
    stuck.visits++
    throw error
  }
}

/** Of an email that is too large only the header is read. */
async function readMessage(
  { mailbox, log }: ImapPollDependencies,
  client: ImapFlow,
  uid: number,
): Promise<Buffer | undefined> {
  const about = await client.fetchOne(String(uid), { size: true, headers: true }, { uid: true })
  if (!about) return goneFrom(client)
  const { size = 0, headers } = about
  if (size > MAIL_BYTES_MAX) {
    log.warn({ mailbox: mailbox.name, uid, bytes: size }, 'an email is too large: only its header was stored')
    return headAlone(headers, `This email has ${size} bytes, which is more than is taken (25 MiB).`)
  }
  const whole = await client.fetchOne(String(uid), { source: true }, { uid: true })
  return whole ? whole.source : goneFrom(client)
}

/** The library finds nothing as well where the connection has ended: that email is still there. */
function goneFrom(client: ImapFlow): undefined {
  if (!client.usable || client.mailbox === false) throw new Error('the connection ended between two emails')
}

function headAlone(headers: Buffer | undefined, why: string): Buffer {
  const head = (headers ?? Buffer.alloc(0)).toString('latin1')
  const own = head.replaceAll(/^(content-|mime-version)[^\n]*\n([ \t][^\n]*\n)*/gim, '').trimEnd()
  return Buffer.from(`${own}\r\n\r\n${why} It is in its mailbox.\r\n`, 'latin1')
}

async function leave(client: ImapFlow): Promise<void> {
  try {
    if (client.usable) await client.logout()
  } catch {
    // It is gone already.
  }
  client.close()
}
