import { authenticationOf } from '../../cases/authentication-results.ts'
import { automaticBecause } from '../../cases/automatic-mail.ts'
import { type Thread, threadOf } from '../../cases/mail-threading.ts'
import { assert } from '../../kernel/assert.ts'
import type { ActivityId, ExtensionId } from '../../kernel/ids.ts'
import type { MailKept, Mails, MailToKeep } from '../../ports/mail.ts'
import { addFiles } from '../cases/file-rows.ts'
import { incomingUpdate } from '../cases/incoming-activity.ts'
import type { Transaction } from '../db/connection.ts'
import { erasedBytes, erasedText, useErasureKey } from '../db/erasure-key.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { tellOfDeadCase } from './dead-cases.ts'
import { markUndelivered } from './mail-bounces.ts'
import { openCaseOf } from './mail-case.ts'
import { addActivity, addEmail } from './mail-rows.ts'
import { hintOfSender, knownThreads, sameInLastHour } from './mail-threads.ts'

/** Another transaction stored the same email a moment before: this one is rolled back. */
class CameBefore extends Error {}

export const storeMail = {
  async keep({ jobs }, mail) {
    for (;;) {
      try {
        return await inTransaction(jobs, (transaction) => keep(transaction, mail))
      } catch (error) {
        // The next query finds it.
        if (!(error instanceof CameBefore)) throw error
      }
    }
  },
} satisfies Partial<In<Mails>>

async function keep(transaction: Transaction, mail: MailToKeep): Promise<MailKept> {
  const { words, atMs } = mail
  const { corporation } = mail.mailbox
  const name = await nameOf(transaction, mail)
  if ('here' in name) return { outcome: 'here already', activity: name.here }
  const sender = words.from?.address
  const known = await knownThreads(transaction, corporation, words)
  const { authenticatedBy } = mail.mailbox
  const authentication =
    authenticatedBy === undefined ? null : authenticationOf(words.authenticationResults, authenticatedBy)
  const isInOurName = sender !== undefined && mail.ours.has(sender) && authentication?.dmarc !== 'pass'
  const thread = threadOf({ ...words, sender, isInOurName }, known)
  const automatic = automaticBecause(
    { headers: words.headers, envelopeFrom: mail.envelopeFrom, sender },
    {
      isOurs: name.isOurs,
      mailboxes: mail.ours,
      sameInLastHour: await sameInLastHour(transaction, corporation, sender, atMs),
    },
  )
  const extension = sender === undefined ? null : await hintOfSender(transaction, corporation, sender)
  const conversation = await conversationOf(transaction, mail, thread, extension)
  const about = { corporation, subject: words.subject, direction: 'in', extension, creator: null, atMs } as const
  const activity = await addActivity(transaction, { ...about, kind: 'email' })
  const { inReplyTo, references, from, to, cc, text, fingerprint, sizeBytes } = words
  const email = {
    activity,
    corporation,
    messageId: name.messageId,
    // Of a report also what it is about: it goes with that (`../admin/data-subject-mail.ts`).
    refs: [...new Set([...inReplyTo, ...references, ...(words.report?.about ?? [])])],
    inReplyTo: inReplyTo[0] ?? null,
    fingerprint,
    from,
    to,
    cc,
    dateAtMs: words.dateAtMs ?? atMs,
    text,
    sizeBytes,
    automatic: automatic ?? null,
    threaded: thread.why,
    authentication,
    mailbox: mail.mailbox.address,
  }
  if (!(await addEmail(transaction, email, conversation, atMs))) throw new CameBefore()
  await addFiles(transaction, activity, corporation, mail.files, null, atMs)
  if (words.report) await markUndelivered(transaction, corporation, words.report)
  const landed = automatic ? undefined : await toCase(transaction, mail, thread, conversation, extension)
  if (landed !== undefined) await inheritContact(transaction, landed, [conversation, activity])
  return { outcome: 'kept', activity, conversation, case: landed, automatic, why: thread.why }
}

type MailName = { readonly here: ActivityId } | { readonly messageId: string; readonly isOurs: boolean }

/** Emails by their Message-ID `$2`, erased ones too; `$3`: the fingerprint of the one that came. */
const SAME = `
select e.activity_id as activity, o.activity_id is not null as "isOurs",
    coalesce(e.fingerprint in (decode($3, 'hex'), ${erasedBytes("decode($3, 'hex')")}), false) as "isAlike"
  from emails e left join outgoing_emails o on o.activity_id = e.activity_id
 where e.corporation_id = $1 and e.message_id in ($2, ${erasedText('$2')})`

/** Its Message-ID, unless another email has it: a stranger who knows an id must not suppress an email (our choice). */
async function nameOf(transaction: Transaction, { mailbox, words, ours }: MailToKeep): Promise<MailName> {
  interface Row {
    readonly activity: ActivityId
    readonly isAlike: boolean
    readonly isOurs: boolean
  }
  const { messageId, fingerprint, from } = words
  await useErasureKey(transaction)
  const named = (id: string) => ask<Row>(transaction, SAME, [mailbox.corporation, id, fingerprint])
  const [same] = messageId === undefined ? [] : await named(messageId)
  if (messageId !== undefined && !same) return { messageId, isOurs: false }
  // Our own copy of a sent email is the same email.
  const isCopy = same?.isOurs === true && from !== undefined && ours.has(from.address)
  if (same && (same.isAlike || isCopy)) return { here: same.activity }
  const made = `${fingerprint.slice(0, 40)}@${same ? 'same-id' : 'no-id'}.invalid`
  const [again] = await named(made)
  return again ? { here: again.activity } : { messageId: made, isOurs: same?.isOurs ?? false }
}

async function conversationOf(
  transaction: Transaction,
  { mailbox, words, atMs }: MailToKeep,
  thread: Thread,
  extension: ExtensionId | null,
): Promise<ActivityId> {
  if (thread.kind === 'conversation') return thread.conversation
  const { subject } = words
  const { corporation } = mailbox
  const about = { corporation, subject, direction: 'in', extension, creator: null, atMs } as const
  return addActivity(transaction, { ...about, kind: 'conversation' })
}

/** Assigns a person's email to a case; undefined: it stays a conversation without a case. */
async function toCase(
  transaction: Transaction,
  { mailbox, words, atMs }: MailToKeep,
  thread: Thread,
  conversation: ActivityId,
  extension: ExtensionId | null,
): Promise<ActivityId | undefined> {
  const { corporation } = mailbox
  const update = { activity: conversation, corporation, atMs, isExternal: true }
  const named = thread.kind === 'case' ? thread.case : await caseOf(transaction, conversation)
  if (named !== undefined) {
    const joined = await incomingUpdate(transaction, { ...update, case: named })
    const arrived = { corporation, team: mailbox.team, subject: words.subject, extension, atMs }
    if (joined !== undefined) await tellOfDeadCase(transaction, joined, arrived)
    return joined
  }
  if (!mailbox.opensCases) return undefined
  const title = words.subject.trim() === '' ? `Email from ${words.from?.address ?? 'nobody'}` : words.subject
  const opened = await openCaseOf(transaction, { corporation, team: mailbox.team, title, extension, atMs })
  const landed = await incomingUpdate(transaction, { ...update, case: opened })
  assert(landed === opened, 'a case that was just opened takes what it was opened for')
  return landed
}

/** The case of a conversation. */
async function caseOf(transaction: Transaction, conversation: ActivityId): Promise<ActivityId | undefined> {
  const text = 'select to_id as id from activity_links where type = 14 and from_id = $1'
  return (await ask<{ id: ActivityId }>(transaction, text, [conversation]))[0]?.id
}

/**
 * The contact of a case is more reliable than a sender's address, so the conversation gets the case's contact; not what
 * a legal hold keeps for the contact that it has.
 */
async function inheritContact(
  transaction: Transaction,
  found: ActivityId,
  activities: readonly ActivityId[],
): Promise<void> {
  await transaction.query(
    `update activities a set extension_id = c.extension_id from activities c
      where c.id = $1 and c.extension_id is not null and a.id = any($2)
        and a.id not in (select activity_id from held_activities())`,
    [found, activities],
  )
}
