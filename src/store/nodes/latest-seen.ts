/** The latest instant that any engine remembered: nothing is dialed before it (F-G2). */
import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import { intend } from '../db/audit-intent.ts'
import type { Pools } from '../db/pools.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'

const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** How far the clock of the database is behind it; 0 where it is not. */
export async function clockBehindMs({ jobs }: Pick<Pools, 'jobs'>): Promise<number> {
  const text = `select greatest(0, latest_seen_at_ms - ${NOW_MS}) as "behindMs" from dial_state`
  // The migration made the row, and no statement removes it.
  return (await query<{ behindMs: number }>(jobs, text, []))[0]!.behindMs
}

/** The clock is right, and the latest instant was not: it is forgotten. By how much it was ahead. */
export async function forgetLatestSeen({ jobs }: Pick<Pools, 'jobs'>, nowMs: AtMs): Promise<number> {
  const behindMs = await clockBehindMs({ jobs })
  await inTransaction(jobs, async (transaction) => {
    await transaction.query(`update dial_state set latest_seen_at_ms = least(latest_seen_at_ms, ${NOW_MS})`)
    const first = 'select id from corporations order by id limit 1'
    const own = (await ask<{ id: CorporationId }>(transaction, first, [])).map(({ id }) => id)
    await intend(transaction, own, entryOf(behindMs, nowMs), nowMs)
  })
  return behindMs
}

function entryOf(behindMs: number, atMs: AtMs): AuditEntry {
  const reason = `the latest instant was ${behindMs} ms ahead of the clock`
  const about = { action: 'change', object: 'latest instant', ids: [], count: 1, operation: 'clock reset' } as const
  return { atMs, credential: 'command line', user: null, ...about, reason, address: '', traceId: '' }
}
