import type { ExternalSystemId, PhoneNumber } from '../../kernel/ids.ts'
import type { DialerAdminRepository, KeptStop } from '../../ports/dialer-admin-repository.ts'
import type { Stop } from '../../ports/dialer-repository.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import { countOf } from '../db/criteria.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { inTransaction, query } from '../db/transaction.ts'
import { personKey } from './import-call-tasks.ts'

/** Stop list → its table. Names come from here alone, never from a request. */
const LISTS = {
  number: { table: 'stopped_numbers', column: 'number' },
  person: { table: 'stopped_persons', column: 'person_key' },
} as const

export const stopListAdmin = {
  /** No attempt at these numbers or persons begins after this returns (INV-D5). Existing entries stay as they are. */
  async addStops({ api }, corporation, stops, { by, reason, atMs }) {
    await inTransaction(api, async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.orders])
      for (const [kind, keys] of byKind(stops)) {
        const { table, column } = LISTS[kind]
        const text = `insert into ${table} (corporation_id, ${column}, created_at_ms, added_by, reason)
                      select $1, key, $3, $4, $5 from unnest($2::text[]) as key order by key on conflict do nothing`
        await transaction.query(text, [corporation, keys, atMs, by, reason])
      }
      await notify(transaction, 'tasks')
    })
  },

  async removeStops({ api }, corporation, stops) {
    return inTransaction(api, async (transaction) => {
      let removed = 0
      for (const [kind, keys] of byKind(stops)) {
        const { table, column } = LISTS[kind]
        const text = `delete from ${table} where corporation_id = $1 and ${column} = any($2)`
        removed += (await transaction.query(text, [corporation, keys])).rowCount ?? 0
      }
      await notify(transaction, 'tasks')
      return removed
    })
  },

  async listStops({ api }, { corporations, kind, page, after, rowsMax }) {
    const { table, column } = LISTS[kind]
    const rows = await query<StopRow>(
      api,
      `select l.corporation_id as corporation, l.${column} as key, l.added_by as by, l.reason,
         l.created_at_ms as "addedAtMs", l.call_id as call, l.activity_id as activity, s.code as "externalSystemCode"
         from ${table} l left join external_systems s on s.id::text = ${kind === 'person' ? PERSONS_SYSTEM : 'null'}
        where l.corporation_id = any($1) and ($4::bigint is null or (l.corporation_id, l.${column}) > ($4, $5::text))
        order by l.corporation_id, l.${column} limit $2 offset $3`,
      [corporations, rowsMax, after ? 0 : page * rowsMax, after?.corporation, after && keyOf(after.stop)],
    )
    const stops = rows.map(({ key, ...rest }) => ({ ...rest, stop: stopOf(kind, key) }))
    return { foundRows: await countOf(api, `from ${table} where corporation_id = any($1)`, [corporations]), stops }
  },
} satisfies Partial<In<DialerAdminRepository>>

/** Splits a key such as `3:4711`: the system's id before the first colon, then the customer's. */
const PERSONS_SYSTEM = `split_part(l.person_key, ':', 1)`

interface StopRow extends Omit<KeptStop, 'stop'> {
  readonly key: string
}

function stopOf(kind: Stop['kind'], key: string): Stop {
  if (kind === 'number') return { kind, number: key as PhoneNumber }
  const colon = key.indexOf(':')
  const externalSystem = Number(key.slice(0, colon)) as ExternalSystemId
  return { kind, externalSystem, externalCustomer: key.slice(colon + 1) }
}

function keyOf(stop: Stop): string | undefined {
  return stop.kind === 'number' ? stop.number : personKey(stop.externalSystem, stop.externalCustomer)
}

function byKind(stops: readonly Stop[]): [Stop['kind'], string[]][] {
  const keys: Record<Stop['kind'], string[]> = { number: [], person: [] }
  for (const stop of stops) {
    const key = keyOf(stop)
    if (key !== undefined) keys[stop.kind].push(key)
  }
  return [
    ['number', keys.number],
    ['person', keys.person],
  ]
}
