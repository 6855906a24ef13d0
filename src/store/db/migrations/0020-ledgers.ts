import { type Kysely, sql } from 'kysely'

/** Ledgers of a whole client count the answered calls of all its campaigns. */
export const ledgers = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('set local statement_timeout = 0').execute(db)
    await sql.raw(INDEX).execute(db)
  },
}

const INDEX = `
create index on attempts (corporation_id, answered_at_ms) where answered_at_ms is not null`
