import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, CorporationId, ExtensionId, UserId } from '../../kernel/ids.ts'
import type { MailAuthentication, MailParty } from '../../ports/mail.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'

/** 13: from an email to its conversation. */
const CONVERSATION_LINK = 13

interface NewActivity {
  readonly corporation: CorporationId
  readonly kind: 'email' | 'conversation'
  readonly subject: string
  readonly direction: 'in' | 'out'
  readonly extension: ExtensionId | null
  readonly creator: UserId | null
  readonly atMs: AtMs
}

/** Inserts the activity and returns its id. */
export async function addActivity(transaction: Transaction, activity: NewActivity): Promise<ActivityId> {
  const { corporation, kind, subject, direction, extension, creator, atMs } = activity
  const rows = await ask<{ id: ActivityId }>(
    transaction,
    `insert into activities (corporation_id, kind, subject, direction, extension_id, creator_id, created_at_ms,
       updated_at_ms, started_at_ms, ended_at_ms) values ($1, $2, $3, $4, $5, $6, $7, $7, $7, $7) returning id`,
    [corporation, kind, storable(subject), direction, extension, creator, atMs],
  )
  // An insert returns one row.
  return rows[0]!.id
}

interface NewEmail {
  readonly activity: ActivityId
  readonly corporation: CorporationId
  readonly messageId: string
  readonly refs: readonly string[]
  readonly inReplyTo: string | null
  /** In hexadecimal digits. */
  readonly fingerprint: string | null
  readonly from: MailParty | undefined
  readonly to: readonly MailParty[]
  readonly cc: readonly MailParty[]
  readonly dateAtMs: AtMs
  readonly text: string
  readonly automatic: string | null
  readonly threaded: string
  readonly mailbox: string
  readonly authentication: MailAuthentication | null
  readonly sizeBytes: number
}

/** Adds the email with its link to its conversation; false: an email with its Message-ID exists already. */
export async function addEmail(
  transaction: Transaction,
  email: NewEmail,
  conversation: ActivityId,
  atMs: AtMs,
): Promise<boolean> {
  const { activity, corporation, messageId, refs, inReplyTo, fingerprint, from, to, cc } = email
  const parties = [...new Set([...(from ? [from] : []), ...to, ...cc].map(({ address }) => address))]
  const added = await ask(transaction, ADD_EMAIL, [
    ...[activity, corporation, storable(messageId), refs.map(storable), inReplyTo && storable(inReplyTo), fingerprint],
    ...[from?.address, storable(from?.name ?? ''), jsonOf(to), jsonOf(cc), parties],
    ...[email.dateAtMs, storable(email.text), email.automatic, storable(email.threaded), email.mailbox],
    ...[email.sizeBytes, email.authentication && JSON.stringify(email.authentication)],
  ])
  if (added.length === 0) return false
  await transaction.query(
    `insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms) values ($1, $2, $3, $4, $5)`,
    [CONVERSATION_LINK, activity, conversation, corporation, atMs],
  )
  await transaction.query('update activities set updated_at_ms = greatest(updated_at_ms, $2) where id = $1', [
    conversation,
    atMs,
  ])
  return true
}

const ADD_EMAIL = `
insert into emails (activity_id, corporation_id, message_id, refs, in_reply_to, fingerprint, sender, sender_name,
  recipients, copies, parties, sent_at_ms, body_text, automatic, threaded, mailbox, raw_bytes, authentication)
values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
on conflict (corporation_id, message_id) do nothing returning activity_id`

/** PostgreSQL refuses U+0000 in texts and lone surrogates in JSON. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

function jsonOf(parties: readonly MailParty[]): string {
  return JSON.stringify(parties.map(({ address, name }) => ({ address, name: storable(name) })))
}
