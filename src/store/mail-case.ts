/** Cases that email opens, and cases that email is sent from. */
import type { AtMs } from '../kernel/clock.ts'
import type { TeamName } from '../kernel/ids.ts'
import type { ActivityId } from '../ports/attempt.ts'
import type { CorporationId } from '../ports/call-task.ts'
import type { ExtensionId } from '../ports/entities.ts'
import { nextNumber } from './counters.ts'
import { storable } from './mail-rows.ts'
import { ask, type Transaction } from './transaction.ts'

/** A case as an email opens it. */
export interface CaseOfMail {
  readonly corporation: CorporationId
  readonly team: TeamName | undefined
  readonly title: string
  /** A hint: whom the sender's earlier cases were about. */
  readonly extension: ExtensionId | null
  readonly atMs: AtMs
}

/** D-30: of titles, in letters. */
const TITLE_LETTERS_MAX = 1_000

/** Opens one with what is default everywhere; in no queue where the set-up's team is not there (any more). */
export async function openCaseOf(transaction: Transaction, wish: CaseOfMail): Promise<ActivityId> {
  const { corporation, team, title, extension, atMs } = wish
  const number = await nextNumber(transaction, corporation, 'case')
  const rows = await ask<{ id: ActivityId }>(transaction, OPEN, [
    ...[corporation, storable(title.slice(0, TITLE_LETTERS_MAX)), extension, atMs, number, team ?? null],
  ])
  // It was inserted, so it has an id.
  return rows[0]!.id
}

const OPEN = `
with activity as (
  insert into activities (corporation_id, kind, subject, direction, extension_id, created_at_ms, updated_at_ms)
  values ($1, 'case', $2, 'in', $3, $4, $4) returning id
)
insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
  last_open_ems_status_id, priority_id, team_id)
select activity.id, $1, $5, 1, s.id, $4, s.id, p.id,
  (select id from teams where corporation_id = $1 and name = $6 and active)
  from activity, ems_statuses s, priorities p
 where s.corporation_id = $1 and s.status = 1 and s.is_default and p.corporation_id = $1 and p.is_default
returning activity_id as id`
