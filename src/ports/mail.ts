import type { AtMs } from '../kernel/clock.ts'
import type { ActivityId, CorporationId, TeamName, UserId } from '../kernel/ids.ts'
import type { ActivityFile, NewFile } from './files.ts'

/** D-30: as large as a file may be. An email is a quarter of that larger while it travels; this is what travels. */
export const MAIL_BYTES_MAX = 25 * 1024 * 1024
/** Maximum number of recipients together. */
export const RECIPIENTS_MAX = 100
/** Of subjects, in letters; RFC 5322 has no longer lines. */
export const SUBJECT_LETTERS_MAX = 998

export interface MailParty {
  /** As `plainAddress` writes it. */
  readonly address: string
  /** Empty where none was given. */
  readonly name: string
}

/** An address of ours, and what becomes of email to it. */
export interface MailboxEntry {
  readonly corporation: CorporationId
  readonly address: string
  /** What people see beside the address. */
  readonly name: string
  /** Where its cases go; undefined: into no queue. */
  readonly team: TeamName | undefined
  /** Whether an email that belongs to no case opens one; else it is a conversation and nothing more. */
  readonly opensCases: boolean
  /** Its server's name in the header Authentication-Results; undefined: no such header is believed. */
  readonly authenticatedBy?: string | undefined
}

export interface MailFile {
  readonly kind: 'inline image' | 'attachment'
  readonly fileName: string
  readonly mimeType: string
  readonly contentId?: string
  readonly bytes: Uint8Array
}

export interface Undelivered {
  /** As it was written to, and where it ended, which a redirection makes another; at least one. */
  readonly addresses: readonly string[]
  /** Status and the server's own words. */
  readonly why: string
}

/** A notice that an email was not delivered (RFC 3464). */
export interface DeliveryReport {
  /** Message-IDs of the email that it is about. */
  readonly about: readonly string[]
  readonly undelivered: readonly Undelivered[]
}

/** A result such as `pass`, `fail`, `softfail` or `none` (RFC 8601 section 2.7); null: it was not checked. */
export interface MailAuthentication {
  readonly spf: string | null
  readonly dkim: string | null
  readonly dmarc: string | null
}

/** What an email says of itself. Nothing of it is proven, its sender least of all. */
export interface MailHeaders {
  /** Without brackets; undefined where it has none. */
  readonly messageId: string | undefined
  readonly inReplyTo: readonly string[]
  readonly references: readonly string[]
  /** Undefined where the header names no address. */
  readonly from: MailParty | undefined
  readonly to: readonly MailParty[]
  readonly cc: readonly MailParty[]
  readonly subject: string
  readonly dateAtMs: AtMs | undefined
  /** What a person reads in it, always; made from the HTML where there is no other. */
  readonly text: string
  /** Headers by name in small letters, for those who tell machines from people. */
  readonly headers: ReadonlyMap<string, string>
  /** The values of its headers Authentication-Results, the last one added first. */
  readonly authenticationResults: readonly string[]
  /** As it travelled. */
  readonly sizeBytes: number
  /** The same for the same email, whichever way it took: SHA-256 of what it says, in hexadecimal digits. */
  readonly fingerprint: string
  /** Undefined where it is no report of a failed delivery. */
  readonly report: DeliveryReport | undefined
  /** What of it could not be read, in words; its bytes are then a file of it. */
  readonly trouble: string | undefined
}

export interface ReadMail extends MailHeaders {
  /** Safe to be shown; undefined where it has none. */
  readonly html: string | undefined
  readonly files: readonly MailFile[]
}

/** An email to be kept; the bytes of its files lie in the store of files already, its content first among them. */
export interface MailToKeep {
  readonly mailbox: MailboxEntry
  readonly ours: ReadonlySet<string>
  readonly words: MailHeaders
  readonly files: readonly NewFile[]
  /** Who the envelope named; empty for notices of delivery; undefined where the way in has no envelope. */
  readonly envelopeFrom: string | undefined
  readonly atMs: AtMs
}

export type MailKept =
  | {
      readonly outcome: 'kept'
      readonly activity: ActivityId
      readonly conversation: ActivityId
      /** The case that it landed on. */
      readonly case: ActivityId | undefined
      /** Why it counts as a machine's; undefined for a person's. */
      readonly automatic: string | undefined
      /** Why it is where it is. */
      readonly why: string
    }
  /** It came before; nothing was done, and its files are not wanted. */
  | { readonly outcome: 'here already'; readonly activity: ActivityId }

/** Where an email of ours stands. `unknown`: it may or may not have been sent; it is not sent again by itself. */
type OutgoingState = 'queued' | 'sending' | 'sent' | 'failed' | 'unknown'

export interface OutgoingMail {
  readonly state: OutgoingState
  readonly tries: number
  /** The last answer of the other side, if any. */
  readonly why: string | null
  readonly nextTryAtMs: AtMs | null
  readonly sentAtMs: AtMs | null
}

export interface StoredMail {
  readonly activity: ActivityId
  readonly messageId: string
  readonly from: MailParty | null
  readonly to: readonly MailParty[]
  readonly cc: readonly MailParty[]
  readonly subject: string
  readonly text: string
  readonly dateAtMs: AtMs
  readonly automatic: string | null
  readonly threaded: string
  /** What our server says about its sender; null: nothing. */
  readonly authentication: MailAuthentication | null
  /** Of an email of ours. */
  readonly outgoing: OutgoingMail | null
  /** Its content, which is of the kind `email content`, and the others. */
  readonly files: readonly ActivityFile[]
}

export interface MailToQueue {
  readonly case: ActivityId
  readonly corporations: readonly CorporationId[]
  readonly mailboxes: readonly MailboxEntry[]
  readonly to: readonly MailParty[]
  readonly cc: readonly MailParty[]
  readonly subject: string
  readonly text: string
  /** Its content first. */
  readonly files: readonly NewFile[]
  /** Which keeps the bytes that are to be sent; null: they are in the database alone. */
  readonly node: string | null
  /** Before the @ of its Message-ID; it must not be guessable. */
  readonly messageName: string
  readonly user: UserId | null
  readonly atMs: AtMs
}

export type MailQueued =
  | {
      readonly outcome: 'queued'
      readonly activity: ActivityId
      readonly conversation: ActivityId
      readonly case: ActivityId
      readonly messageId: string
      readonly subject: string
    }
  | { readonly outcome: 'no such case' | 'case is deleted' | 'no mailbox' }

export interface MailToSend {
  readonly messageId: string
  readonly inReplyTo: string | undefined
  readonly references: readonly string[]
  readonly from: MailParty
  readonly to: readonly MailParty[]
  readonly cc: readonly MailParty[]
  readonly subject: string
  readonly text: string
  readonly html: string | undefined
  readonly dateAtMs: AtMs
  readonly files: readonly MailFile[]
  /** Whom it still goes to, of all in its header; absent: to all of them. */
  readonly recipients?: readonly string[] | undefined
}

/** Who does not have an email that others have (email-24). */
export interface MailProgress {
  /** Refused for now. */
  readonly left: readonly string[]
  /** Refused for good. */
  readonly refused: readonly string[]
}

/** All but `unknown` is certain: after `later` and `refused` no one has it; after `sent` all but those named. */
export type Sending =
  | { readonly outcome: 'sent'; readonly refused: readonly string[]; readonly later?: readonly string[] }
  | { readonly outcome: 'later' | 'refused' | 'unknown'; readonly why: string }

export interface Mail {
  /** Sends once, to all recipients. Never throws. */
  send(message: MailToSend): Promise<Sending>
}

export interface OutgoingJob {
  readonly activity: ActivityId
  readonly tries: number
  readonly message: Omit<MailToSend, 'html' | 'files' | 'recipients'>
  /** Null: nobody has it yet. */
  readonly progress: MailProgress | null
  readonly files: readonly ActivityFile[]
}

export type SettledSending =
  | { readonly state: 'sent'; readonly why: string | null }
  | {
      readonly state: 'queued'
      readonly why: string
      readonly nextTryAtMs: AtMs
      /** Absent: nobody else got it. */
      readonly progress?: MailProgress
    }
  | { readonly state: 'failed' | 'unknown'; readonly why: string }

/** Up to where a mailbox elsewhere was read (RFC 9051 §2.3.1.1). */
export interface MailboxPlace {
  readonly uidValidity: number
  /** Everything up to it was read. */
  readonly lastUid: number
}

export interface Mails {
  /** Stores an incoming email in one transaction: conversation, case, links, files. The same one comes in once. */
  keep(mail: MailToKeep): Promise<MailKept>
  /** An incoming or outgoing email. */
  find(activity: ActivityId, corporations: readonly CorporationId[]): Promise<StoredMail | undefined>
  /** Writes one down that shall be sent, and the order to send it, in one transaction. */
  queue(mail: MailToQueue): Promise<MailQueued>
  /**
   * Of any corporation; it is being sent until `untilMs`, and a sender that dies meanwhile leaves it `unknown`. Bytes
   * of another node are claimed only when that node lets them wait (email-29).
   */
  claim(node: string, atMs: AtMs, untilMs: AtMs): Promise<OutgoingJob | undefined>
  /** Of a try that another one followed, nothing is written down. */
  settle(activity: ActivityId, tries: number, settled: SettledSending, atMs: AtMs): Promise<void>
  /** The right to read a mailbox elsewhere until `untilMs`; undefined while another worker has it. */
  claimMailbox(
    corporation: CorporationId,
    address: string,
    atMs: AtMs,
    untilMs: AtMs,
  ): Promise<MailboxPlace | undefined>
  /** Goes on to a place; `untilMs` in the past gives the right back. */
  keepMailbox(corporation: CorporationId, address: string, place: MailboxPlace, untilMs: AtMs): Promise<void>
}
