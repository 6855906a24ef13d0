import type { DialerRepository, Stop } from '../../ports/dialer-repository.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { inTransaction, query } from '../db/transaction.ts'
import { personKey } from './import-call-tasks.ts'

export const stopLists = {
  /** No attempt at the number or person begins after this returns (INV-D5). Adding twice is harmless. */
  async addStop({ api }, corporation, stop, atMs) {
    const { table, column, key } = placeOf(stop)
    await inTransaction(api, async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.orders])
      const text = `insert into ${table} (corporation_id, ${column}, created_at_ms) values ($1, $2, $3)
                    on conflict do nothing`
      await transaction.query(text, [corporation, key, atMs])
      await notify(transaction, 'tasks')
    })
  },

  /** Whether there was such a stop. */
  async removeStop({ api }, corporation, stop) {
    const { table, column, key } = placeOf(stop)
    return inTransaction(api, async (transaction) => {
      const text = `delete from ${table} where corporation_id = $1 and ${column} = $2`
      const { rowCount } = await transaction.query(text, [corporation, key])
      await notify(transaction, 'tasks')
      return rowCount === 1
    })
  },

  /** Whether the number or person is on the stop list. The claim asks for itself. */
  async isStopped({ api }, corporation, stop) {
    const { table, column, key } = placeOf(stop)
    const text = `select 1 from ${table} where corporation_id = $1 and ${column} = $2`
    return (await query(api, text, [corporation, key])).length > 0
  },
} satisfies Partial<In<DialerRepository>>

/** Names of tables and columns come from here alone, never from a request. */
function placeOf(stop: Stop) {
  return stop.kind === 'number'
    ? { table: 'stopped_numbers', column: 'number', key: stop.number }
    : { table: 'stopped_persons', column: 'person_key', key: personKey(stop.externalSystem, stop.externalCustomer) }
}
