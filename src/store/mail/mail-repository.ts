import type { Mails, OutgoingMail, StoredMail } from '../../ports/mail.ts'
import { FILE_COLUMNS, type FileRow, fileOf } from '../cases/files.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'
import { mailQueue } from './mail-queue.ts'
import { mailboxes } from './mailboxes.ts'
import { outgoingMails } from './outgoing-mails.ts'
import { storeMail } from './store-mail.ts'

const FIND = `
select e.activity_id as activity, e.message_id as "messageId", e.recipients as "to", e.copies as cc, a.subject,
  case when e.sender is not null then json_build_object('address', e.sender, 'name', e.sender_name) end as "from",
  e.body_text as text, e.sent_at_ms as "dateAtMs", e.automatic, e.threaded,
  e.authentication,
  case when o.activity_id is not null then json_build_object('state', o.state, 'tries', o.tries, 'why', o.why,
    'nextTryAtMs', o.next_at_ms, 'sentAtMs', o.sent_at_ms) end as outgoing
  from emails e join activities a on a.id = e.activity_id
  left join outgoing_emails o on o.activity_id = e.activity_id
 where e.activity_id = $1 and e.corporation_id = any($2)`

const mailRepository = {
  async find({ api }, activity, corporations) {
    type Row = Omit<StoredMail, 'files' | 'outgoing'> & { readonly outgoing: OutgoingMail | null }
    const [row] = await query<Row>(api, FIND, [activity, corporations])
    if (!row) return undefined
    const text = `select ${FILE_COLUMNS} from files f where f.activity_id = $1 order by f.id`
    const files = await query<FileRow>(api, text, [activity])
    return { ...row, files: files.map(fileOf) }
  },
} satisfies Partial<In<Mails>>

/** Email in PostgreSQL. */
export function postgresMails(pools: Pools): Mails {
  return portOf<Mails>(pools, { ...mailRepository, ...storeMail, ...mailQueue, ...outgoingMails, ...mailboxes })
}
