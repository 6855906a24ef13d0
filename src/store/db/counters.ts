import type { CorporationId } from '../../kernel/ids.ts'
import type { Transaction } from './connection.ts'
import { ask, type Prepared } from './transaction.ts'

/** From 1, without gaps: others wait for the caller's transaction, and get the same number if it is rolled back. */
export async function nextNumber(transaction: Transaction, corporation: CorporationId, name: string): Promise<number> {
  const [row] = await ask<{ value: number }>(transaction, NEXT, [corporation, name])
  // The row exists: it was found or inserted.
  return row!.value
}

const NEXT: Prepared = {
  name: 'next-number',
  text: `insert into counters (corporation_id, name, value) values ($1, $2, 1)
         on conflict (corporation_id, name) do update set value = counters.value + 1 returning value`,
}
