/** Contacts that a transaction is about to refer to (cases-27). */
import type { ExtensionId } from '../../kernel/ids.ts'
import type { Transaction } from './connection.ts'
import { ask } from './transaction.ts'

/**
 * Keeps the erasure of these contacts waiting until the transaction ends: what it writes about them is then erased with
 * them. Whether they were erased before must be asked after this.
 */
export async function lockContacts(transaction: Transaction, extensions: readonly ExtensionId[]): Promise<void> {
  await ask(transaction, 'select from entity_extensions where id = any($1) order by id for key share', [extensions])
}

/** The other side: waits for all who are about to refer to these contacts, and lets nobody begin until the end. */
export async function keepFromContacts(transaction: Transaction, contacts: readonly number[]): Promise<void> {
  await ask(transaction, 'select from entity_extensions where entity_id = any($1) order by id for update', [contacts])
}

/** For rows of entity_extensions `x`. */
export const IS_ERASED = 'exists (select from entities e where e.id = x.entity_id and e.erased_at_ms is not null)'
