import type { CorporationId } from '../ports/call-task.ts'
import type { Transaction } from './transaction.ts'

/**
 * The next number of a row without gaps, such as the number of a case, from 1. It is part of the caller's
 * transaction: others wait for it, and if it is rolled back they get the same number.
 */
export async function nextNumber(transaction: Transaction, corporation: CorporationId, name: string): Promise<number> {
  const { rows } = await transaction.query(
    `insert into counters (corporation_id, name, value) values ($1, $2, 1)
     on conflict (corporation_id, name) do update set value = counters.value + 1 returning value`,
    [corporation, name],
  )
  return (rows[0] as { value: number }).value
}
