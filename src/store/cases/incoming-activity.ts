import { logOf } from '../../cases/case-change.ts'
import { takeUpdate } from '../../cases/case-updates.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, CorporationId, UserId } from '../../kernel/ids.ts'
import type { CaseRecord } from '../../ports/cases.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'
import { listsOf } from './case-lists.ts'
import { lockCases, writeCase } from './case-rows.ts'

interface CaseUpdate {
  readonly case: ActivityId
  /** A conversation, a call …; it may be linked to the case already. */
  readonly activity: ActivityId
  readonly corporation: CorporationId
  readonly atMs: AtMs
  /** True for an incoming one, which reopens the case; false for ours, such as a sent email. */
  readonly isExternal: boolean
  /** Who put it there; null: it came by itself. */
  readonly by?: UserId | null
}

/** 14: from an activity to its case. */
const CASE_LINK = 14

/**
 * Links an activity to a case, or to the case that it was merged into, and updates times and status (contract.md
 * §3.1). Returns the linked case; undefined: the case does not exist in that corporation. The activity leaves its
 * former case.
 */
export async function incomingUpdate(transaction: Transaction, update: CaseUpdate): Promise<ActivityId | undefined> {
  const { corporation, atMs, activity } = update
  const record = (await lockCases(transaction, [update.case], [corporation])).end(update.case)
  if (!record) return undefined
  const isNew = await link(transaction, record, update)
  const { record: after, logs } = takeUpdate(record, update, (await listsOf(transaction, corporation)).customs)
  const linked = isNew ? [logOf('link', null, activity, { by: update.by ?? null, nowMs: atMs }, atMs)] : []
  await writeCase(transaction, after, [...linked, ...logs])
  return record.id
}

async function link(
  transaction: Transaction,
  { id, corporation }: CaseRecord,
  { activity, atMs }: CaseUpdate,
): Promise<boolean> {
  const text = `
    insert into activity_links as l (type, from_id, to_id, corporation_id, created_at_ms) values ($1, $2, $3, $4, $5)
    on conflict (from_id, type) do update set to_id = excluded.to_id where l.to_id <> excluded.to_id
    returning from_id`
  return (await ask(transaction, text, [CASE_LINK, activity, id, corporation, atMs])).length > 0
}
