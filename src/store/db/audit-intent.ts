/**
 * Which change is being carried out, so that its entry for the audit trail is committed with it (F-K5). The
 * entry does not go into the chain then: the end of a chain is locked for as long as a transaction lasts, and changes
 * of a corporation would wait for each other. It waits as an intent, and the chain takes it when the change is done.
 *
 * Handed on beside the calls and not in them: every method of every port that changes something would have to carry
 * it, and one that forgot to would leave no trace.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import type { Transaction } from './connection.ts'

/** A change under way. Mutable: what it has committed. */
interface ChangeUnderWay {
  readonly corporations: readonly CorporationId[]
  readonly intent: AuditEntry
  readonly dueAtMs: AtMs
  /** Rows of `audit_intents`. */
  readonly committed: number[]
  /** Whatever it began and did not wait for is another matter. */
  isOver: boolean
}

const underWay = new AsyncLocalStorage<ChangeUnderWay>()

/** Everything that `work` asks of the database is part of the change. */
export async function carryOut<T>(change: ChangeUnderWay, work: () => Promise<T>): Promise<T> {
  try {
    return await underWay.run(change, work)
  } finally {
    change.isOver = true
  }
}

/** Whether a statement that comes now is part of a change whose intent was not committed yet. */
export function awaitsIntent(): boolean {
  const change = underWay.getStore()
  return change !== undefined && !change.isOver && change.committed.length === 0
}

/** The last statement of a transaction: writes the intent of its change. The result is called after the commit. */
export async function writeIntent(transaction: Transaction): Promise<() => void> {
  const change = awaitsIntent() ? underWay.getStore() : undefined
  const id = change && (await intend(transaction, change.corporations, change.intent, change.dueAtMs))
  return () => {
    if (change && id !== undefined) change.committed.push(id)
  }
}

/** Leaves an entry for the chain as part of a transaction; undefined where the transaction has written nothing. */
export async function intend(
  transaction: Transaction,
  corporations: readonly CorporationId[],
  entry: AuditEntry,
  dueAtMs: AtMs,
): Promise<number | undefined> {
  const { rows } = await transaction.query('select audit_intend($1, $2, $3) as id', [
    ...[corporations, JSON.stringify(entry), dueAtMs],
  ])
  return (rows[0] as { id: number | null }).id ?? undefined
}
