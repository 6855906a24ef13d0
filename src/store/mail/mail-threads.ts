import { caseNumbersIn, type KnownCase, type KnownThreads } from '../../cases/mail-threading.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, CorporationId, ExtensionId } from '../../kernel/ids.ts'
import type { MailHeaders } from '../../ports/mail.ts'
import type { Transaction } from '../db/connection.ts'
import { IS_ERASED, lockContacts } from '../db/living-contacts.ts'
import { ask } from '../db/transaction.ts'

const HOUR_MS = 3_600_000

/** Everything that `threadOf` needs about one email. */
export async function knownThreads(
  transaction: Transaction,
  corporation: CorporationId,
  words: MailHeaders,
): Promise<KnownThreads> {
  return {
    conversations: await conversationsOf(transaction, corporation, words),
    cases: await casesOf(transaction, corporation, words),
  }
}

/** The oldest email with an id decides its conversation: later references change nothing. */
async function conversationsOf(transaction: Transaction, corporation: CorporationId, words: MailHeaders) {
  const { messageId, inReplyTo, references } = words
  const ids = [...new Set([...inReplyTo, ...references, ...(messageId === undefined ? [] : [messageId])])]
  const rows = await ask<{ id: string; conversation: ActivityId }>(transaction, CONVERSATIONS, [corporation, ids])
  return new Map(rows.map(({ id, conversation }) => [id, conversation]))
}

const CONVERSATIONS = `
select distinct on (w.id) w.id, l.to_id as conversation
  from unnest($2::text[]) as w(id)
  join emails e on e.corporation_id = $1 and (e.message_id = w.id or e.refs @> array[w.id])
  join activity_links l on l.type = 13 and l.from_id = e.activity_id
 order by w.id, e.message_id = w.id desc, e.activity_id`

/** The cases named in the subject. The database checks whether the sender takes part: the lists may be long. */
async function casesOf(transaction: Transaction, corporation: CorporationId, { subject, from }: MailHeaders) {
  const numbers = caseNumbersIn(subject)
  if (numbers.length === 0) return new Map<number, KnownCase>()
  interface Row {
    readonly number: number
    readonly case: ActivityId
    readonly conversation: ActivityId | null
    readonly isMember: boolean
  }
  const rows = await ask<Row>(transaction, CASES, [corporation, numbers, from?.address ?? null])
  return new Map(
    rows.map(({ number, case: found, conversation, isMember }) => {
      const isOfIt = from !== undefined && (isMember || conversation !== null)
      const participants = new Set(isOfIt ? [from.address] : [])
      return [number, { case: found, conversation: conversation ?? undefined, participants }]
    }),
  )
}

/** A merged case stands for its target. Users take part in a case as members, by their email address. */
const CASES = `
with recursive named (number, id, next) as (
  select seq_no, activity_id, merged_into_id from cases where corporation_id = $1 and seq_no = any($2)
  union all
  select n.number, c.activity_id, c.merged_into_id from named n join cases c on c.activity_id = n.next
)
select n.number, n.id as "case",
  (select l.to_id from activity_links k
     join activity_links l on l.type = 13 and l.to_id = k.from_id
     join emails e on e.activity_id = l.from_id and e.parties @> array[$3::text]
    where k.type = 14 and k.to_id = n.id order by e.activity_id desc limit 1) as conversation,
  exists (select from activity_members m join users u on u.id = m.user_id and u.active and lower(u.email) = $3
           where m.activity_id = n.id and m.ended_at_ms is null) as "isMember"
  from named n where n.next is null`

/** The number of emails of a sender in the last hour; undefined: of those that name none. */
export async function sameInLastHour(
  transaction: Transaction,
  corporation: CorporationId,
  sender: string | undefined,
  atMs: AtMs,
): Promise<number> {
  const text = `
    select count(*) as count from emails e join activities a on a.id = e.activity_id
     where e.corporation_id = $1 and ${sender === undefined ? 'e.sender is null and $2::text is null' : 'e.sender = $2'}
       and a.created_at_ms > $3`
  // A count returns one row.
  return (await ask<{ count: number }>(transaction, text, [corporation, sender ?? null, atMs - HOUR_MS]))[0]!.count
}

/** The contact of all earlier cases of this address; null: none or several. Only a hint: senders can be forged. */
export async function hintOfSender(
  transaction: Transaction,
  corporation: CorporationId,
  sender: string,
): Promise<ExtensionId | null> {
  const [hint, other] = await ask<{ extension: ExtensionId }>(transaction, HINT, [corporation, sender])
  if (!hint || other) return null
  await lockContacts(transaction, [hint.extension])
  const text = `select from entity_extensions x where x.id = $1 and not ${IS_ERASED}`
  return (await ask(transaction, text, [hint.extension])).length === 0 ? null : hint.extension
}

const HINT = `
select distinct c.extension_id as extension
  from (select activity_id from emails where corporation_id = $1 and sender = $2 and automatic is null
         order by activity_id desc limit 100) e
  join activity_links l on l.type = 13 and l.from_id = e.activity_id
  join activity_links k on k.type = 14 and k.from_id = l.to_id
  join activities c on c.id = k.to_id
 where c.extension_id is not null
 limit 2`
