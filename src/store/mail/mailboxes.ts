import type { MailboxPlace, Mails } from '../../ports/mail.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'

/** Positions in remote mailboxes, and leases for reading them. */
export const mailboxes = {
  async claimMailbox({ jobs }, corporation, address, atMs, untilMs) {
    const rows = await query<MailboxPlace>(
      jobs,
      `insert into mailboxes as m (corporation_id, address, claimed_until_ms) values ($1, $2, $4)
       on conflict (corporation_id, address) do update set claimed_until_ms = $4 where m.claimed_until_ms <= $3
       returning uid_validity as "uidValidity", last_uid as "lastUid"`,
      [corporation, address, atMs, untilMs],
    )
    return rows[0]
  },

  async keepMailbox({ jobs }, corporation, address, { uidValidity, lastUid }, untilMs) {
    await query(
      jobs,
      `update mailboxes set uid_validity = $3, last_uid = $4, claimed_until_ms = $5
        where corporation_id = $1 and address = $2`,
      [corporation, address, uidValidity, lastUid, untilMs],
    )
  },
} satisfies Partial<In<Mails>>
