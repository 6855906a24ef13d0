/**
 * Commits the audit entry of a change together with the change (F-K5). The entry is not added to the chain at once: a
 * transaction that writes to a chain locks its end, and changes of a corporation would wait for each other. It is
 * stored as an intent and added to the chain after the change.
 *
 * The change is passed in async local storage, not as a parameter: every changing method of every port would need the
 * parameter, and a method without it would leave no entry.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import type { Transaction } from './connection.ts'
import { markCarriedOut } from './keyed-request.ts'

/** A change in progress. Mutable: what it has committed. */
interface ChangeUnderWay {
  readonly corporations: readonly CorporationId[]
  readonly intent: AuditEntry
  readonly dueAtMs: AtMs
  /** Rows of `audit_intents`. */
  readonly committed: number[]
  /** Statements that the change started without awaiting them do not belong to it. */
  isOver: boolean
}

const underWay = new AsyncLocalStorage<ChangeUnderWay>()

/** Runs `work`; all its statements belong to the change. */
export async function carryOut<T>(change: ChangeUnderWay, work: () => Promise<T>): Promise<T> {
  try {
    return await underWay.run(change, work)
  } finally {
    change.isOver = true
  }
}

/** Whether the current statement belongs to a change whose intent is not committed yet. */
export function awaitsIntent(): boolean {
  const change = underWay.getStore()
  return change !== undefined && !change.isOver && change.committed.length === 0
}

/** Writes the intent of the change as the last statement of a transaction. Call the result after the commit. */
export async function writeIntent(transaction: Transaction): Promise<() => void> {
  const change = awaitsIntent() ? underWay.getStore() : undefined
  const id = change && (await intend(transaction, change.corporations, change.intent, change.dueAtMs))
  if (id !== undefined) await markCarriedOut(transaction)
  return () => {
    if (change && id !== undefined) change.committed.push(id)
  }
}

/** Writes an audit entry within a transaction; undefined if the transaction has written nothing. */
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
