/** Names of bytes whose rows were erased: every node looks for them on its own disks (files-and-activities-14). */
import type { AtMs } from '../../kernel/clock.ts'
import type { LeftBytes, Privacy } from '../../ports/privacy.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'

/** Commits the names together with the erasure: a crash before the bytes are removed loses none. */
export async function rememberLeft(transaction: Transaction, left: LeftBytes, atMs: AtMs): Promise<void> {
  for (const kind of ['recordings', 'files'] as const) {
    if (left[kind].length > 0) await transaction.query(REMEMBER, [kind, left[kind], atMs])
  }
}

const REMEMBER = `
insert into left_bytes (kind, name, left_at_ms)
select distinct $1::text, name, $3::bigint from unnest($2::text[]) as name
on conflict (kind, name) do update set left_at_ms = excluded.left_at_ms`

/** Without those that a row still names. */
const LEFT = {
  recordings: `select name from left_bytes l where kind = 'recordings'
    and not exists (select from recordings r where r.file = l.name)`,
  files: `select name from left_bytes l where kind = 'files'
    and not exists (select from files f where f.storage = l.name)`,
}

export const leftBytes = {
  leftSince({ jobs }, atMs) {
    return inTransaction(jobs, async (transaction) => {
      await transaction.query('delete from left_bytes where left_at_ms <= $1', [atMs])
      const names = async (text: string) => (await ask<{ name: string }>(transaction, text, [])).map(({ name }) => name)
      return { recordings: await names(LEFT.recordings), files: await names(LEFT.files) }
    })
  },
} satisfies Partial<In<Privacy>>
