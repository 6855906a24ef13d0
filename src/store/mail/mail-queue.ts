import { withCaseNumber } from '../../cases/mail-threading.ts'
import type { ActivityId, CorporationId, ExtensionId, TeamName } from '../../kernel/ids.ts'
import { CASE_STATUS, type CaseStatus } from '../../ports/cases.ts'
import {
  type MailboxEntry,
  type MailQueued,
  type Mails,
  type MailToQueue,
  SUBJECT_LETTERS_MAX,
} from '../../ports/mail.ts'
import { lockCases } from '../cases/case-rows.ts'
import { addFiles } from '../cases/file-rows.ts'
import { incomingUpdate } from '../cases/incoming-activity.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { addActivity, addEmail } from './mail-rows.ts'

/** The fields of a case that an outgoing email needs; the case is the end of its chain of merges. */
interface SendingCase {
  readonly id: ActivityId
  readonly corporation: CorporationId
  readonly number: number
  readonly status: CaseStatus
  readonly extension: ExtensionId | null
  readonly team: TeamName | null
}

/** The conversation of an outgoing email, and the email that it answers. */
interface Goes {
  /** Null: a new one, because that of the email is in another case. */
  readonly conversation: ActivityId | null
  readonly answers: string
  readonly refs: readonly string[]
}

/** Threads can be long; the newest ids matter most. */
const REFERENCES_MAX = 20

/** Queues an email: writes email, conversation, links, files, job, and the case's log. */
export const mailQueue = {
  async queue({ api }, mail) {
    return inTransaction(api, async (transaction) => {
      const found = await caseFor(transaction, mail)
      if (!found) return { outcome: 'no such case' }
      if (found.status === CASE_STATUS.deleted) return { outcome: 'case is deleted' }
      const mailbox = mailboxFor(mail.mailboxes, found)
      if (!mailbox) return { outcome: 'no mailbox' }
      return queue(transaction, mail, found, mailbox)
    })
  },
} satisfies Partial<In<Mails>>

async function queue(
  transaction: Transaction,
  mail: MailToQueue,
  found: SendingCase,
  mailbox: MailboxEntry,
): Promise<MailQueued> {
  const { corporation, extension } = found
  const { to, cc, text, files, node, user, atMs } = mail
  const subject = withCaseNumber(mail.subject, found.number).slice(0, SUBJECT_LETTERS_MAX)
  const goes = await threadFor(transaction, found, mail)
  const about = { corporation, subject, direction: 'out', extension, creator: user, atMs } as const
  const conversation = goes?.conversation ?? (await addActivity(transaction, { ...about, kind: 'conversation' }))
  const activity = await addActivity(transaction, { ...about, kind: 'email' })
  const messageId = `${mail.messageName}@${mailbox.address.split('@')[1]}`
  const email = {
    activity,
    corporation,
    messageId,
    refs: goes?.refs ?? [],
    inReplyTo: goes?.answers ?? null,
    to,
    cc,
    text,
    from: { address: mailbox.address, name: mailbox.name },
    fingerprint: null,
    dateAtMs: atMs,
    automatic: null,
    threaded: 'it was sent from the case',
    authentication: null,
    sizeBytes: 0,
    mailbox: mailbox.address,
  }
  if (!(await addEmail(transaction, email, conversation, atMs))) throw new Error('a Message-ID of ours came twice')
  await addFiles(transaction, activity, corporation, files, user, atMs)
  const update = { case: found.id, activity: conversation, corporation, atMs, isExternal: false }
  const landed = (await incomingUpdate(transaction, update)) ?? found.id
  await transaction.query(
    `insert into outgoing_emails (activity_id, corporation_id, state, next_at_ms, node)
     values ($1, $2, 'queued', $3, $4)`,
    [activity, corporation, atMs, node],
  )
  return { outcome: 'queued', activity, conversation, case: landed, messageId, subject }
}

/** Locked: it is not deleted or merged meanwhile. */
async function caseFor(transaction: Transaction, mail: MailToQueue): Promise<SendingCase | undefined> {
  const record = (await lockCases(transaction, [mail.case], mail.corporations)).end(mail.case)
  return record && (await ask<SendingCase>(transaction, CASE, [record.id]))[0]
}

const CASE = `
select c.activity_id as id, c.corporation_id as corporation, c.seq_no as number, c.status,
  a.extension_id as extension, t.name as team
  from cases c join activities a on a.id = c.activity_id left join teams t on t.id = c.team_id
 where c.activity_id = $1`

/** The mailbox of the case's queue, which then gets the answer; else the first one of the corporation. */
function mailboxFor(mailboxes: readonly MailboxEntry[], { corporation, team }: SendingCase): MailboxEntry | undefined {
  const ours = mailboxes.filter((mailbox) => mailbox.corporation === corporation)
  return ours.find((mailbox) => team !== null && mailbox.team === team) ?? ours[0]
}

/** Continues from the case's newest email with any of the recipients; undefined: a new conversation. */
async function threadFor(
  transaction: Transaction,
  { id }: SendingCase,
  { to }: MailToQueue,
): Promise<Goes | undefined> {
  const [newest] = await ask<Goes>(transaction, NEWEST, [id, to.map(({ address }) => address)])
  if (!newest) return undefined
  return { ...newest, refs: [...newest.refs.slice(1 - REFERENCES_MAX), newest.answers] }
}

/** Emails can be in a case without their conversation (cases-30). */
const NEWEST = `
select case when o.to_id is null then l.to_id end as conversation, e.message_id as answers, e.refs
  from (
    select l.from_id as id from activity_links k join activity_links l on l.type = 13 and l.to_id = k.from_id
     where k.type = 14 and k.to_id = $1
    union all
    select k.from_id from activity_links k where k.type = 14 and k.to_id = $1
  ) mail join emails e on e.activity_id = mail.id
  join activity_links l on l.type = 13 and l.from_id = e.activity_id
  left join activity_links o on o.type = 14 and o.from_id = l.to_id and o.to_id <> $1
 where e.parties && $2::text[]
 order by e.activity_id desc limit 1`
