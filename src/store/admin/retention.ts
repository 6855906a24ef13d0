import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import type { DueRows, LeftBytes, Privacy, RetainedKind } from '../../ports/privacy.ts'
import { intend } from '../db/audit-intent.ts'
import type { Transaction } from '../db/connection.ts'
import { keepFromContacts } from '../db/living-contacts.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'
import { countsOf, dueOf, lockedDueOf } from './due.ts'
import { eraseThings } from './erase.ts'
import { rememberLeft } from './left-bytes.ts'

interface Due {
  readonly id: number
  readonly corporation: CorporationId
}

/** Clocks of one network differ by less. */
const AHEAD_MAX_MS = 60_000
/** An operator waits for a look at everything. */
const LOOK_TIMEOUT_MS = 600_000
const NOTHING: LeftBytes = { recordings: [], files: [] }

export const retention = {
  async isAhead({ jobs }, atMs) {
    const text = `select $1 > (extract(epoch from clock_timestamp()) * 1000)::bigint + ${AHEAD_MAX_MS} as "isAhead"`
    return (await query<{ isAhead: boolean }>(jobs, text, [atMs]))[0]!.isAhead
  },

  expire({ jobs }, kind, beforeAtMs, atMs, rowsMax) {
    return inTransaction(jobs, async (transaction) => {
      // Imports lock the corporation too: none adopts a contact that is being erased.
      if (kind === 'contacts') await transaction.query('select from corporations order by id for no key update')
      const look = () => ask<Due>(transaction, lockedDueOf(kind), [beforeAtMs, rowsMax])
      const due = kind === 'contacts' ? await unnamed(transaction, look) : await look()
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

  due({ jobs }, kind, beforeAtMs, rowsMax) {
    return inTransaction(jobs, async (transaction) => {
      await transaction.query(`set local statement_timeout = ${LOOK_TIMEOUT_MS}`)
      const [counts] = await ask<Omit<DueRows, 'ids'>>(transaction, countsOf(kind), [beforeAtMs])
      const rows = await ask<Due>(transaction, dueOf(kind), [beforeAtMs, rowsMax])
      // A count returns one row.
      return { ...counts!, ids: rows.map(({ id }) => id) }
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

  async forgetSessions({ jobs }, days) {
    const text = `delete from seats s where s.saved_at < clock_timestamp() - $1 * interval '1 day'
      and not exists (select from node_leases l where l.node = s.node)`
    await query(jobs, text, [days])
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

/** Of these contacts those about whom nothing is made just now: whoever makes it is waited for (cases-27). */
async function unnamed(transaction: Transaction, look: () => Promise<Due[]>): Promise<Due[]> {
  const found = new Set((await look()).map(({ id }) => id))
  await keepFromContacts(transaction, [...found])
  return (await look()).filter(({ id }) => found.has(id))
}

/** The calls of these recordings have none to play, where no other is left. */
const NOT_RECORDED = `
update call_activities c set has_recording = false from recordings r
 where r.id = any($1) and c.id = r.activity_id
   and not exists (select from recordings other where other.activity_id = c.id and other.state = 'ready')`

async function remove(transaction: Transaction, kind: RetainedKind, ids: readonly number[], atMs: AtMs) {
  switch (kind) {
    case 'recordings': {
      const text = `update recordings r set file = '', state = 'failed', why = 'its time was over' from recordings o
        where r.id = any($1) and o.id = r.id returning o.file as name`
      const rows = await ask<{ name: string }>(transaction, text, [ids])
      await transaction.query(NOT_RECORDED, [ids])
      const left = { ...NOTHING, recordings: rows.map(({ name }) => name) }
      await rememberLeft(transaction, left, atMs)
      return left
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
