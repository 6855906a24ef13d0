import { type Kysely, sql } from 'kysely'

/** Emails of ours that did not arrive (RFC 3464). */
export const bounces = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(BOUNCES).execute(db)
  },
}

const BOUNCES = `
-- Addresses of which a mail server reported that they did not get it, and will not.
alter table outgoing_emails add column undelivered text[] not null default '{}';
`
