/** Finds, locks, reads and writes rows of cases. Every change of a case holds its lock (F-I11). */

import type { ActivityId, CorporationId } from '../../kernel/ids.ts'
import type { CaseLog, CaseRecord } from '../../ports/cases.ts'
import type { Transaction } from '../db/connection.ts'
import { ask, type Prepared } from '../db/transaction.ts'

/** Columns of a `CaseRecord` from `cases c` and `activities a`. */
export const CASE_RECORD = `a.id, a.corporation_id as corporation, a.subject as title, a.extension_id as extension,
  c.category_id as category, c.priority_id as priority, c.team_id as team, c.deadline_at_ms as "deadlineAtMs",
  c.status, c.ems_status_id as custom, c.ems_status_changed_at_ms as "customChangedAtMs",
  c.last_open_ems_status_id as "lastOpen", c.hold_until_ms as "holdUntilMs", c.hold_comment as "holdComment",
  case when c.merged_into_id is not null then json_build_object(
    'into', c.merged_into_id, 'atMs', c.merged_at_ms, 'custom', c.merged_status_id) end as merged,
  c.internal_updated_at_ms as "internalUpdatedAtMs", c.external_updated_at_ms as "externalUpdatedAtMs",
  a.updated_at_ms as "updatedAtMs", c.version`

/** The chains of merges, from the cases `$1` to their ends. */
const CHAIN: Prepared = {
  name: 'chains-of-cases',
  text: `
with recursive chain (id) as (
  select activity_id from cases where activity_id = any($1) and corporation_id = any($2)
  union
  select c.merged_into_id from chain join cases c on c.activity_id = chain.id where c.merged_into_id is not null
)
select id from chain`,
}

const LOCK: Prepared = {
  name: 'lock-cases',
  text: `select ${CASE_RECORD} from cases c join activities a on a.id = c.activity_id
          where c.activity_id = any($1) order by c.activity_id for no key update of c, a`,
}

/** Cases that this transaction has locked. */
export interface LockedCases {
  /** The named case, merged or not; undefined: it does not exist in those corporations. */
  named(id: ActivityId): CaseRecord | undefined
  /** The end of its chain of merges: the case itself, unless it was merged. */
  end(id: ActivityId): CaseRecord | undefined
}

/** Locks cases and their chains of merges in the order of ids: no deadlock. Repeats if a chain grew meanwhile. */
export async function lockCases(
  transaction: Transaction,
  ids: readonly ActivityId[],
  corporations: readonly CorporationId[],
): Promise<LockedCases> {
  await transaction.query('savepoint cases')
  // Ends: each repetition has waited for a merge that is complete by now.
  for (;;) {
    const chain = await ask<{ id: ActivityId }>(transaction, CHAIN, [ids, corporations])
    const rows = await ask<CaseRecord>(transaction, LOCK, [chain.map(({ id }) => id)])
    const byId = new Map(rows.map((row) => [row.id, row]))
    if (rows.every(({ merged }) => merged === null || byId.has(merged.into))) return lockedOf(byId)
    await transaction.query('rollback to savepoint cases')
  }
}

function lockedOf(byId: ReadonlyMap<ActivityId, CaseRecord>): LockedCases {
  const end = (id: ActivityId): CaseRecord | undefined => {
    let found = byId.get(id)
    // A loop: a long chain is too deep for calls within each other.
    while (found?.merged) found = byId.get(found.merged.into)
    return found
  }
  return { named: (id) => byId.get(id), end }
}

/** How much is linked to these cases, together: activities and parts. */
export async function countLinks(transaction: Transaction, cases: readonly ActivityId[]): Promise<number> {
  const text = 'select count(*) as links from activity_links where to_id = any($1) and type in (14, 16)'
  return (await ask<{ links: number }>(transaction, text, [cases]))[0]!.links
}

/** Writes a locked case and the log of its change. */
export async function writeCase(transaction: Transaction, record: CaseRecord, logs: readonly CaseLog[]): Promise<void> {
  const { id, title, extension, updatedAtMs, category, priority, team, deadlineAtMs, status, custom } = record
  const { customChangedAtMs, lastOpen, holdUntilMs, holdComment, merged } = record
  const { internalUpdatedAtMs, externalUpdatedAtMs, version } = record
  await ask(transaction, WRITE, [
    ...[id, title, extension, updatedAtMs, category, priority, team, deadlineAtMs, status, custom],
    ...[customChangedAtMs, lastOpen, holdUntilMs, holdComment, merged?.into, merged?.atMs, merged?.custom],
    ...[internalUpdatedAtMs, externalUpdatedAtMs, version],
  ])
  await writeCaseLogs(transaction, id, logs)
}

const WRITE: Prepared = {
  name: 'write-case',
  text: `
with activity as (update activities set subject = $2, extension_id = $3, updated_at_ms = $4 where id = $1)
update cases set category_id = $5, priority_id = $6, team_id = $7, deadline_at_ms = $8, status = $9,
  ems_status_id = $10, ems_status_changed_at_ms = $11, last_open_ems_status_id = $12, hold_until_ms = $13,
  hold_comment = $14, merged_into_id = $15, merged_at_ms = $16, merged_status_id = $17,
  internal_updated_at_ms = $18, external_updated_at_ms = $19, version = $20
 where activity_id = $1`,
}

/** Writes log entries of a case. */
export async function writeCaseLogs(transaction: Transaction, id: ActivityId, logs: readonly CaseLog[]): Promise<void> {
  if (logs.length === 0) return
  await ask(transaction, WRITE_LOGS, [id, JSON.stringify(logs)])
}

const WRITE_LOGS: Prepared = {
  name: 'write-case-logs',
  text: `
insert into case_logs (case_id, at_ms, user_id, what, was, becomes, why)
select $1, l."atMs", l.by, l.what, l.was, l.becomes, l.why
  from jsonb_to_recordset($2::jsonb) as l("atMs" bigint, by bigint, what text, was jsonb, becomes jsonb, why text)`,
}
