import type { CorporationId } from '../../kernel/ids.ts'
import type { Transaction } from './connection.ts'
import { ask, type Prepared } from './transaction.ts'

/**
 * The next number of a row without gaps, such as the number of a case, from 1. It is part of the caller's
 * transaction: others wait for it, and if it is rolled back they get the same number.
 */
export async function nextNumber(transaction: Transaction, corporation: CorporationId, name: string): Promise<number> {
  const [row] = await ask<{ value: number }>(transaction, NEXT, [corporation, name])
  // It is there by now, or was inserted.
  return row!.value
}

const NEXT: Prepared = {
  name: 'next-number',
  text: `insert into counters (corporation_id, name, value) values ($1, $2, 1)
         on conflict (corporation_id, name) do update set value = counters.value + 1 returning value`,
}
