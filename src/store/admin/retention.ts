import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import type { LeftBytes, Privacy, RetainedKind } from '../../ports/privacy.ts'
import { ACTIVITY_IS_HELD, CALL_IS_HELD, CONTACT_IS_HELD, TASK_IS_HELD } from '../cases/held.ts'
import { intend } from '../db/audit-intent.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'
import { eraseThings } from './erase.ts'

interface Due {
  readonly id: number
  readonly corporation: CorporationId
}

/** Clocks of one network differ by less. */
const AHEAD_MAX_MS = 60_000
const NOTHING: LeftBytes = { recordings: [], files: [] }

/** Expired rows of each kind: older than $1, at most $2. Two nodes never take the same rows. */
const DUE: Readonly<Record<RetainedKind, string>> = {
  recordings: `select r.id, t.corporation_id as corporation
    from recordings r join call_activities t on t.id = r.activity_id
    where r.ended_at_ms < $1 and r.file <> '' and not ${CALL_IS_HELD} order by r.ended_at_ms limit $2
    for no key update of r skip locked`,
  transcripts: `select x.id, x.corporation_id as corporation
    from transcripts x join call_activities t on t.id = x.activity_id
    where x.created_at_ms < $1 and not ${CALL_IS_HELD} order by x.created_at_ms limit $2 for update of x skip locked`,
  tasks: `select t.id, t.corporation_id as corporation from call_tasks t
    where t.finished_at_ms < $1 and t.erased_at_ms is null and not ${TASK_IS_HELD}
    order by t.finished_at_ms limit $2 for no key update of t skip locked`,
  calls: `select t.id, t.corporation_id as corporation from call_activities t
    where t.ended_at_ms < $1 and t.erased_at_ms is null and not ${CALL_IS_HELD}
    order by t.ended_at_ms limit $2 for no key update of t skip locked`,
  activities: `select t.id, t.corporation_id as corporation from activities t
    where t.updated_at_ms < $1 and t.erased_at_ms is null and not ${ACTIVITY_IS_HELD}
    order by t.updated_at_ms limit $2 for no key update of t skip locked`,
  // A contact stays as long as anything of theirs does (cases-15).
  contacts: `select t.id, t.corporation_id as corporation from entities t
    where t.updated_at_ms < $1 and t.erased_at_ms is null and not exists (
      select from entity_extensions x where x.entity_id = t.id and (
        exists (select from call_tasks k where k.external_customer = x.external_customer
          and k.external_system_id = x.external_system_id and k.erased_at_ms is null)
        or exists (select from call_activities c where c.extension_id = x.id and c.erased_at_ms is null)
        or exists (select from activities a where a.extension_id = x.id and a.erased_at_ms is null)))
      and not ${CONTACT_IS_HELD}
    order by t.updated_at_ms limit $2 for no key update of t skip locked`,
}

export const retention = {
  async isAhead({ jobs }, atMs) {
    const text = `select $1 > (extract(epoch from clock_timestamp()) * 1000)::bigint + ${AHEAD_MAX_MS} as "isAhead"`
    return (await query<{ isAhead: boolean }>(jobs, text, [atMs]))[0]!.isAhead
  },

  expire({ jobs }, kind, beforeAtMs, atMs, rowsMax) {
    return inTransaction(jobs, async (transaction) => {
      // Imports lock the corporation too: none adopts a contact that is being erased.
      if (kind === 'contacts') await transaction.query('select from corporations order by id for no key update')
      const due = await ask<Due>(transaction, DUE[kind], [beforeAtMs, rowsMax])
      const ids = due.map(({ id }) => id)
      const left = ids.length === 0 ? NOTHING : await remove(transaction, kind, ids, atMs)
      const byCorporation = new Map<CorporationId, number>()
      for (const { corporation } of due) byCorporation.set(corporation, (byCorporation.get(corporation) ?? 0) + 1)
      for (const [corporation, count] of byCorporation) {
        await intend(transaction, [corporation], entryOf(kind, count, atMs), atMs)
      }
      return { left, count: due.length }
    })
  },

  /** Afterwards the chain begins after the last removed record. */
  expireAudit({ jobs }, corporation, uptoNumber, atMs) {
    return inTransaction(jobs, async (transaction) => {
      const { rowCount } = await transaction.query(
        `update audit_heads h set base_number = r.number, base_hash = r.hash from audit_records r
          where h.corporation_id = $1 and r.corporation_id = $1 and r.number = $2 and r.number > h.base_number`,
        [corporation, uptoNumber],
      )
      if (rowCount === 0) return 0
      await transaction.query(`set local switchboard.audit_retention = 'on'`)
      const text = 'delete from audit_records where corporation_id = $1 and number <= $2'
      const removed = (await transaction.query(text, [corporation, uptoNumber])).rowCount ?? 0
      await intend(transaction, [corporation], entryOf('audit', removed, atMs), atMs)
      return removed
    })
  },

  async orphans({ jobs }, { recordings, files }) {
    const without = (table: string, column: string) =>
      `select name from unnest($1::text[]) as given (name)
        where not exists (select from ${table} where ${column} = given.name)`
    const names = async (text: string, given: readonly string[]) =>
      (await query<{ name: string }>(jobs, text, [given])).map(({ name }) => name)
    return {
      recordings: await names(without('recordings', 'file'), recordings),
      files: await names(without('files', 'storage'), files),
    }
  },
} satisfies Partial<In<Privacy>>

async function remove(transaction: Transaction, kind: RetainedKind, ids: readonly number[], atMs: AtMs) {
  switch (kind) {
    case 'recordings': {
      const text = `update recordings r set file = '', state = 'failed', why = 'its time was over' from recordings o
        where r.id = any($1) and o.id = r.id returning o.file as name`
      const rows = await ask<{ name: string }>(transaction, text, [ids])
      return { ...NOTHING, recordings: rows.map(({ name }) => name) }
    }
    case 'transcripts':
      await transaction.query('delete from transcripts where id = any($1)', [ids])
      return NOTHING
    default:
      return eraseThings(transaction, kind, ids, atMs)
  }
}

/** The audit entry of an automatic erasure; it holds the count. */
function entryOf(object: string, count: number, atMs: AtMs): AuditEntry {
  return {
    atMs,
    credential: 'retention',
    user: null,
    action: 'erase',
    object,
    ids: [],
    count,
    operation: 'retention',
    reason: null,
    address: '',
    traceId: '',
  }
}
