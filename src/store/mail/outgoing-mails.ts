import type { Mails, OutgoingJob } from '../../ports/mail.ts'
import { FILE_COLUMNS, type FileRow, fileOf } from '../cases/files.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { isUndelivered } from './mail-bounces.ts'

/**
 * Longer than a node takes to start again. A node that lets an email wait for longer may be gone or have another name:
 * then every node may try. A try without the bytes counts, so an email whose bytes are lost fails in the end.
 */
const OTHERS_AFTER_MS = 15 * 60_000

export const outgoingMails = {
  /** An email is `sending` before a byte leaves: it is never sent twice. */
  async claim({ jobs }, node, atMs, untilMs) {
    return inTransaction(jobs, async (transaction) => {
      await transaction.query(LOSE, [atMs, 'whoever sent it did not come back; it may have been sent or not'])
      const [claimed] = await ask<Pick<OutgoingJob, 'activity' | 'tries' | 'progress'>>(transaction, CLAIM, [
        atMs,
        untilMs,
        node,
        atMs - OTHERS_AFTER_MS,
      ])
      if (!claimed) return undefined
      const [row] = await ask<OutgoingJob['message']>(transaction, MESSAGE, [claimed.activity])
      const text = `select ${FILE_COLUMNS} from files f where f.activity_id = $1 order by f.id`
      const files = await ask<FileRow>(transaction, text, [claimed.activity])
      // A job is written together with its email.
      return { ...claimed, message: { ...row!, inReplyTo: row!.inReplyTo ?? undefined }, files: files.map(fileOf) }
    })
  },

  async settle({ jobs }, activity, tries, settled, atMs) {
    await inTransaction(jobs, async (transaction) => {
      // The lock waits for an erasure under way: the other side's words name the person (audit-and-privacy-32).
      const text = `select erased_at_ms is not null as "isErased" from activities where id = $1 for share`
      const [row] = await ask<{ isErased: boolean }>(transaction, text, [activity])
      const state = settled.state === 'queued' ? 'failed' : settled.state
      const told = row?.isErased ? ({ state, why: null } as const) : settled
      await transaction.query(SETTLE, [
        ...[activity, tries, told.state, told.why],
        ...[told.state === 'queued' ? told.nextTryAtMs : null, atMs],
        told.state === 'queued' && told.progress ? JSON.stringify(told.progress) : null,
      ])
    })
  },
} satisfies Partial<In<Mails>>

const LOSE = `
update outgoing_emails set state = 'unknown', claimed_until_ms = null, why = $2
 where state = 'sending' and claimed_until_ms <= $1`

const CLAIM = `
update outgoing_emails set state = 'sending', tries = tries + 1, next_at_ms = null, claimed_until_ms = $2
 where activity_id = (select activity_id from outgoing_emails where state = 'queued' and next_at_ms <= $1
     and (node is null or node = $3 or next_at_ms <= $4)
   order by next_at_ms, activity_id limit 1 for update skip locked)
returning activity_id as activity, tries, progress`

const MESSAGE = `
select e.message_id as "messageId", e.in_reply_to as "inReplyTo", e.refs as references, a.subject,
  e.body_text as text, e.recipients as "to", e.copies as cc, e.sent_at_ms as "dateAtMs",
  json_build_object('address', e.sender, 'name', e.sender_name) as "from"
  from emails e join activities a on a.id = e.activity_id where e.activity_id = $1`

// A bounce may arrive before we have recorded that the email was sent.
const SETTLE = `
update outgoing_emails o set
  state = case when $3 = 'sent' and ${isUndelivered('o.undelivered')} then 'failed' else $3::text end,
  why = nullif(concat_ws('; ', $4::text, case when cardinality(o.undelivered) > 0 then o.why end), ''),
  progress = case when $3 in ('queued', 'unknown') then coalesce($7::jsonb, o.progress) end,
  next_at_ms = $5, claimed_until_ms = null, sent_at_ms = case when $3 = 'sent' then $6::bigint end
  from emails e
 where e.activity_id = o.activity_id and o.activity_id = $1 and tries = $2 and state in ('sending', 'unknown')`
