import type { DialerRepository, Stop } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'
import { personKey } from './import-call-tasks.ts'

export const stopLists = {
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
